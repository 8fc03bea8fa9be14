import { DriverError, type Settings } from '@roundhouse/kit'

/** The values of the connection form, read once. */

/** The words of MySQL. `PREFERRED` also works without TLS; `REQUIRED` accepts any certificate. */
export const sslModes = ['DISABLED', 'PREFERRED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'] as const
export type SslMode = (typeof sslModes)[number]

export interface Tls {
	readonly mode: SslMode
	/** PEM. Empty means the authorities that Node trusts. */
	readonly ca: string
	readonly cert: string
	readonly key: string
	readonly passphrase: string
}

/** How to log in to a server. */
export interface Login {
	readonly address: { readonly host: string; readonly port: number } | { readonly path: string }
	/** Where names without a database are looked up. `undefined`: nowhere. */
	readonly database: string | undefined
	readonly username: string
	readonly password: string
	readonly tls: Tls
	readonly connectTimeoutMs: number
	/** 0: no limit beside that of the server. */
	readonly statementTimeoutMs: number
	/** Sessions for everything but consoles. */
	readonly mostSessions: number
}

/** @throws DriverError `invalid_argument` for a value that no server takes */
export function readSettings(settings: Settings): Login {
	const text = (key: string) => String(settings[key] ?? '').trim()
	const number = (key: string, fallback: number) => {
		const value = Number(settings[key] ?? fallback)
		return Number.isFinite(value) && value >= 0 ? value : fallback
	}
	const path = text('socketPath')
	const port = number('port', 3306)
	if (path === '' && (port < 1 || port > 65_535))
		throw new DriverError('invalid_argument', `The port ${port} is not between 1 and 65535.`)
	const mode = text('sslMode') || 'PREFERRED'
	const known = sslModes.find(name => name === mode)
	if (!known) throw new DriverError('invalid_argument', `The SSL mode ${mode} is unknown.`)
	return {
		address: path === '' ? { host: text('host') || 'localhost', port } : { path },
		database: text('database') || undefined,
		username: text('username') || 'root',
		password: String(settings.password ?? ''),
		tls: {
			mode: path === '' ? known : 'DISABLED',
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
