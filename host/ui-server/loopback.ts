import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Another port is tried where the kernel's choice for one address is somebody else's on the other. */
const mostTries = 20
/** What a machine answers that has no such address; then nobody else has it either. */
const noSuchAddress: ReadonlySet<unknown> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])

/**
 * HTTP servers on both loopback addresses under one port. A browser may ask either of them for a name of this machine;
 * the one that we did not hold another program could, and be shown our cookie.
 * @throws Error `EADDRINUSE` where the port is not free on both
 */
export async function listenOnLoopback(port: number): Promise<{ readonly port: number; readonly servers: Server[] }> {
	for (let tries = 1; ; tries++) {
		const ipv4 = await listen('127.0.0.1', port)
		// A TCP server that listens has a port.
		const { port: taken } = ipv4.address() as AddressInfo
		try {
			return { port: taken, servers: [ipv4, await listen('::1', taken)] }
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException
			if (noSuchAddress.has(code)) return { port: taken, servers: [ipv4] }
			await new Promise(resolve => ipv4.close(resolve))
			if (code !== 'EADDRINUSE' || port !== 0 || tries === mostTries) throw error
		}
	}
}

function listen(host: string, port: number): Promise<Server> {
	return new Promise((resolve, reject) => {
		const server = createServer()
		server.once('error', reject)
		server.listen({ host, port, ipv6Only: true }, () => resolve(server.off('error', reject)))
	})
}
