import { expect, test } from 'vitest'
import { testManifest } from '../../tests/support/manifest.ts'
import { unattendedTunnels } from '../../tests/support/network-access.ts'
import { noSecrets } from '../../tests/support/no-secrets.ts'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { temporaryServer } from '../../tests/support/temporary-server.ts'
import type { ProxySetting } from '../network/proxy.ts'
import { type AddressQuestion, NetworkAccess } from './network-access.ts'
import { SavedConnections } from './saved-connections.ts'

const manifest = testManifest('wanderer', {
	displayName: 'Wanderer',
	permissions: { network: 'connections' },
	form: [{ key: 'server', label: 'Server', type: 'text', addresses: { defaultPort: 1 } }],
})
const { signal } = new AbortController()

/** Saved connections in a temporary folder, and a fake user with a preset answer. */
async function fixture() {
	const support = await temporarySupport()
	const asked: AddressQuestion[] = []
	const noted: string[] = []
	const says = {
		decision: 'unattended' as 'approved' | 'refused' | 'unattended',
		proxy: { mode: 'direct' } as ProxySetting,
	}
	const open = async () => {
		const saved = await SavedConnections.open(support.file('connections.json'), noSecrets)
		const reaches = new NetworkAccess({
			saved,
			desk: {
				ask: async question => {
					asked.push(question)
					return { decision: says.decision }
				},
			},
			ownPorts: () => [],
			supportPath: support.path,
			proxy: () => says.proxy,
			tunnels: unattendedTunnels(),
			note: ({ name }, address, isReached) => void noted.push(`${name} ${address} ${isReached}`),
		})
		/** Dials a port for a connection. Returns `reached` or the error code. */
		const reach = async (
			connection: Parameters<NetworkAccess['network']>[0]['connection'],
			port: number,
			samplePorts: number[] = [],
			host = '127.0.0.1',
		) => {
			const settings = connection.id === undefined ? {} : saved.get(connection.id).settings
			const dialer = reaches.network({ connection, manifest, settings, samplePorts })
			return dialer.dial({ host, port }, { signal }).then(
				socket => {
					socket.destroy()
					return 'reached'
				},
				error => error.code,
			)
		}
		return { saved, reach }
	}
	const add = async (server: string) =>
		(await open()).saved.add({ name: 'Mine', driverId: 'wanderer', settings: { server } }, manifest)
	return { asked, noted, says, open, add, [Symbol.asyncDispose]: () => support[Symbol.asyncDispose]() }
}

test('an answer is stored with its connection, also over a restart, until the user revokes it', async () => {
	await using named = await temporaryServer()
	await using other = await temporaryServer()
	await using world = await fixture()
	const mine = await world.add(`127.0.0.1:${named.port}`)
	const first = await world.open()
	expect(await first.reach(mine, named.port)).toBe('reached')
	expect(await first.reach(mine, other.port)).toBe('network/nobody_to_ask')
	expect(first.saved.get(mine.id).reach).toEqual([])
	world.says.decision = 'refused'
	expect(await first.reach(mine, other.port)).toBe('network/not_allowed')
	world.says.decision = 'approved'
	const second = await world.open()
	expect(await second.reach(second.saved.get(mine.id), other.port)).toBe('network/not_allowed')
	expect(world.asked).toHaveLength(2)

	await second.saved.update(mine.id, { reach: [] }, manifest)
	expect(await second.reach(mine, other.port)).toBe('reached')
	world.says.decision = 'unattended'
	const third = await world.open()
	expect(await third.reach(mine, other.port)).toBe('reached')
	expect(third.saved.get(mine.id).reach).toEqual([{ host: '127.0.0.1', port: other.port, isAllowed: true }])
	expect(world.asked.map(({ driver, connection }) => [driver, connection.name])).toEqual(
		Array(3).fill(['Wanderer', 'Mine']),
	)
	expect(new Set(world.noted)).toEqual(
		new Set([
			`Mine 127.0.0.1:${named.port} true`,
			`Mine 127.0.0.1:${other.port} true`,
			`Mine 127.0.0.1:${other.port} false`,
		]),
	)
})

test('an approval for one connection does not apply to another connection or driver', async () => {
	await using other = await temporaryServer()
	await using world = await fixture()
	const [one, two] = [await world.add('a'), await world.add('b')]
	const { saved, reach } = await world.open()
	world.says.decision = 'approved'
	expect(await reach(one, other.port)).toBe('reached')
	world.says.decision = 'unattended'
	expect(await reach(two, other.port)).toBe('network/nobody_to_ask')
	// An approval given during a connection test applies to the connection that is saved with that name.
	world.says.decision = 'approved'
	const tried = { name: 'New', driverId: 'wanderer', isSample: false }
	const three = await saved.add({ name: 'New', driverId: 'wanderer', settings: {} }, manifest)
	expect(await reach(tried, other.port)).toBe('reached')
	world.says.decision = 'unattended'
	expect(await reach(two, other.port)).toBe('network/nobody_to_ask')
	expect(await reach(three, other.port)).toBe('reached')
	expect(await reach({ ...tried, driverId: 'another' }, other.port)).toBe('network/nobody_to_ask')
	// It applies to that connection only, which now stores it, so that the user can revoke it there.
	const four = await saved.add({ name: 'New', driverId: 'wanderer', settings: {} }, manifest)
	expect(await reach(four, other.port)).toBe('network/nobody_to_ask')
	await saved.update(three.id, { reach: [] }, manifest)
	expect(await reach(three, other.port)).toBe('network/nobody_to_ask')
})

test('a connection to a sample reaches only the sample, whatever its settings name', async () => {
	await using sample = await temporaryServer()
	await using other = await temporaryServer()
	await using world = await fixture()
	const { saved, reach } = await world.open()
	const settings = { server: `127.0.0.1:${other.port}` }
	const mine = await saved.add({ name: 'Sample', driverId: 'wanderer', settings, isSample: true }, manifest)
	expect(await reach(mine, sample.port, [sample.port])).toBe('reached')
	expect(await reach(mine, other.port, [sample.port])).toBe('network/nobody_to_ask')
})

test('a connection uses its own proxy, or else the common one', async () => {
	await using world = await fixture()
	const { id } = await world.add('far.example:1')
	const { saved, reach } = await world.open()
	const dial = () => reach(saved.get(id), 1, [], 'far.example')
	// No process listens on port 1, so the proxy is the first connection that fails.
	world.says.proxy = { mode: 'manual', url: 'http://127.0.0.1:1', except: '' }
	expect(await dial()).toBe('network/proxy_refused')
	await saved.update(id, { proxy: { mode: 'direct' } }, manifest)
	expect(await dial()).toMatch(/^E(NOTFOUND|AI_AGAIN)$/)
	await saved.update(id, { name: 'Renamed' }, manifest)
	expect(saved.get(id).proxy).toEqual({ mode: 'direct' })
	await saved.update(id, { proxy: null }, manifest)
	expect(await dial()).toBe('network/proxy_refused')
})
