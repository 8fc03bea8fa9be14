import type { Socket } from 'node:net'
import type { DriverContext } from '@roundhouse/kit'
import { addressText, logInWithin } from '@roundhouse/sql'
import mysql from 'mysql2'
import type { Login } from '../settings.ts'
import { connectError } from './errors.ts'
import type { WireConnection } from './protocol.ts'
import { encryptBy, TlsError } from './tls.ts'

/** A session on which the login is done. */
export interface LoggedIn {
	readonly connection: WireConnection
	readonly isEncrypted: boolean
	/** Number of the session in the server. */
	readonly id: number
	readonly server: ServerVersion
	/** Stops the running statement through a second connection. */
	cancel(): Promise<void>
}

/** Which engine answers. */
export interface ServerVersion {
	readonly product: 'MariaDB' | 'MySQL'
	/** Without what the builder adds: `10.11.19`. */
	readonly version: string
}

/** Opens a socket and logs in. @throws DriverError `not_connected` or `denied`, with the remedy */
export async function logIn(login: Login, context: DriverContext, signal: AbortSignal): Promise<LoggedIn> {
	const { mode } = login.tls
	const attempt = (way: 'plain' | 'tls') => attemptWithin({ login, context, way }, signal)
	try {
		return await attempt(mode === 'DISABLED' ? 'plain' : 'tls')
	} catch (error) {
		if (mode === 'PREFERRED' && (error instanceof TlsError || isWithoutTls(error)))
			return await attempt('plain').catch(failed)
		return failed(error)
	}

	function failed(error: unknown): never {
		signal.throwIfAborted()
		throw connectError(error, addressText(login.address))
	}
}

const isWithoutTls = (error: unknown) =>
	error instanceof Error && 'code' in error && error.code === 'HANDSHAKE_NO_SSL_SUPPORT'

interface Attempt {
	readonly login: Login
	readonly context: DriverContext
	readonly way: 'plain' | 'tls'
}

const attemptWithin = (attempt: Attempt, signal: AbortSignal): Promise<LoggedIn> =>
	logInWithin(attempt.login, attempt.context, signal, socket => logInOver(socket, attempt))

async function logInOver(socket: Socket, { login, context, way }: Attempt): Promise<LoggedIn> {
	const { address, tls } = login
	const usesTls = way === 'tls' && !('path' in address)
	const created = mysql.createConnection({
		stream: socket,
		// Only for the choice of how a password is sent: the stream is open.
		...('path' in address && { socketPath: address.path }),
		user: login.username,
		password: login.password,
		...(login.database !== undefined && { database: login.database }),
		...(usesTls && { ssl: {} }),
		charset: 'UTF8MB4_GENERAL_CI',
		// Code from strings is not allowed in the process of a driver.
		disableEval: true,
		// The server may not ask for files, and reads texts as it is set.
		flags: ['-LOCAL_FILES', '-IGNORE_SPACE', '-ODBC'],
		// Values are in the text already.
		queryFormat: (sql: string) => sql,
		connectTimeout: 0,
		connectAttributes: { program_name: 'Roundhouse' },
	})
	// Their types lack what the package documents (protocol.ts).
	const connection = created as unknown as WireConnection
	if (usesTls) encryptBy(connection, socket, { tls, host: address.host })
	await new Promise<void>((resolve, reject) => {
		connection.once('connect', () => resolve())
		// Without a listener, a later error would end the process.
		connection.on('error', reject)
	})
	return {
		connection,
		isEncrypted: usesTls,
		id: connection.threadId ?? 0,
		server: versionOf(connection._handshakePacket?.serverVersion ?? ''),
		cancel: () => cancel({ login, context, way }, connection.threadId ?? 0),
	}
}

/** @param text as the server greets: `5.5.5-10.11.19-MariaDB-0+deb12u1`, where older clients want the first part */
export function versionOf(text: string): ServerVersion {
	const isMariaDb = /mariadb/i.test(text)
	const [version = ''] = /\d+(\.\d+)*/.exec(isMariaDb ? text.replace(/^5\.5\.5-/, '') : text) ?? []
	return { product: isMariaDb ? 'MariaDB' : 'MySQL', version }
}

const cancelTimeoutMs = 3_000

async function cancel(attempt: Attempt, id: number): Promise<void> {
	const login = { ...attempt.login, database: undefined }
	const { connection } = await attemptWithin({ ...attempt, login }, AbortSignal.timeout(cancelTimeoutMs))
	try {
		await new Promise<void>((resolve, reject) => {
			connection
				.query({ sql: `kill query ${id}`, rowsAsArray: true, typeCast: false })
				.on('error', reject)
				.on('end', resolve)
			connection.once('error', reject)
		})
	} finally {
		connection.destroy()
	}
}
