import { buildConnector } from 'undici'
import type { Connect } from '../api/network.ts'

const defaultTimeoutMs = 10_000

/**
 * Returns a `connect` hook for undici's clients, pools and agents that gets its sockets from the host: `new
 * Pool(origin, { connect: undiciConnect(context.connect, { ca }) })`. It uses the TLS options and `timeout`, in
 * milliseconds, which applies to the socket and to the handshake separately.
 */
export function undiciConnect(connect: Connect, options: buildConnector.BuildOptions = {}): buildConnector.connector {
	const timeoutMs = options.timeout ?? defaultTimeoutMs
	const secure = buildConnector({ ...options, timeout: timeoutMs })
	return (target, callback) => {
		const host = target.hostname.replace(/^\[|\]$/g, '')
		const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
		connect({ host, port }, { timeoutMs }).then(
			socket => {
				socket.setNoDelay(true).setKeepAlive(true, 60_000)
				if (target.protocol !== 'https:') return callback(null, socket)
				try {
					secure({ ...target, httpSocket: socket }, callback)
				} catch (error) {
					// A key or a certificate cannot be read.
					socket.destroy()
					callback(error instanceof Error ? error : new Error(String(error)), null)
				}
			},
			error => callback(error, null),
		)
	}
}
