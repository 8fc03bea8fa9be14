import { describe, expect, test } from 'vitest'
import { NetworkAccess } from '../../host/connections/network-access.ts'
import { SavedConnections } from '../../host/connections/saved-connections.ts'
import { Sessions } from '../../host/connections/sessions.ts'
import { Tunnels } from '../../host/network/ssh/tunnels.ts'
import { directContext } from '../../plugins/kit/testing/direct-context.ts'
import { connect as connectMariadb } from '../../plugins/mariadb/connect.ts'
import { hasServer as hasMariadb, startServer as startMariadb } from '../../plugins/mariadb/servers/server.ts'
import { connect as connectPostgres } from '../../plugins/postgres/connect.ts'
import { startServer as startPostgres } from '../../plugins/postgres/servers/server.ts'
import { driverFromSource } from '../support/driver-from-source.ts'
import { testManifest } from '../support/manifest.ts'
import { unattended } from '../support/network-access.ts'
import { noSecrets } from '../support/no-secrets.ts'
import { hasSshServer, passphrase, startSshServers } from '../support/ssh-servers.ts'
import { temporarySupport } from '../support/support-directory.ts'
import { temporaryServer } from '../support/temporary-server.ts'

/**
 * A driver behind two hops of SSH: it notices nothing, until the tunnel is killed in an open transaction. A test of a
 * connection says each step.
 */

const call = () => ({ signal: new AbortController().signal, progress() {} })

const ways = ['sockets', 'pipes'] as const

const schema = 'create table kept (id int primary key); insert into kept values (1)'

const engines = {
	PostgreSQL: {
		hasServer: true,
		start: () => startPostgres({ schema }),
		connect: connectPostgres,
		table: 'public.kept',
	},
	MariaDB: {
		hasServer: hasMariadb,
		start: () => startMariadb({ schema }),
		connect: connectMariadb,
		table: 'shop.kept',
	},
} as const

describe.skipIf(!hasSshServer).each(Object.entries(engines))('%s', (_, { hasServer, start, connect, table }) => {
	test.skipIf(!hasServer).each(ways)(
		'behind two hops by %s, and a tunnel that is killed in a transaction',
		async forwards => {
			await using servers = await startSshServers()
			await using server = await start()
			const desk = { ask: async () => ({ decision: 'approved', text: passphrase }) as const }
			const tunnels = new Tunnels({ forwards, desk, extra: ['-F', servers.config], lingerMs: 0 })
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
				.poll(() => connection.countRows({ table: table, filters: [], match: 'all' }, call()), {
					timeout: 30_000,
				})
				.toMatchObject({ value: 1 })
			await connection.close()
			await tunnels.close()
		},
	)
})

test.skipIf(!hasSshServer).each(ways)(
	'a test of a connection by %s says each step, and the person reads what ssh said of the one that failed',
	async forwards => {
		await using servers = await startSshServers()
		await using support = await temporarySupport()
		await using server = await temporaryServer(socket => socket.end('hello'))
		await using driver = await driverFromSource('return []', {
			opening: `
				const socket = await context.connect({ host: '127.0.0.1', port: Number(settings.port) })
				for await (const _ of socket) {}`,
		})
		const manifest = testManifest('test', {
			permissions: { network: 'connections' },
			takesSsh: true,
			form: [
				{
					key: 'host',
					label: 'Host',
					type: 'text',
					section: '',
					required: true,
					addresses: { defaultPort: 1, portField: 'port' },
				},
				{ key: 'port', label: 'Port', type: 'number', section: '', required: true },
			],
		})
		let isYes = true
		const told: string[] = []
		const tunnels = new Tunnels({
			desk: {
				ask: async ({ form, text }) => {
					if (form === 'fault') told.push(text)
					return isYes
						? { decision: 'approved', ...(form === 'secret' && { text: passphrase }) }
						: { decision: 'refused' }
				},
			},
			extra: ['-F', servers.config],
			lingerMs: 0,
			forwards,
		})
		const saved = await SavedConnections.open(support.file('connections.json'), noSecrets)
		const sessions = new Sessions({
			saved,
			drivers: {
				installed: () => [manifest],
				ensure: async () => manifest,
				process: async () => driver,
				lease: () => async () => {},
				sample: () => Promise.reject(new Error('There is none.')),
			},
			...unattended(saved),
			reaches: new NetworkAccess({
				saved,
				desk: { ask: async () => ({ decision: 'unattended' }) },
				ownPorts: () => [],
				supportPath: support.path,
				proxy: () => ({ mode: 'direct' }),
				tunnels,
				note() {},
			}),
		})
		const trial = async (port: number) => {
			const steps: string[] = []
			const connection = {
				name: 'Shop',
				driverId: 'test',
				isSample: false,
				secretSources: {},
				ssh: { destination: 'target' },
			}
			const options = { onProgress: ({ message = '' }) => void steps.push(message.split(' ', 1)[0] ?? '') }
			const outcome = await sessions.test(connection, { host: '127.0.0.1', port }, options).catch(error => error)
			return { steps, outcome }
		}
		isYes = false
		const refused = await trial(server.port)
		expect(refused.outcome.message).toMatch(/^SSH to target could not verify the host key: .*failed/)
		expect(refused.steps).toEqual(['Found', 'Connected'])
		isYes = true
		const hop = ['Connected', 'Host', 'Signed']
		const way = ['Found', ...hop, ...hop]
		const fine = await trial(server.port)
		expect(fine).toMatchObject({ outcome: { product: 'Test' }, steps: [...way, 'Reached'] })
		const closed = await trial(1)
		expect(closed.outcome.message).toMatch(/^SSH to target could not reach 127\.0\.0\.1:1: connect failed/)
		expect(closed.steps).toEqual(way)
		expect(told).toEqual([])
		await tunnels.close()
	},
)
