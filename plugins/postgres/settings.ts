import type { Settings } from '@roundhouse/kit'
import { readServerLogin, type ServerLogin, textField } from '@roundhouse/sql'

/** The values of the connection form, read once. */

/** The words of libpq. `allow` and `prefer` also work without TLS; `require` accepts any certificate. */
export const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
export type SslMode = (typeof sslModes)[number]

export type Tls = ServerLogin<SslMode>['tls']

/** How to log in to a server. */
export interface Login extends ServerLogin<SslMode> {
	readonly database: string
	readonly username: string
	readonly applicationName: string
	readonly listsAllDatabases: boolean
	/** The schema that statements of the user search first, before that of extensions. Default: as the server has it. */
	readonly schema?: string | undefined
}

/** @throws DriverError `invalid_argument` for a value that no server takes */
export function readSettings(settings: Settings): Login {
	const username = textField(settings, 'username') || 'postgres'
	return {
		...readServerLogin(settings, { defaultPort: 5432, modes: sslModes, defaultMode: 'prefer' }),
		// Libpq's default: the database with the name of the user.
		database: textField(settings, 'database') || username,
		username,
		applicationName: textField(settings, 'applicationName') || 'Roundhouse',
		listsAllDatabases: settings.allDatabases === true || settings.allDatabases === 'true',
	}
}
