import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Another port is tried if another program has this one on the other address. */
const mostTries = 20
/** Codes of a machine without such an address, where no other program has it either. */
const noSuchAddress: ReadonlySet<unknown> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])

/** A listening port; requests are not answered before a server takes it. */
export interface LoopbackPort extends AsyncDisposable {
	readonly port: number
	readonly servers: readonly Server[]
}

/**
 * HTTP servers on both loopback addresses with one port. A browser may use either address for a name of this machine;
 * another program could take the one that we do not hold and receive our cookie.
 * @throws Error `EADDRINUSE` if the port is not free on both
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
