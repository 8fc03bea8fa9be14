import { z } from 'zod'
import { addressParts, plain, tlsOf } from './address-parts.ts'
import { connectionOf, type ForeignConnection } from './foreign-connection.ts'

/**
 * `data-sources.json` of a workspace or a project of DBeaver. Passwords are in `credentials-config.json`, encrypted, and
 * stay there; old releases wrote them here.
 */

const text = z.string().optional()
const values = z.record(z.string(), z.unknown()).optional()
const handlerSchema = z.object({ enabled: z.boolean().optional(), user: text, properties: values, type: text })
const connectionSchema = z.object({
	provider: z.string(),
	driver: text,
	name: text,
	folder: text,
	'read-only': z.boolean().optional(),
	configuration: z.object({
		host: text,
		port: z.union([z.string(), z.number()]).optional(),
		database: text,
		url: text,
		user: text,
		password: text,
		type: text,
		'auth-model': text,
		properties: values,
		handlers: z.record(z.string(), handlerSchema).optional(),
	}),
})
type Handler = z.output<typeof handlerSchema>

export const dbeaverSchema = z.object({ connections: z.record(z.string(), connectionSchema) })

export function readDBeaver({ connections }: z.output<typeof dbeaverSchema>): readonly ForeignConnection[] {
	return Object.values(connections).map(({ provider, driver, name, folder, configuration, ...more }) => {
		const { url = '', handlers = {}, properties, type, 'auth-model': authModel = 'native' } = configuration
		const address = addressParts(url)
		const isOn = (pattern: RegExp) =>
			Object.entries(handlers).find(([id, { enabled }]) => enabled === true && pattern.test(id))?.[1]
		const tunnel = isOn(/^ssh/)
		return connectionOf({
			name,
			group: folder,
			engines: [provider, ...(driver === undefined ? [] : [driver]), ...(address ? [address.scheme] : [])],
			...address,
			host: configuration.host || address?.host,
			port: configuration.port || address?.port,
			database: configuration.database || address?.database,
			user: configuration.user || address?.user,
			tls: tlsOfHandler(isOn(/ssl$/)) ?? tlsOf(optionsOf(properties)) ?? address?.tls,
			ssh: tunnel && wayOf(tunnel),
			isReadOnly: more['read-only'],
			isProduction: type === 'prod',
			secrets: { password: configuration.password || address?.secrets?.password },
			left: [
				authModel !== 'native' && `the sign-in “${authModel}”`,
				isOn(/socks|proxy/) && 'a proxy',
				tunnel?.properties?.keyPath !== undefined && 'the key file of SSH',
				Object.keys(isOn(/ssl$/)?.properties ?? {}).some(key => /cert|key|\.ca/i.test(key)) && 'certificates',
			],
		})
	})
}

const optionsOf = (options: Readonly<Record<string, unknown>> = {}) =>
	new Map(Object.entries(options).map(([key, value]) => [plain(key), String(value)]))

function tlsOfHandler(handler: Handler | undefined): string | undefined {
	return handler && (tlsOf(optionsOf(handler.properties)) ?? 'require')
}

function wayOf({ user, properties = {} }: Handler) {
	const { host, port } = properties
	return { host: String(host ?? ''), port: port === undefined ? undefined : String(port), user }
}
