import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type DriverContext, DriverError } from '@roundhouse/kit'
import { addressText, logInWithin } from '@roundhouse/sql'
import pg from 'pg'
import type { Login } from '../settings.ts'
import { inQuotes } from '../sql/names.ts'
import { connectError, isServerError } from './errors.ts'
import type { PgConnection } from './protocol.ts'
import { encrypted } from './tls.ts'

/** A session on which the login is done. */
export interface LoggedIn {
	readonly connection: PgConnection
	readonly isEncrypted: boolean
	/** PID of the session in the server. */
	readonly pid: number
	/** Cancels the running statement through a second connection. */
	cancel(): Promise<void>
}

/** Opens a socket and logs in. @throws DriverError `not_connected` or `denied`, with the remedy */
export async function logIn(login: Login, context: DriverContext, signal: AbortSignal): Promise<LoggedIn> {
	const { mode } = login.tls
	const first = mode === 'disable' || mode === 'allow' ? 'plain' : 'tls'
	const attempt = (way: 'plain' | 'tls') => attemptWithin({ login, context, way }, signal)
	try {
		return await attempt(first)
	} catch (error) {
		// As libpq: `prefer` falls back to a login without TLS, and `allow` to one with it.
		const isRefused = isServerError(error) && error.code === '28000'
		if (mode === 'allow' && isRefused) return await attempt('tls').catch(failed)
		if (mode === 'prefer' && (isRefused || error instanceof TlsError)) return await attempt('plain').catch(failed)
		return failed(error)
	}

	function failed(error: unknown): never {
		signal.throwIfAborted()
		throw connectError(error, addressText(login.address))
	}
}

class TlsError extends Error {}

interface Attempt {
	readonly login: Login
	readonly context: DriverContext
	readonly way: 'plain' | 'tls'
}

const attemptWithin = (attempt: Attempt, signal: AbortSignal): Promise<LoggedIn> =>
	logInWithin(attempt.login, attempt.context, signal, async (socket, either) => {
		const stream = await streamOf(attempt, socket, either)
		return logInOver(stream, attempt, either)
	})

async function streamOf({ login, way }: Attempt, socket: Socket, signal: AbortSignal): Promise<Socket> {
	if ('path' in login.address || way === 'plain') return socket
	// Without a listener, an error between two steps would end the process.
	socket.on('error', () => {})
	const { tls, address } = login
	const secure = await encrypted(socket, { tls, host: address.host }, signal).catch((error: Error) => {
		throw tls.mode === 'prefer' ? new TlsError(error.message, { cause: error }) : error
	})
	if (secure) return secure
	if (tls.mode === 'prefer') throw new TlsError('the server has no TLS')
	throw new DriverError(
		'not_connected',
		`${addressText(login.address)} has no TLS. Use the SSL mode prefer or disable.`,
	)
}

/** Extensions are usually in `public`. */
const pathFrom = (schema: string) => (schema === 'public' ? schema : `${inQuotes(schema)},public`)

/** Escapes a value for `options` of a login (PostgreSQL documentation, 32.1.2). */
const optionText = (value: string) => value.replaceAll(/[\\\s]/g, character => `\\${character}`)

async function logInOver(stream: Socket, { login, context, way }: Attempt, signal: AbortSignal): Promise<LoggedIn> {
	// The stream is already open, so pg does not use host, port and TLS.
	const client = new pg.Client({
		stream: () => asConnected(stream),
		ssl: false,
		host: 'localhost',
		user: login.username,
		database: login.database,
		// A function, because pg would look for an empty password in the environment and in files.
		password: () => {
			if (login.password !== '') return login.password
			throw new DriverError('denied', `${addressText(login.address)} asks for a password. Enter it in the connection.`)
		},
		application_name: login.applicationName,
		// So it is also the default, to which a RESET or a DISCARD of the user returns.
		...(login.schema !== undefined && { options: `-c search_path=${optionText(pathFrom(login.schema))}` }),
	})
	client.on('error', () => {})
	const gone = new AbortController()
	const closed = once(stream, 'close', { signal: AbortSignal.any([signal, gone.signal]) }).then(() => {
		throw new Error('the server closed the connection')
	})
	try {
		await Promise.race([client.connect(), closed])
	} finally {
		gone.abort()
		closed.catch(() => {})
	}
	// Their types lack what the package documents (protocol.ts).
	const { connection, processID, secretKey } = client as unknown as {
		readonly connection: PgConnection
		readonly processID: number
		readonly secretKey: number
	}
	return {
		connection,
		isEncrypted: way === 'tls',
		pid: processID,
		cancel: () => cancel({ login, context, way }, { processID, secretKey }),
	}
}

/** Pg connects its stream itself. This stream is already connected, so only the event is emitted. */
function asConnected(stream: Socket): Duplex {
	return Object.assign(stream, {
		connect: () => {
			process.nextTick(() => stream.emit('connect'))
			return stream
		},
	})
}

const cancelTimeoutMs = 3_000

/** Sends a request to cancel: length 16, the code 80877102, then the key of the session. */
async function cancel(
	attempt: Attempt,
	{ processID, secretKey }: { readonly processID: number; readonly secretKey: number },
): Promise<void> {
	const { login, context } = attempt
	const signal = AbortSignal.timeout(cancelTimeoutMs)
	const socket = await context.connect(login.address, { signal, timeoutMs: cancelTimeoutMs })
	try {
		const stream = await streamOf(attempt, socket, signal)
		const request = Buffer.alloc(16)
		request.writeInt32BE(16, 0)
		request.writeInt32BE(80_877_102, 4)
		request.writeInt32BE(processID, 8)
		request.writeInt32BE(secretKey, 12)
		stream.on('error', () => {})
		const closed = once(stream, 'close', { signal })
		stream.write(request)
		stream.resume()
		await closed
	} finally {
		socket.destroy()
	}
}
