import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { raced } from '../../../base/on-abort.ts'

const longestMs = 5_000

/**
 * Returns the two ends of a connection within this process, paused. They are of TCP, because Windows passes no other
 * socket to a driver. The port is open for the moment in which they are made, and takes our own end alone.
 * @throws Error if another program has taken the port; the signal's reason
 */
export async function socketPair(signal: AbortSignal): Promise<readonly [near: Socket, far: Socket]> {
	const server = createServer({ pauseOnConnect: true, allowHalfOpen: true })
	const { promise, resolve, reject } = Promise.withResolvers<Socket>()
	promise.catch(() => {})
	try {
		server.listen(0, '127.0.0.1')
		await once(server, 'listening')
		const far = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
		far.once('error', reject)
		const connected = once(far, 'connect')
		server.on('connection', async guest => {
			guest.on('error', () => {})
			await connected.catch(() => {})
			if (guest.remotePort === far.localPort) resolve(guest)
			else guest.destroy()
		})
		try {
			const near = await raced(AbortSignal.any([signal, AbortSignal.timeout(longestMs)]), promise)
			far.off('error', reject)
			return [near, far]
		} catch (error) {
			far.on('error', () => {}).destroy()
			throw error
		}
	} finally {
		server.close()
	}
}
