import { makeCertificate } from '../../search-engine/certificates/make-certificate.ts'
import { startTlsServer } from './tls-servers.ts'

const local = { hosts: ['localhost'], addresses: ['127.0.0.1'] }

/** Makes an authority, and certificates that it signed or did not. */
export async function makeCertificates() {
	const authority = await makeCertificate({ name: 'Authority of the tests', isAuthority: true })
	return {
		authority,
		trusted: await makeCertificate({ name: 'server', issuer: authority, ...local }),
		unknown: await makeCertificate({ name: 'alone', ...local }),
		wrongName: await makeCertificate({ name: 'elsewhere', issuer: authority, hosts: ['other.example'] }),
		client: await makeCertificate({ name: 'certain', issuer: authority }),
	}
}

/** Starts servers with TLS in front of a server without, for the conformance kit. */
export async function startTlsServers(target: { readonly host: string; readonly port: number }) {
	const { authority, trusted, unknown, wrongName } = await makeCertificates()
	const servers = {
		trusted: await startTlsServer(trusted, target),
		unknown: await startTlsServer(unknown, target),
		wrongName: await startTlsServer(wrongName, target),
	}
	return {
		/** PEM. */
		authority: authority.cert,
		ports: { trusted: servers.trusted.port, unknown: servers.unknown.port, wrongName: servers.wrongName.port },
		stop: () => {
			for (const { stop } of Object.values(servers)) stop()
		},
	}
}
