import type { DriverContext } from '@roundhouse/kit'
import type { Login } from '../settings.ts'
import { logIn } from './login.ts'
import { Session } from './session.ts'

/** How values are written, so that each is read as it is stored, whatever the defaults of database and role. */
const formats = [
	"set datestyle to 'ISO, YMD'",
	'set intervalstyle to postgres',
	'set bytea_output to hex',
	'set extra_float_digits to 1',
	"set client_encoding to 'UTF8'",
	'set standard_conforming_strings to on',
	'set xmloption to content',
]

/** Logs in and prepares the session. On a read-only connection the server refuses every write. @throws DriverError */
export async function openSession(login: Login, context: DriverContext, signal: AbortSignal): Promise<Session> {
	const session = new Session(await logIn(login, context, signal))
	try {
		const readOnly = context.isReadOnly ? ['set default_transaction_read_only to on'] : []
		const limit = login.statementTimeoutMs > 0 ? [`set statement_timeout to ${login.statementTimeoutMs}`] : []
		const { notices } = await session.command([...formats, ...readOnly, ...limit].join('; '), signal)
		for (const notice of notices) context.log(notice)
		return session
	} catch (error) {
		session.close()
		throw error
	}
}
