import { DriverError, type Settings } from '@roundhouse/kit'

/** Where a server listens. */
export type Address = { readonly host: string; readonly port: number } | { readonly path: string }

/** How a connection is encrypted. */
export interface Tls<Mode extends string> {
	readonly mode: Mode
	/** PEM. Empty means the authorities that Node trusts. */
	readonly ca: string
	readonly cert: string
	readonly key: string
	readonly passphrase: string
}

/** What the forms of servers of SQL have in common. */
export interface ServerLogin<Mode extends string> {
	readonly address: Address
	readonly password: string
	readonly tls: Tls<Mode>
	readonly connectTimeoutMs: number
	/** 0: no limit beside that of the server. */
	readonly statementTimeoutMs: number
	/** Sessions for everything but consoles. */
	readonly mostSessions: number
}

/** Returns the text of a field, without blanks around it. */
export const textField = (settings: Settings, key: string): string => String(settings[key] ?? '').trim()

/**
 * Reads the common fields of a form. @param modes of SSL; a Unix socket has the first one
 * @throws DriverError `invalid_argument` for a value that no server takes
 */
export function readServerLogin<Mode extends string>(
	settings: Settings,
	{
		defaultPort,
		modes,
		defaultMode,
	}: { readonly defaultPort: number; readonly modes: readonly [Mode, ...Mode[]]; readonly defaultMode: Mode },
): ServerLogin<Mode> {
	const text = (key: string) => textField(settings, key)
	const number = (key: string, fallback: number) => {
		const value = Number(settings[key] ?? fallback)
		return Number.isFinite(value) && value >= 0 ? value : fallback
	}
	const path = text('socketPath')
	const port = number('port', defaultPort)
	if (path === '' && (port < 1 || port > 65_535))
		throw new DriverError('invalid_argument', `The port ${port} is not between 1 and 65535.`)
	const wanted = text('sslMode') || defaultMode
	const mode = modes.find(name => name === wanted)
	if (!mode) throw new DriverError('invalid_argument', `The SSL mode ${wanted} is unknown.`)
	return {
		address: path === '' ? { host: text('host') || 'localhost', port } : { path },
		password: String(settings.password ?? ''),
		tls: {
			mode: path === '' ? mode : modes[0],
			ca: text('caFile'),
			cert: text('clientCert'),
			key: text('clientKey'),
			passphrase: String(settings.clientKeyPassphrase ?? ''),
		},
		connectTimeoutMs: Math.max(1, number('connectTimeoutSeconds', 10)) * 1_000,
		statementTimeoutMs: number('statementTimeoutSeconds', 0) * 1_000,
		mostSessions: Math.min(50, Math.max(1, Math.floor(number('mostSessions', 5)))),
	}
}
