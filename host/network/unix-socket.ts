import { lstat, realpath } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { isAbsolute, normalize } from 'node:path'
import type { DialOptions } from './dial.ts'
import { networkErrors } from './errors.ts'

/** Longest path that the kernel accepts, in bytes. A longer one would be cut, and name another socket. */
const longestBytes = process.platform === 'linux' ? 107 : 103
const defaultTimeoutMs = 30_000

/**
 * Opens a Unix socket that the user named. The path must be the one where the socket is: a link could lead elsewhere
 * later. The socket is paused, so that the receiver gets its first byte.
 * @throws HostError `network/socket_refused`; Error with Node's `code`; the signal's reason
 */
export async function dialUnixSocket(path: string, { signal, timeoutMs }: DialOptions): Promise<Socket> {
	await refuseUnlessSocket(path)
	const timeout = AbortSignal.timeout(timeoutMs ?? defaultTimeoutMs)
	const either = AbortSignal.any([signal, timeout])
	// With an already aborted signal, Node fails the socket but still connects it.
	either.throwIfAborted()
	const { promise, resolve, reject } = Promise.withResolvers<Socket>()
	const socket = connect({ path, signal: either })
	socket.pause()
	socket.once('error', error => {
		if (signal.aborted) return reject(signal.reason)
		reject(timeout.aborted ? Object.assign(new Error(`${path} did not answer in time.`), { code: 'ETIMEDOUT' }) : error)
	})
	socket.once('connect', () => {
		socket.removeAllListeners('error')
		resolve(socket)
	})
	return promise
}

async function refuseUnlessSocket(path: string): Promise<void> {
	const refuse = (reason: string) =>
		networkErrors.make('socket_refused', { path: path.replaceAll('\0', '\\0'), reason })
	if (process.platform === 'win32') throw refuse('drivers use no Unix sockets on Windows')
	if (path.includes('\0')) throw refuse('it contains a NUL character')
	if (!isAbsolute(path)) throw refuse('use an absolute path')
	if (normalize(path) !== path) throw refuse('use the path without “.”, “..” and double slashes')
	if (Buffer.byteLength(path) > longestBytes) throw refuse(`it is longer than ${longestBytes} bytes`)
	const real = await realpath(path)
	if (real !== path) throw refuse(`it is a link; the socket is ${real}`)
	if (!(await lstat(path)).isSocket()) throw refuse('it is not a socket')
}
