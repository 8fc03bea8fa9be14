import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A TCP server on loopback that counts its connections. */
export async function temporaryServer(serve: (socket: Socket) => void = () => {}) {
	const sockets = new Set<Socket>()
	let visits = 0
	const server = createServer(socket => {
		visits++
		sockets.add(socket)
		socket.on('error', () => {}).once('close', () => sockets.delete(socket))
		serve(socket)
	}).listen(0, '127.0.0.1')
	await once(server, 'listening')
	// A TCP server that listens has a port.
	const { port } = server.address() as AddressInfo
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
