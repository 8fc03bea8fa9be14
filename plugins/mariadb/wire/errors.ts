import { DriverError, isDriverError } from '@roundhouse/kit'
import { type Remedies, unreachable } from '@roundhouse/sql'

/** Errors of the server and of the socket, as errors of a driver. */

/** An error message of the server. */
interface ServerError extends Error {
	/** https://mariadb.com/kb/en/mariadb-error-code-reference/ */
	readonly errno: number
	readonly sqlState: string
	readonly sqlMessage: string
}

/** Returns whether the server sent the error, in contrast to a socket. */
export const isServerError = (error: unknown): error is ServerError =>
	error instanceof Error && 'sqlMessage' in error && 'errno' in error && typeof error.errno === 'number'

export const errorNumbers = {
	accessDenied: 1045,
	databaseDenied: 1044,
	unknownDatabase: 1049,
	syntax: 1064,
	noSuchTable: 1146,
	duplicateKey: 1062,
	lockWait: 1205,
	deadlock: 1213,
	interrupted: 1317,
	readOnlyTransaction: 1792,
} as const

const hints: Readonly<Record<number, string>> = {
	[errorNumbers.lockWait]:
		'Another session holds the lock. End its transaction, then try again. The transaction stays open.',
	[errorNumbers.deadlock]: 'The server rolled back the whole transaction. Run it again.',
	1290: 'The server runs with an option that forbids this statement.',
	1366: 'The value does not fit the type or the character set of the column.',
	1451: 'Rows of another table refer to this row.',
	1452: 'The row refers to a row that does not exist.',
	1969: 'The statement ran longer than the limit of the session.',
	3024: 'The statement ran longer than the limit of the session.',
}

/**
 * Returns an error of the server with its code and place. A routine can raise any number, so that it says nothing about the
 * connection, a permission or a cancellation: the session knows those. @param sql the text that was sent
 */
export function statementError(error: ServerError, sql?: string): DriverError {
	const { errno, sqlMessage } = error
	const at = sql === undefined ? undefined : placeOfError(errno, sqlMessage, sql)
	const hint = hints[errno]
	return new DriverError('query_failed', sqlMessage.replace(/\.$/, ''), {
		cause: error,
		engineCode: String(errno),
		...(at !== undefined && { at }),
		...(hint !== undefined && { hint }),
	})
}

/** A message has the next 80 characters of the text, or fewer at its end. */
const nearText = /near '([\s\S]*)' at line (\d+)$/

/** Returns the UTF-16 offset at which the server found an error, if its message determines that. */
function placeOfError(errno: number, message: string, sql: string): number | undefined {
	if (errno === errorNumbers.syntax) {
		const [, near, line] = nearText.exec(message) ?? []
		if (near === undefined) return undefined
		if (near === '') return sql.trimEnd().length
		const places = placesOf(sql, near).filter(at => sql.slice(0, at).split('\n').length === Number(line))
		// The rest of the text occurs at its end too.
		const atEnd = places.find(at => at + near.length === sql.length)
		return atEnd ?? (places.length === 1 ? places[0] : undefined)
	}
	// A name in quotes, of a column, table or function that does not exist.
	const [, name] = /^(?:Unknown column|FUNCTION|Table|Unknown table|View) '?([^\s']+)'?/.exec(message) ?? []
	const last = name?.split('.').at(-1)
	if (last === undefined || last === '') return undefined
	const places = placesOf(sql.toLowerCase(), last.toLowerCase())
	return sql.toLowerCase().length === sql.length && places.length === 1 ? places[0] : undefined
}

function placesOf(text: string, part: string): readonly number[] {
	const places: number[] = []
	for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) places.push(at)
	return places
}

const isRefusedLogin = ({ errno, sqlState }: ServerError) =>
	sqlState.startsWith('28') || errno === 1044 || errno === 1698

/** Returns why a server cannot be reached or refuses the login, with a remedy. */
export function connectError(error: unknown, where: string): DriverError {
	if (isDriverError(error)) return error
	if (isServerError(error)) {
		const options = { cause: error, engineCode: String(error.errno) }
		const words = `${where}: ${error.sqlMessage.replace(/\.$/, '')}.`
		if (error.errno === errorNumbers.unknownDatabase)
			return new DriverError('not_connected', `${words} Check the database.`, options)
		return new DriverError(isRefusedLogin(error) ? 'denied' : 'not_connected', words, options)
	}
	return unreachable(error, where, remedies)
}

const remedies: Remedies = [
	[/NO_SSL_SUPPORT/, 'The server has no TLS. Use the SSL mode PREFERRED or DISABLED.'],
	[/ALTNAME/, 'The certificate is for another host. Use its host name, or the SSL mode VERIFY_CA.'],
	[/CERT|certificate|SELF_SIGNED/i, 'Add the CA certificate that signed it, or use the SSL mode REQUIRED.'],
	[/ENOTFOUND|EAI_AGAIN/, 'No address is known for this host. Check the name.'],
	[/ECONNREFUSED|ENOENT/, 'No server listens there. Check host and port, or the path of the socket.'],
	[/mysql_clear_password/, 'The server asks for the password in clear text, which this driver does not send.'],
	[/ETIMEDOUT|in time/, 'Check host, port and firewall.'],
]
