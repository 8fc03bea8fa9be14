import { expect, test } from 'vitest'
import { driverFromSource } from '../../tests/support/driver-from-source.ts'
import { testManifest } from '../../tests/support/manifest.ts'
import { unattended } from '../../tests/support/network-access.ts'
import { noSecrets } from '../../tests/support/no-secrets.ts'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { SavedConnections } from './saved-connections.ts'
import { type DriverHost, Sessions } from './sessions.ts'

const manifest = testManifest('down')

/** One driver, whose process starts as told. */
const driversOf = (process: DriverHost['process']): DriverHost => ({
	installed: () => [],
	ensure: async () => manifest,
	process,
	lease: () => async () => {},
	sample: async () => ({ settings: {}, url: '', ports: [], ended: new Promise(() => {}) }),
})

test('a failed connection is retried with exponential backoff, and at once on request of the user', async () => {
	await using support = await temporarySupport()
	let attempts = 0
	let now = 0
	const drivers = driversOf(async () => {
		attempts++
		throw new Error(`attempt ${attempts}`)
	})
	const saved = await SavedConnections.open(support.file('connections.json'), noSecrets)
	const { id } = await saved.add({ name: 'x', driverId: 'down', settings: {} }, manifest)
	const sessions = new Sessions({ saved, drivers, ...unattended(saved), now: () => now })
	const open = (skipsBackoff = false) => sessions.open(id, { skipsBackoff }).catch(error => (error as Error).message)

	expect(await open()).toBe('attempt 1')
	expect(sessions.state(id)).toEqual({ status: 'failed', message: 'attempt 1' })
	now = 999
	expect(await open()).toBe('attempt 1')
	now = 1_000
	expect(await open()).toBe('attempt 2')
	now = 2_999
	expect(await open()).toBe('attempt 2')
	expect(await open(true)).toBe('attempt 3')
	now = 1_000_000
	expect(await open()).toBe('attempt 4')
	await sessions.close(id)
	expect(await open()).toBe('attempt 5')
})

test('a caller that aborts stops waiting, and the attempt goes on for the others', async () => {
	await using support = await temporarySupport()
	await using driver = await driverFromSource('return []')
	const { promise: started, resolve: start } = Promise.withResolvers<void>()
	const drivers = driversOf(async () => {
		await started
		return driver
	})
	const saved = await SavedConnections.open(support.file('connections.json'), noSecrets)
	const { id } = await saved.add({ name: 'Slow', driverId: 'down', settings: {} }, manifest)
	const sessions = new Sessions({ saved, drivers, ...unattended(saved) })
	const [first, second] = [new AbortController(), new AbortController()]
	const aborted = [first, second].map(({ signal }) => sessions.open(id, { signal }))
	const other = sessions.open(id)
	first.abort(new Error('first'))
	second.abort(new Error('second'))
	await expect(aborted[0]).rejects.toThrow('first')
	await expect(aborted[1]).rejects.toThrow('second')
	expect(sessions.state(id)).toEqual({ status: 'connecting' })
	start()
	expect((await other).isAlive).toBe(true)
	expect(await sessions.open(id, { signal: first.signal })).toBe(await other)
})

test('callers that find the driver lost at the same time share one new session', async () => {
	await using support = await temporarySupport()
	await using first = await driverFromSource('return new Promise(() => {})')
	await using second = await driverFromSource('return []')
	const processes = [first, second]
	const drivers = driversOf(async () => {
		const [next] = processes.splice(0, 1)
		if (!next) throw new Error('connected once more than was needed')
		return next
	})
	const saved = await SavedConnections.open(support.file('connections.json'), noSecrets)
	const { id } = await saved.add({ name: 'Lost', driverId: 'down', settings: {} }, manifest)
	const sessions = new Sessions({ saved, drivers, ...unattended(saved) })
	const lost = await sessions.open(id)
	const waiting = lost.call('listTables', {})
	process.kill(first.pid ?? 0, 'SIGKILL')
	// The call fails before the sessions notice the loss, so the open session is still the lost one.
	await expect(waiting).rejects.toThrow('was lost')
	const [one, other] = await Promise.all([sessions.open(id), sessions.open(id)])
	expect(one).toBe(other)
	expect(one).not.toBe(lost)
})

test('an engine that stops answering is reported until it answers again; answers from the driver’s memory do not count', async () => {
	await using support = await temporarySupport()
	await using driver = await driverFromSource(
		"if (isDown) throw Object.assign(new Error('Connection failed: refused'), { name: 'DriverError', code: 'not_connected' }); return []",
		{
			top: 'let isDown = false',
			members: "console: { analyse: async text => { isDown = text === 'down'; return [] } },",
		},
	)
	const drivers = driversOf(async () => driver)
	const saved = await SavedConnections.open(support.file('connections.json'), noSecrets)
	const { id } = await saved.add({ name: 'Far', driverId: 'down', settings: {} }, manifest)
	const sessions = new Sessions({ saved, drivers, ...unattended(saved) })
	const session = await sessions.open(id)
	const trouble = () => {
		const state = sessions.state(id)
		return state.status === 'connected' ? state.trouble : state.status
	}
	await session.call('listTables', {})
	expect(trouble()).toBeUndefined()
	await session.call('analyse', { text: 'down' })
	await expect(session.call('listTables', {})).rejects.toThrow('refused')
	expect(trouble()).toBe('Connection failed: refused')
	await session.call('analyse', { text: 'up' })
	expect(trouble()).toBe('Connection failed: refused')
	await session.call('listTables', {})
	expect(trouble()).toBeUndefined()
})
