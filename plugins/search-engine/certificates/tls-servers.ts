import { type AddressInfo, connect } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { makeCertificate } from './make-certificate.ts'

/** Servers with TLS in front of a server without, on loopback, for the conformance kit. */
export async function startTlsServers(target: { readonly host: string; readonly port: number }) {
	const local = { hosts: ['localhost'], addresses: ['127.0.0.1'] }
	const authority = await makeCertificate({ name: 'Authority of the conformance kit', isAuthority: true })
	const certificates = {
		trusted: await makeCertificate({ name: 'node', issuer: authority, ...local }),
		unknown: await makeCertificate({ name: 'alone', ...local }),
		wrongName: await makeCertificate({ name: 'elsewhere', issuer: authority, hosts: ['other.example'] }),
	}
	const sockets = new Set<TLSSocket>()
	const start = async ({ cert, key }: { readonly cert: string; readonly key: string }) => {
		const server = createServer({ cert, key }, guest => {
			const engine = connect(target)
			sockets.add(guest)
			guest.on('error', () => {}).on('close', () => engine.destroy())
			engine.on('error', () => {}).on('close', () => guest.destroy())
			guest.pipe(engine).pipe(guest)
		})
		await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
		return server
	}
	const servers = {
		trusted: await start(certificates.trusted),
		unknown: await start(certificates.unknown),
		wrongName: await start(certificates.wrongName),
	}
	// A TCP server that listens has a port.
	const addressOf = (name: keyof typeof servers) => `127.0.0.1:${(servers[name].address() as AddressInfo).port}`
	return {
		/** PEM. */
		authority: authority.cert,
		addressOf,
		stop: () => {
			for (const socket of sockets) socket.destroy()
			for (const server of Object.values(servers)) server.close()
		},
	}
}
