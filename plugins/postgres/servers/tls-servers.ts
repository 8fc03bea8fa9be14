import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

interface Identity {
	/** PEM. */
	readonly cert: string
	readonly key: string
}

/** Starts a server with TLS in front of a PostgreSQL server, which itself needs none. */
export async function startTlsServer(
	{ cert, key }: Identity,
	target: { readonly host: string; readonly port: number },
) {
	const sockets = new Set<Socket>()
	const server = createServer(guest => {
		sockets.add(guest)
		guest.on('error', () => {})
		// The first eight bytes ask for TLS.
		guest.once('data', () => {
			guest.write('S')
			const secure = new TLSSocket(guest, { isServer: true, cert, key })
			const engine = connect(target)
			sockets.add(engine)
			engine.on('error', () => {}).on('close', () => secure.destroy())
			secure.on('error', () => {}).on('close', () => engine.destroy())
			secure.pipe(engine).pipe(secure)
		})
	})
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
	// A TCP server that listens has a port.
	const { port } = server.address() as AddressInfo
	return {
		port,
		stop: () => {
			for (const socket of sockets) socket.destroy()
			server.close()
		},
	}
}
