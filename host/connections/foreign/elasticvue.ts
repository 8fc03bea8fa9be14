import { z } from 'zod'
import { addressParts } from './address-parts.ts'
import { connectionOf, type ForeignConnection } from './foreign-connection.ts'

/** The backup of Elasticvue's settings (`elasticvue_1.0.0_backup.json`). */

const text = z.string().optional().catch(undefined)
/** Until 1.1, user and password stand in the cluster; since then, in `auth`. */
const clusterSchema = z.object({
	name: z.string().optional(),
	uri: z.string(),
	username: text,
	password: text,
	auth: z
		.object({
			authType: text,
			authData: z.object({ username: text, password: text, apiKey: text }).optional().catch(undefined),
		})
		.optional()
		.catch(undefined),
})
export const elasticvueSchema = z.object({
	store: z.object({ connection: z.object({ clusters: z.array(clusterSchema) }) }),
})

export function readElasticvue({ store }: z.output<typeof elasticvueSchema>): readonly ForeignConnection[] {
	return store.connection.clusters.map(({ name, uri, auth, ...cluster }) => {
		const address = addressParts(uri)
		const { username, password, apiKey } = auth?.authData ?? { ...cluster, apiKey: undefined }
		// A password without a user is an API key there.
		const key = apiKey || (username ? undefined : password)
		const isTaken = auth === undefined || [undefined, 'none', 'basicAuth', 'apiKey'].includes(auth.authType)
		return connectionOf({
			name,
			engines: address ? [address.scheme] : [],
			url: uri,
			user: username || address?.user,
			secrets: key ? { apiKey: key } : { password: password || address?.secrets?.password },
			left: [!isTaken && 'the sign-in'],
		})
	})
}
