import type { DriverContext } from '@roundhouse/kit'
import type { Login } from '../settings.ts'
import { logIn } from './login.ts'
import { Session, type SessionUse } from './session.ts'

/**
 * How texts are read and values are written in sessions of the driver, whatever the defaults of the server are: what does
 * not fit is an error, 0 is no order to number a row, backslashes escape, and `"` quotes a text.
 */
const modes = ['STRICT_TRANS_TABLES', 'STRICT_ALL_TABLES', 'ERROR_FOR_DIVISION_BY_ZERO', 'NO_ENGINE_SUBSTITUTION']
const ownSettings = [
	`sql_mode = '${[...modes, 'NO_AUTO_VALUE_ON_ZERO'].join()}'`,
	'autocommit = 1',
	// A TIMESTAMP is an instant. In a zone with summer time, an hour a year would have two of the same text.
	"time_zone = '+00:00'",
	'sql_auto_is_null = 0',
	'sql_select_limit = default',
]

/**
 * Logs in and prepares the session. On a read-only connection the server refuses every write. @throws DriverError
 */
export async function openSession(
	login: Login,
	context: DriverContext,
	signal: AbortSignal,
	use: SessionUse,
): Promise<Session> {
	const writes = context.isReadOnly ? 'never' : use === 'driver' ? 'in_transactions' : 'as_the_user_says'
	const session = new Session(await logIn(login, context, signal), { writes, use })
	const limit = session.server.product === 'MariaDB' ? login.statementTimeoutMs / 1_000 : login.statementTimeoutMs
	const name = session.server.product === 'MariaDB' ? 'max_statement_time' : 'max_execution_time'
	const settings = [...(use === 'driver' ? ownSettings : []), ...(limit > 0 ? [`${name} = ${limit}`] : [])]
	try {
		await session.query({ sql: 'set names utf8mb4' }, signal)
		if (settings.length > 0) {
			const { notices } = await session.query({ sql: `set session ${settings.join(', ')}` }, signal)
			for (const notice of notices) context.log(notice)
		}
		if (writes !== 'as_the_user_says') await session.query({ sql: 'set session transaction read only' }, signal)
		return session
	} catch (error) {
		session.close()
		throw error
	}
}
