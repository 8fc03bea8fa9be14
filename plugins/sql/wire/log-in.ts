import type { Socket } from 'node:net'
import { type DriverContext, DriverError } from '@roundhouse/kit'
import type { Address, ServerLogin } from './settings.ts'

/** Where a server is, for messages. */
export const addressText = (address: Address): string =>
	'path' in address ? address.path : `${address.host}:${address.port}`

/** Whether a server is on this machine, so that no data crosses a network. */
export const isLocalAddress = (address: Address): boolean =>
	'path' in address || /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(address.host)

/**
 * Opens a socket and logs in over it, within the time of the login. Closes the socket if that fails. @throws the error of
 * `logIn`, or DriverError `timeout`
 */
export async function logInWithin<T>(
	{ address, connectTimeoutMs }: Pick<ServerLogin<string>, 'address' | 'connectTimeoutMs'>,
	context: DriverContext,
	signal: AbortSignal,
	logIn: (socket: Socket, signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const socket = await context.connect(address, { signal, timeoutMs: connectTimeoutMs })
	// The time in which a person answers questions on the way there, as those of SSH, does not count.
	const timeout = AbortSignal.timeout(connectTimeoutMs)
	const either = AbortSignal.any([signal, timeout])
	const stop = () => socket.destroy()
	either.addEventListener('abort', stop, { once: true })
	try {
		return await logIn(socket, either)
	} catch (error) {
		socket.destroy()
		signal.throwIfAborted()
		if (timeout.aborted) throw new DriverError('timeout', `${addressText(address)} did not answer the login in time.`)
		throw error
	} finally {
		either.removeEventListener('abort', stop)
	}
}

/** What to do about errors of a socket whose code and message fit a pattern. The first one that fits is given. */
export type Remedies = readonly (readonly [RegExp, string])[]

/** Returns why a server cannot be reached, with a remedy, for an error that is not the server's own. */
export function unreachable(error: unknown, where: string, remedies: Remedies): DriverError {
	const { code = '', message }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error))
	if (code === 'ERR_ACCESS_DENIED') return new DriverError('denied', message, { cause: error })
	const remedy = remedies.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1] ?? 'Check host and port.'
	return new DriverError('not_connected', `${where}: ${message.replace(/\.$/, '')}. ${remedy}`, { cause: error })
}
