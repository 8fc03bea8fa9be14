import { expect, test } from 'vitest'
import { testManifest } from '../../tests/support/manifest.ts'
import { noSecrets } from '../../tests/support/no-secrets.ts'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { temporaryServer } from '../../tests/support/temporary-server.ts'
import type { ProxySetting } from '../network/proxy.ts'
import { Reaches, type ReachQuestion } from './reaches.ts'
import { SavedConnections } from './saved-connections.ts'

const manifest = testManifest('wanderer', {
	displayName: 'Wanderer',
	permissions: { network: 'connections' },
	form: [{ key: 'server', label: 'Server', type: 'text', addresses: { defaultPort: 1 } }],
})
const { signal } = new AbortController()

/** Saved connections in a folder of their own, and a person who answers as told. */
async function fixture() {
	const support = await temporarySupport()
	const asked: ReachQuestion[] = []
	const noted: string[] = []
	const says = { decision: 'nobody' as 'approved' | 'refused' | 'nobody', proxy: { mode: 'direct' } as ProxySetting }
	const open = async () => {
		const saved = await SavedConnections.open(support.file('connections.json'), noSecrets)
		const reaches = new Reaches({
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
			note: ({ name }, address, isReached) => void noted.push(`${name} ${address} ${isReached}`),
		})
		/** What is said of reaching this port for a connection. */
		const reach = async (
			connection: Parameters<Reaches['network']>[0],
			port: number,
			samplePorts: number[] = [],
			host = '127.0.0.1',
		) => {
			const settings = connection.id === undefined ? {} : saved.get(connection.id).settings
			const reaching = reaches.network(connection, manifest, settings, samplePorts)
			return reaching.dial({ host, port }, { signal }).then(
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

test('an answer is kept with its connection, across a restart, until it is taken back', async () => {
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
	world.says.decision = 'nobody'
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

test('a yes for one connection is none for another, nor for a driver of another name', async () => {
	await using other = await temporaryServer()
	await using world = await fixture()
	const [one, two] = [await world.add('a'), await world.add('b')]
	const { saved, reach } = await world.open()
	world.says.decision = 'approved'
	expect(await reach(one, other.port)).toBe('reached')
	world.says.decision = 'nobody'
	expect(await reach(two, other.port)).toBe('network/nobody_to_ask')
	// One that is only tried keeps its yes for the one that is saved by its name.
	world.says.decision = 'approved'
	const tried = { name: 'New', driverId: 'wanderer', isSample: false }
	const three = await saved.add({ name: 'New', driverId: 'wanderer', settings: {} }, manifest)
	expect(await reach(tried, other.port)).toBe('reached')
	world.says.decision = 'nobody'
	expect(await reach(two, other.port)).toBe('network/nobody_to_ask')
	expect(await reach(three, other.port)).toBe('reached')
	expect(await reach({ ...tried, driverId: 'another' }, other.port)).toBe('network/nobody_to_ask')
	// And for that one alone, which has it in its own list now: there it can be taken back.
	const four = await saved.add({ name: 'New', driverId: 'wanderer', settings: {} }, manifest)
	expect(await reach(four, other.port)).toBe('network/nobody_to_ask')
	await saved.update(three.id, { reach: [] }, manifest)
	expect(await reach(three, other.port)).toBe('network/nobody_to_ask')
})

test('a sample’s connection reaches the sample alone, whatever its driver says of it', async () => {
	await using sample = await temporaryServer()
	await using other = await temporaryServer()
	await using world = await fixture()
	const { saved, reach } = await world.open()
	const settings = { server: `127.0.0.1:${other.port}` }
	const mine = await saved.add({ name: 'Sample', driverId: 'wanderer', settings, isSample: true }, manifest)
	expect(await reach(mine, sample.port, [sample.port])).toBe('reached')
	expect(await reach(mine, other.port, [sample.port])).toBe('network/nobody_to_ask')
})

test('a connection has the proxy of all, or its own', async () => {
	await using world = await fixture()
	const { id } = await world.add('far.example:1')
	const { saved, reach } = await world.open()
	const dial = () => reach(saved.get(id), 1, [], 'far.example')
	// A port where nobody listens: the proxy is the first that is missed.
	world.says.proxy = { mode: 'manual', url: 'http://127.0.0.1:1', except: '' }
	expect(await dial()).toBe('network/proxy_refused')
	await saved.update(id, { proxy: { mode: 'direct' } }, manifest)
	expect(await dial()).toMatch(/^E(NOTFOUND|AI_AGAIN)$/)
	await saved.update(id, { name: 'Renamed' }, manifest)
	expect(saved.get(id).proxy).toEqual({ mode: 'direct' })
	await saved.update(id, { proxy: null }, manifest)
	expect(await dial()).toBe('network/proxy_refused')
})
