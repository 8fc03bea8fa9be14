import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { driverFromSource } from '../../tests/support/driver-from-source.ts'
import { testManifest } from '../../tests/support/manifest.ts'
import { unattendedReaches } from '../../tests/support/reaches.ts'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import type { SupportDirectory } from '../base/support-directory.ts'
import { SavedConnections } from '../connections/saved-connections.ts'
import { openSecretStore } from '../connections/secrets.ts'
import { type DriverHost, Sessions } from '../connections/sessions.ts'
import type { DriverProcess } from '../driver-runtime/driver-process.ts'
import { Grids } from './grids.ts'

const manifest = testManifest('test')
const query = { table: 'books', filters: [], match: 'all', sort: [] } as const

/** Its one table is named after how many of its grids are open. */
const countingDriver = () =>
	driverFromSource("return [{ name: open + ' open' }]", {
		top: 'let open = 0',
		members: `openGrid: async () => {
			open++
			await new Promise(resolve => setTimeout(resolve, 200))
			return { page: async () => new TextEncoder().encode('{}'), close: async () => void open-- }
		},`,
	})

/** Sessions of one saved connection, whose driver is the first of these that lives. */
async function sessionsOn(support: SupportDirectory, drivers: readonly DriverProcess[]) {
	const saved = await SavedConnections.open(support.file('connections.json'), await openSecretStore(support.file))
	const { id } = await saved.add({ name: 'Counted', driverId: 'test', settings: {} }, manifest)
	const host: DriverHost = {
		ensure: async () => manifest,
		process: async () => {
			const alive = drivers.find(driver => driver.isAlive)
			if (!alive) throw new Error('no driver lives')
			return alive
		},
		endGranted: async () => {},
		sample: async () => ({ settings: {}, url: '', ports: [], ended: new Promise(() => {}) }),
	}
	const sessions = new Sessions(saved, host, unattendedReaches(saved))
	return { id, sessions, count: async () => (await (await sessions.open(id)).call('listTables', {}))[0]?.name }
}

test('pages that find the driver lost at the same time open the grid anew once, and closing it leaves none', async () => {
	await using support = await temporarySupport()
	await using first = await countingDriver()
	await using second = await countingDriver()
	const { id, sessions, count } = await sessionsOn(support, [first, second])
	const grids = new Grids(sessions)
	const grid = await grids.open(id, query, {})
	process.kill(first.pid ?? 0, 'SIGKILL')
	await first.exited

	await Promise.all([0, 100, 200].map(offset => grids.page(grid, { offset, limit: 100 }, {})))
	expect(await count()).toBe('1 open')
	await grids.close(grid)
	expect(await count()).toBe('0 open')
})

test('the first page is asked for with the grid, and once; another one as it comes', async () => {
	await using support = await temporarySupport()
	await using driver = await driverFromSource("return [{ name: asked.join(' ') }]", {
		top: 'const asked = []',
		members: `openGrid: async () => ({
			page: async ({ offset }) => {
				asked.push(offset)
				return new TextEncoder().encode('{}')
			},
			close: async () => {},
		}),`,
	})
	const { id, sessions, count } = await sessionsOn(support, [driver])
	const grids = new Grids(sessions)
	const grid = await grids.open(id, { ...query, firstPage: 100 }, {})
	expect(await count()).toBe('0')
	await grids.page(grid, { offset: 0, limit: 100 }, {})
	expect(await count()).toBe('0')
	await grids.page(grid, { offset: 0, limit: 100 }, {})
	await grids.page(grid, { offset: 100, limit: 100 }, {})
	expect(await count()).toBe('0 0 100')
	await grids.close(grid)
})

test('a grid whose caller goes while it opens is closed again', async () => {
	await using support = await temporarySupport()
	await using driver = await countingDriver()
	const { id, sessions, count } = await sessionsOn(support, [driver])
	expect(await count()).toBe('0 open')
	const abort = new AbortController()
	const opening = new Grids(sessions).open(id, query, { signal: abort.signal })
	// The driver is at it, and does not look at the signal.
	await sleep(50)
	abort.abort()
	await expect(opening).rejects.toThrow()
	await expect.poll(count).toBe('0 open')
})
