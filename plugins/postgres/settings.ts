import { DriverError, type Settings } from '@roundhouse/kit'

/** The values of the connection form, read once. */

/** The words of libpq. `allow` and `prefer` also work without TLS; `require` accepts any certificate. */
export const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
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
	readonly database: string
	readonly username: string
	readonly password: string
	readonly tls: Tls
	readonly applicationName: string
	readonly connectTimeoutMs: number
	/** 0: no limit beside that of the server. */
	readonly statementTimeoutMs: number
	/** Sessions for everything but consoles. */
	readonly mostSessions: number
	readonly listsAllDatabases: boolean
}

/** @throws DriverError `invalid_argument` for a value that no server takes */
export function readSettings(settings: Settings): Login {
	const text = (key: string) => String(settings[key] ?? '').trim()
	const number = (key: string, fallback: number) => {
		const value = Number(settings[key] ?? fallback)
		return Number.isFinite(value) && value >= 0 ? value : fallback
	}
	const username = text('username') || 'postgres'
	const path = text('socketPath')
	const port = number('port', 5432)
	if (path === '' && (port < 1 || port > 65_535))
		throw new DriverError('invalid_argument', `The port ${port} is not between 1 and 65535.`)
	const mode = text('sslMode') || 'prefer'
	const known = sslModes.find(name => name === mode)
	if (!known) throw new DriverError('invalid_argument', `The SSL mode ${mode} is unknown.`)
	return {
		address: path === '' ? { host: text('host') || 'localhost', port } : { path },
		// Libpq's default: the database with the name of the user.
		database: text('database') || username,
		username,
		password: String(settings.password ?? ''),
		tls: {
			mode: path === '' ? known : 'disable',
			ca: text('caFile'),
			cert: text('clientCert'),
			key: text('clientKey'),
			passphrase: String(settings.clientKeyPassphrase ?? ''),
		},
		applicationName: text('applicationName') || 'Roundhouse',
		connectTimeoutMs: Math.max(1, number('connectTimeoutSeconds', 10)) * 1_000,
		statementTimeoutMs: number('statementTimeoutSeconds', 0) * 1_000,
		mostSessions: Math.min(50, Math.max(1, Math.floor(number('mostSessions', 5)))),
		listsAllDatabases: settings.allDatabases === true || settings.allDatabases === 'true',
	}
}
