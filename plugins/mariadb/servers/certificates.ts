import { makeCertificate } from '../../search-engine/certificates/make-certificate.ts'
import { startServer, type TestServer } from './server.ts'

const local = { hosts: ['localhost'], addresses: ['127.0.0.1'] }

/** Starts servers with certificates that an authority signed, that none did, and for another name. */
export async function startTlsServers() {
	await using owned = new AsyncDisposableStack()
	const authority = await makeCertificate({ name: 'Authority of the tests', isAuthority: true })
	const start = async (tls: { readonly cert: string; readonly key: string }): Promise<TestServer> =>
		owned.use(await startServer({ tls: { ...tls, ca: authority.cert } }))
	const trusted = await start(await makeCertificate({ name: 'server', issuer: authority, ...local }))
	const unknown = await start(await makeCertificate({ name: 'alone', ...local }))
	const wrongName = await start(
		await makeCertificate({ name: 'elsewhere', issuer: authority, hosts: ['other.example'] }),
	)
	const kept = owned.move()
	const at = ({ settings }: TestServer) => ({ ...settings, sslMode: 'VERIFY_IDENTITY', caFile: authority.cert })
	return {
		authority: authority.cert,
		trusted: at(trusted),
		unknown: at(unknown),
		wrongName: at(wrongName),
		stop: () => kept.disposeAsync(),
	}
}
