import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TcpAddress } from '@roundhouse/kit'
import { Tunnels } from '../../host/network/ssh/tunnels.ts'
import { startServer } from '../../plugins/postgres/servers/server.ts'
import { freePort, isListening, passphrase, startSshServers } from '../support/ssh-servers.ts'
import { benchPostgres, schema } from './postgres.bench.ts'

/** The PostgreSQL driver through the host's SSH tunnel of two hops, beside `pg` and `psql` through `ssh -L` of the same. */
export async function bench(): Promise<void> {
	await using servers = await startSshServers()
	await using server = await startServer({ schema, settings: { shared_buffers: '256MB' } })
	await server.sql('vacuum analyze wide')
	const desk = { ask: async () => ({ decision: 'approved', text: passphrase }) as const }
	const tunnels = new Tunnels({ desk, extra: ['-F', servers.config] })
	const held = tunnels.hold({ destination: 'target' }, { id: 'c', name: 'Bench', driverId: 'postgres' })
	const through = {
		connect: async (address: object, { signal = new AbortController().signal } = {}) => {
			const socket = await held.dial(address as TcpAddress, signal)
			// The host passes it to the process of the driver, where it is not paused.
			return socket.on('newListener', event => void (event === 'data' && setImmediate(() => socket.resume())))
		},
	}
	// The host keys are known and the key is open from here on.
	await held
		.dial({ host: '127.0.0.1', port: server.port }, new AbortController().signal)
		.then(socket => socket.destroy())
	const port = await freePort()
	const forward = ['-N', '-F', servers.config, '-L', `${port}:127.0.0.1:${server.port}`, 'target']
	const peer = spawn('ssh', forward, { stdio: 'ignore', env: { ...process.env, ...servers.askpass } })
	try {
		while (!(await isListening(port))) if (peer.exitCode !== null) throw new Error(`ssh ended with ${peer.exitCode}.`)
		await benchPostgres(server, { port, through })
	} finally {
		peer.kill()
		if (peer.exitCode === null && peer.signalCode === null) await once(peer, 'exit')
		held.release()
		await tunnels.close()
	}
}
