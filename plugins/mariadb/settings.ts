import type { Settings } from '@roundhouse/kit'
import { readServerLogin, type ServerLogin, textField } from '@roundhouse/sql'

/** The values of the connection form, read once. */

/** The words of MySQL. `PREFERRED` also works without TLS; `REQUIRED` accepts any certificate. */
export const sslModes = ['DISABLED', 'PREFERRED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'] as const
export type SslMode = (typeof sslModes)[number]

export type Tls = ServerLogin<SslMode>['tls']

/** How to log in to a server. */
export interface Login extends ServerLogin<SslMode> {
	/** Where names without a database are looked up. `undefined`: nowhere. */
	readonly database: string | undefined
	readonly username: string
}

/** @throws DriverError `invalid_argument` for a value that no server takes */
export const readSettings = (settings: Settings): Login => ({
	...readServerLogin(settings, { defaultPort: 3306, modes: sslModes, defaultMode: 'PREFERRED' }),
	database: textField(settings, 'database') || undefined,
	username: textField(settings, 'username') || 'root',
})
