import { once } from 'node:events'
import { type AddressInfo, connect as connectTo, createServer, type Socket } from 'node:net'
import type { Access } from '../api/console.ts'
import type { DriverContext, SampleContext } from '../api/driver.ts'
import type { HiddenColumns } from '../api/hidden-columns.ts'
import type { Connect, Listen } from '../api/network.ts'

/**
 * Returns a context for driver tests, with direct access to the network. The context does not reject what the host
 * would reject.
 */
export function directContext({
	scratchFolder = '',
	permitted = 'destructive',
	costLimitRows,
	hiddenColumns = [],
}: {
	readonly scratchFolder?: string
	/** What the test's calls are permitted to do. */
	readonly permitted?: Access
	/** If absent, no limit, as for the user. */
	readonly costLimitRows?: number
	/** What the test's calls must not show. */
	readonly hiddenColumns?: readonly HiddenColumns[]
} = {}): DriverContext & SampleContext {
	const limits = { permitted: () => permitted, costLimitRows: () => costLimitRows, hiddenColumns: () => hiddenColumns }
	return { scratchFolder, log() {}, connect, listen, ...limits, isReadOnly: false }
}

const connect: Connect = async (address, { signal, timeoutMs } = {}) => {
	signal?.throwIfAborted()
	const socket = connectTo({ ...address, ...(signal && { signal }) })
	const timer = timeoutMs && setTimeout(() => socket.destroy(timedOut()), timeoutMs)
	try {
		await once(socket, 'connect')
	} finally {
		clearTimeout(timer)
	}
	return socket
}

const listen: Listen = async (onConnection, { port = 0 } = {}) => {
	const bind = (wanted: number) =>
		new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
			const server = createServer(onConnection as (socket: Socket) => void)
			server.once('error', reject).listen(wanted, '127.0.0.1', () => resolve(server))
		})
	const server = await bind(port).catch(error => (port === 0 ? Promise.reject(error) : bind(0)))
	// A listening TCP server has a port.
	const { port: bound } = server.address() as AddressInfo
	return { port: bound, close: async () => void server.close() }
}

function timedOut(): Error {
	return Object.assign(new Error('The server did not answer in time.'), { code: 'ETIMEDOUT' })
}
