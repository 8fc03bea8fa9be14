import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** A server on loopback, or on a Unix socket, that counts its connections. */
export async function temporaryServer(serve: (socket: Socket) => void = () => {}, path?: string) {
	const sockets = new Set<Socket>()
	let visits = 0
	const server = createServer(socket => {
		visits++
		sockets.add(socket)
		socket.on('error', () => {}).once('close', () => sockets.delete(socket))
		serve(socket)
	})
	if (path === undefined) server.listen(0, '127.0.0.1')
	else server.listen(path)
	await once(server, 'listening')
	const address = server.address()
	// Only a TCP server has a port.
	const port = typeof address === 'object' ? (address?.port ?? 0) : 0
	return {
		port,
		get visits() {
			return visits
		},
		async [Symbol.asyncDispose]() {
			for (const socket of sockets) socket.destroy()
			await new Promise(resolve => server.close(resolve))
		},
	}
}
