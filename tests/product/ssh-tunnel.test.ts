import { expect, test } from 'vitest'
import { Tunnels } from '../../host/network/ssh/tunnels.ts'
import { directContext } from '../../plugins/kit/testing/direct-context.ts'
import { connect } from '../../plugins/postgres/connect.ts'
import { startServer } from '../../plugins/postgres/servers/server.ts'
import { hasSshServer, passphrase, startSshServers } from '../support/ssh-servers.ts'

/** A driver behind two hops of SSH: it notices nothing, until the tunnel is killed in an open transaction. */

const call = () => ({ signal: new AbortController().signal, progress() {} })

test.skipIf(!hasSshServer)(
	'PostgreSQL behind two hops, and a tunnel that is killed in a transaction',
	{ timeout: 120_000 },
	async () => {
		await using servers = await startSshServers()
		await using server = await startServer()
		await server.sql('create table kept (id int primary key); insert into kept values (1)')
		const desk = { ask: async () => ({ decision: 'approved', text: passphrase }) as const }
		const tunnels = new Tunnels({ desk, extra: ['-F', servers.config], lingerMs: 0 })
		const held = tunnels.hold({ destination: 'target' }, { id: 'c', name: 'Shop', driverId: 'postgres' })
		const through = {
			...directContext(),
			connect: async (address: object, { signal = new AbortController().signal } = {}) => {
				if (!('host' in address)) throw new Error('Only host and port.')
				const socket = await held.dial(address as { host: string; port: number }, signal)
				// The host passes it to the process of the driver, where it is not paused.
				return socket.on('newListener', event => void (event === 'data' && setImmediate(() => socket.resume())))
			},
		}
		const connection = await connect(server.settings, through, call())
		const session = await connection.openSession(call())
		const run = async (text: string) => {
			const [statement] = await connection.console.analyse(text, call())
			if (!statement) throw new Error('no statement')
			return session.run({ text, ...statement }, { maxRows: 10 }, call())
		}
		await run('begin')
		await run('insert into kept values (2)')
		expect(session.transaction?.()).toBe('open')
		await servers.kill('jump')
		await expect(run('insert into kept values (3)')).rejects.toMatchObject({ code: 'not_connected' })
		expect(session.isOpen?.()).toBe(false)
		await servers.start('jump')
		// The next use opens the tunnel again. Of the transaction, nothing was stored.
		await expect
			.poll(() => connection.countRows({ table: 'public.kept', filters: [], match: 'all' }, call()), {
				timeout: 30_000,
			})
			.toMatchObject({ value: 1 })
		await connection.close()
		await tunnels.close()
	},
)
