import { z } from 'zod'
import { addressParts } from './address-parts.ts'
import { connectionOf, type ForeignConnection } from './foreign-connection.ts'

/** `connections.jsonl` of DbGate. An encrypted password begins with `crypt:`. */

const text = z.string().nullish()
const number = z.union([z.string(), z.number()]).nullish()
const flag = z.union([z.boolean(), z.string(), z.number()]).nullish()
const connectionSchema = z.object({
	engine: z.string(),
	displayName: text,
	server: text,
	port: number,
	user: text,
	password: text,
	defaultDatabase: text,
	useDatabaseUrl: flag,
	databaseUrl: text,
	socketPath: text,
	authType: text,
	isReadOnly: flag,
	useSsl: flag,
	sslRejectUnauthorized: flag,
	sslCaFile: text,
	sslCertFile: text,
	useSshTunnel: flag,
	sshHost: text,
	sshPort: number,
	sshLogin: text,
	sshMode: text,
	unsaved: flag,
})
/** A line without an engine is a folder. */
const lineSchema = z.union([connectionSchema, z.object({ engine: z.undefined().optional() })])

export const dbGateSchema = z.array(lineSchema)

const isOn = (value: unknown) => value === true || value === 1 || value === '1' || value === 'true'

export function readDbGate(lines: z.output<typeof dbGateSchema>): readonly ForeignConnection[] {
	return lines.flatMap(line => (line.engine === undefined ? [] : [entryOf(line)]))
}

function entryOf(line: z.output<typeof connectionSchema>): ForeignConnection {
	const address = isOn(line.useDatabaseUrl) ? addressParts(line.databaseUrl ?? '') : undefined
	const isEncrypted = line.password?.startsWith('crypt:') ?? false
	return connectionOf({
		name: line.displayName || line.server || address?.host,
		engines: [line.engine.replace(/@.*$/, ''), ...(address ? [address.scheme] : [])],
		...(address ?? {
			host: line.server ?? undefined,
			port: line.port ?? undefined,
			user: line.user ?? undefined,
			socketPath: line.authType === 'socket' ? (line.socketPath ?? undefined) : undefined,
			secrets: { password: isEncrypted ? undefined : (line.password ?? undefined) },
		}),
		database: line.defaultDatabase || address?.database,
		tls: isOn(line.useSsl) ? (isOn(line.sslRejectUnauthorized) ? 'verify-full' : 'require') : address?.tls,
		ssh: isOn(line.useSshTunnel)
			? { host: line.sshHost ?? '', port: line.sshPort ?? undefined, user: line.sshLogin ?? undefined }
			: undefined,
		isReadOnly: isOn(line.isReadOnly),
		left: [
			isEncrypted && 'the password, which is encrypted',
			isOn(line.useSsl) && (line.sslCaFile || line.sslCertFile) ? 'certificates' : undefined,
			isOn(line.useSshTunnel) && line.sshMode === 'keyFile' && 'the key file of SSH',
		],
	})
}
