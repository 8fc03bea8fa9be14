import type { DriverContext } from '@roundhouse/kit'
import type { Login } from '../settings.ts'
import { logIn } from './login.ts'
import { driverPath, formats, type SearchPath, Session } from './session.ts'

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
		const ofFormats = Object.entries(formats).map(([name, value]) => `set ${name} to '${value}'`)
		const readOnly = context.isReadOnly ? ['set default_transaction_read_only to on'] : []
		const limit = login.statementTimeoutMs > 0 ? [`set statement_timeout to ${login.statementTimeoutMs}`] : []
		const own = path === 'own' ? [`set search_path to ${driverPath}`] : []
		const { notices } = await session.command(
			[...ofFormats, ...own, ...settings, ...readOnly, ...limit].join('; '),
			signal,
		)
		for (const notice of notices) context.log(notice)
		return session
	} catch (error) {
		session.close()
		throw error
	}
}
