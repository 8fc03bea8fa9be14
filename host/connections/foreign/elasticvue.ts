import { z } from 'zod'
import { addressParts } from './address-parts.ts'
import { connectionOf, type ForeignConnection } from './foreign-connection.ts'

/** The backup of Elasticvue's settings (`elasticvue_1.0.0_backup.json`). */

const clusterSchema = z.object({
	name: z.string().optional(),
	uri: z.string(),
	username: z.string().optional(),
	password: z.string().optional(),
	auth: z.unknown().optional(),
})
export const elasticvueSchema = z.object({
	store: z.object({ connection: z.object({ clusters: z.array(clusterSchema) }) }),
})

export function readElasticvue({ store }: z.output<typeof elasticvueSchema>): readonly ForeignConnection[] {
	return store.connection.clusters.map(({ name, uri, username, password, auth }) => {
		const address = addressParts(uri)
		return connectionOf({
			name,
			engines: address ? [address.scheme] : [],
			url: uri,
			user: username || address?.user,
			secrets: { password: password || address?.secrets?.password },
			left: [auth !== undefined && !username && 'the sign-in'],
		})
	})
}
