import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Another port is tried where the kernel's choice for one address is somebody else's on the other. */
const mostTries = 20
/** What a machine answers that has no such address; then nobody else has it either. */
const noSuchAddress: ReadonlySet<unknown> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])

/** A port that listens; nobody is answered before a server takes the requests. */
export interface LoopbackPort extends AsyncDisposable {
	readonly port: number
	readonly servers: readonly Server[]
}

/**
 * HTTP servers on both loopback addresses under one port. A browser may ask either of them for a name of this machine;
 * the one that we did not hold another program could, and be shown our cookie.
 * @throws Error `EADDRINUSE` where the port is not free on both
 */
export async function listenOnLoopback(port: number): Promise<LoopbackPort> {
	for (let tries = 1; ; tries++) {
		const ipv4 = await listen('127.0.0.1', port)
		// A TCP server that listens has a port.
		const { port: taken } = ipv4.address() as AddressInfo
		try {
			return portOf(taken, [ipv4, await listen('::1', taken)])
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException
			if (noSuchAddress.has(code)) return portOf(taken, [ipv4])
			await new Promise(resolve => ipv4.close(resolve))
			if (code !== 'EADDRINUSE' || port !== 0 || tries === mostTries) throw error
		}
	}
}

function portOf(port: number, servers: readonly Server[]): LoopbackPort {
	const close = async () => {
		const closed = servers.map(server => new Promise(resolve => server.close(resolve)))
		for (const server of servers) server.closeAllConnections()
		await Promise.all(closed)
	}
	return { port, servers, [Symbol.asyncDispose]: close }
}

async function listen(host: string, port: number): Promise<Server> {
	const server = createServer()
	await once(server.listen({ host, port, ipv6Only: true }), 'listening')
	return server
}
