import type { DriverContext } from '@roundhouse/kit'
import type { Login } from '../settings.ts'
import { logIn } from './login.ts'
import { ownPath, type SearchPath, Session } from './session.ts'

/**
 * How values are written, so that each is read as it is stored, whatever the defaults of database and role. Of a date only
 * the form of output is set: in which order `01/02/03` is read stays the choice of the server, the database or the role.
 */
const formats = [
	'set datestyle to iso',
	'set intervalstyle to postgres',
	'set bytea_output to hex',
	'set extra_float_digits to 1',
	"set client_encoding to 'UTF8'",
	'set standard_conforming_strings to on',
	'set backslash_quote to safe_encoding',
	'set xmloption to content',
]

/**
 * Logs in and prepares the session. On a read-only connection the server refuses every write. @param options where
 * names are looked up, and statements for what this session needs besides @throws DriverError
 */
export async function openSession(
	login: Login,
	context: DriverContext,
	signal: AbortSignal,
	{ path, settings = [] }: { readonly path: SearchPath; readonly settings?: readonly string[] },
): Promise<Session> {
	const session = new Session(await logIn(login, context, signal), path)
	try {
		const readOnly = context.isReadOnly ? ['set default_transaction_read_only to on'] : []
		const limit = login.statementTimeoutMs > 0 ? [`set statement_timeout to ${login.statementTimeoutMs}`] : []
		const own = path === 'own' ? [`set search_path to ${ownPath}`] : []
		const { notices } = await session.command(
			[...formats, ...own, ...settings, ...readOnly, ...limit].join('; '),
			signal,
		)
		for (const notice of notices) context.log(notice)
		return session
	} catch (error) {
		session.close()
		throw error
	}
}
