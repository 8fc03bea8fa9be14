import { z } from 'zod'
import { addressParts, plain, tlsOf } from './address-parts.ts'
import { connectionOf, type ForeignConnection, type FoundWay } from './foreign-connection.ts'

/**
 * `data-sources.json` of a workspace or a project of DBeaver. Passwords are in `credentials-config.json`, encrypted, and
 * stay there; old releases wrote them here.
 */

const text = z.string().optional()
const values = z.record(z.string(), z.unknown()).optional()
const handlerSchema = z.object({ enabled: z.boolean().optional(), user: text, properties: values, type: text })
const handlersSchema = z.record(z.string(), handlerSchema).optional()
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
		handlers: handlersSchema,
		'config-profile': text,
	}),
})
type Handler = z.output<typeof handlerSchema>

export const dbeaverSchema = z.object({
	connections: z.record(z.string(), connectionSchema),
	'network-profiles': z.record(z.string(), z.object({ handlers: handlersSchema })).optional(),
})

export function readDBeaver({
	connections,
	'network-profiles': profiles = {},
}: z.output<typeof dbeaverSchema>): readonly ForeignConnection[] {
	return Object.values(connections).map(({ provider, driver, name, folder, configuration, ...more }) => {
		const { url = '', properties, type, 'auth-model': authModel = 'native' } = configuration
		const { 'config-profile': profileName = '' } = configuration
		const profile = Object.hasOwn(profiles, profileName) ? profiles[profileName] : undefined
		const handlers = { ...configuration.handlers, ...profile?.handlers }
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
			ssh: tunnel ? wayOf(tunnel) : address?.ssh,
			isReadOnly: more['read-only'],
			isProduction: type === 'prod',
			secrets: { password: configuration.password || address?.secrets?.password },
			left: [
				authModel !== 'native' && `the sign-in “${authModel}”`,
				isOn(/socks|proxy/) && 'a proxy',
				tunnel && !tunnel.user && 'the user of SSH, who is in an encrypted file',
				Object.keys(tunnel?.properties ?? {}).some(key => /keyPath$/.test(key)) && 'the key file of SSH',
				Object.keys(isOn(/ssl$/)?.properties ?? {}).some(key => /cert|key|\.ca/i.test(key)) && 'certificates',
			],
			// It may lead through SSH.
			fault: profileName !== '' && !profile ? 'its network profile is not in the file' : undefined,
		})
	})
}

const optionsOf = (options: Readonly<Record<string, unknown>> = {}) =>
	new Map(Object.entries(options).map(([key, value]) => [plain(key), String(value)]))

function tlsOfHandler(handler: Handler | undefined): string | undefined {
	return handler && (tlsOf(optionsOf(handler.properties)) ?? 'require')
}

function wayOf({ user, properties = {} }: Handler): FoundWay {
	const hop = (prefix: string, user: unknown) => {
		const [host = '', port] = [properties[`${prefix}host`], properties[`${prefix}port`]]
		return {
			host: String(host),
			port: port === undefined ? undefined : String(port),
			user: user === undefined ? undefined : String(user),
		}
	}
	const jumps = Object.keys(properties)
		.flatMap(key => /^(jumpServer\d+\.)enabled$/.exec(key)?.[1] ?? [])
		.filter(prefix => String(properties[`${prefix}enabled`]) === 'true')
		.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
		.map(prefix => hop(prefix, properties[`${prefix}name`]))
	return { ...hop('', user), jumps }
}
