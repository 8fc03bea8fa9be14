import { DriverError, isDriverError } from '@roundhouse/kit'
import { type Remedies, unreachable } from '@roundhouse/sql'
import type { Notice } from './protocol.ts'

/** Errors of the server and of the socket, as errors of a driver. */

/** An error message of the server. https://www.postgresql.org/docs/current/protocol-error-fields.html */
type ServerError = Error &
	Notice & {
		readonly position?: string
		readonly constraint?: string
		readonly column?: string
		/** The domain that refuses a value. */
		readonly dataType?: string
	}

/** Returns whether the server sent the error, in contrast to a socket. */
export const isServerError = (error: unknown): error is ServerError =>
	error instanceof Error && 'severity' in error && 'code' in error

/** The SQLSTATE of a wait for a lock that took too long. */
export const lockNotAvailable = '55P03'

/**
 * Returns an error of the server with its hint, code and place. A function can raise any SQLSTATE, so that it says
 * nothing about the connection, a permission or a cancellation: the session knows those. @param sql the text that was sent
 */
export function statementError(error: ServerError, sql?: string): DriverError {
	const { message, detail, hint, code, position } = error
	const at = sql !== undefined && position ? offsetOf(sql, Number(position)) : undefined
	return new DriverError('query_failed', sentence(message, detail), {
		cause: error,
		...(at !== undefined && { at }),
		...(hint && { hint: hint.replaceAll('"roundhouse row.', '"') }),
		...(code && { engineCode: code }),
	})
}

const severities: ReadonlySet<string> = new Set(['DEBUG', 'LOG', 'INFO', 'NOTICE', 'WARNING'])

/** Returns the message of a notice with its severity, which a hostile server chooses too. */
export const noticeText = ({ severity = '', message = '', detail, hint }: Notice): string =>
	`${severities.has(severity) ? severity : 'NOTICE'}: ${sentence(message, detail)}${hint ? ` ${hint}` : ''}`

const sentence = (message: string, detail: string | undefined) => (detail ? `${message}. ${detail}` : message)

/** The server counts characters from 1; the window counts UTF-16 units from 0. */
function offsetOf(sql: string, position: number): number {
	let units = 0
	for (let characters = 1; characters < position && units < sql.length; characters++)
		units += (sql.codePointAt(units) ?? 0) > 0xffff ? 2 : 1
	return units
}

/** A wrong password, a role that may not log in, or one that may not use the database. */
const isRefusedLogin = ({ code = '' }: ServerError) => code.startsWith('28') || code === '42501'

/** Returns why a server cannot be reached or refuses the login, with a remedy. */
export function connectError(error: unknown, where: string): DriverError {
	if (isDriverError(error)) return error
	if (isServerError(error)) {
		const options = { cause: error, ...(error.hint && { hint: error.hint }), engineCode: error.code ?? '' }
		const words = `${where}: ${sentence(error.message, error.detail)}.`
		if (error.code === '3D000') return new DriverError('not_connected', `${words} Check the database.`, options)
		return new DriverError(isRefusedLogin(error) ? 'denied' : 'not_connected', words, options)
	}
	return unreachable(error, where, remedies)
}

const remedies: Remedies = [
	[/ALTNAME/, 'The certificate is for another host. Use its host name, or the SSL mode verify-ca.'],
	[/CERT|certificate|SELF_SIGNED/i, 'Add the CA certificate that signed it, or use the SSL mode require.'],
	[/ENOTFOUND|EAI_AGAIN/, 'No address is known for this host. Check the name.'],
	[/ECONNREFUSED/, 'No server listens there. Check host and port.'],
	[/password must be a string|no password/i, 'Enter the password.'],
	[/ETIMEDOUT|in time/, 'Check host, port and firewall.'],
]
