import { setTimeout as sleep } from 'node:timers/promises'
import { decode } from '@roundhouse/kit/encoded'
import { expect, test } from 'vitest'
import type { SupportDirectory } from '../../base/support-directory.ts'
import { driverFromSource } from '../../tests/support/driver-from-source.ts'
import { testManifest } from '../../tests/support/manifest.ts'
import { unattended } from '../../tests/support/network-access.ts'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { SavedConnections } from '../connections/saved-connections.ts'
import { openSecretStore } from '../connections/secrets.ts'
import { type DriverHost, Sessions } from '../connections/sessions.ts'
import type { DriverProcess } from '../driver-runtime/driver-process.ts'
import { Grids } from './grids.ts'

const manifest = testManifest('test')
const query = { table: 'books', filters: [], match: 'all', sort: [] } as const

/** A driver that reports its number of open grids as the name of its only table. */
const countingDriver = () =>
	driverFromSource("return [{ name: open + ' open' }]", {
		top: 'let open = 0',
		members: `openGrid: async () => {
			open++
			await new Promise(resolve => setTimeout(resolve, 200))
			return { page: async () => new TextEncoder().encode('{}'), close: async () => void open-- }
		},`,
	})

/** Creates sessions with one saved connection. They use the first of these drivers whose process is alive. */
async function sessionsOn(support: SupportDirectory, drivers: readonly DriverProcess[]) {
	const saved = await SavedConnections.open(support.file('connections.json'), await openSecretStore(support.file))
	const { id } = await saved.add({ name: 'Counted', driverId: 'test', settings: {} }, manifest)
	const host: DriverHost = {
		installed: () => [],
		ensure: async () => manifest,
		process: async () => {
			const alive = drivers.find(driver => driver.isAlive)
			if (!alive) throw new Error('no driver process is alive')
			return alive
		},
		lease: () => async () => {},
		sample: async () => ({ settings: {}, url: '', ports: [], ended: new Promise(() => {}) }),
	}
	const sessions = new Sessions({ saved, drivers: host, ...unattended(saved) })
	return { id, sessions, count: async () => (await (await sessions.open(id)).call('listTables', {}))[0]?.name }
}

test('concurrent page requests after a driver crash reopen the grid only once, and closing the grid leaves none open', async () => {
	await using support = await temporarySupport()
	await using first = await countingDriver()
	await using second = await countingDriver()
	const { id, sessions, count } = await sessionsOn(support, [first, second])
	const grids = new Grids(sessions)
	await grids.open(1, { connection: id, query, offset: 0, limit: 100 }, {})
	process.kill(first.pid ?? 0, 'SIGKILL')
	await first.exited

	await Promise.all([0, 100, 200].map(offset => grids.page(1, { offset, limit: 100 }, {})))
	expect(await count()).toBe('1 open')
	await grids.close(1)
	expect(await count()).toBe('0 open')
})

test('words about a wrong page of a grid name its driver and say that nothing was changed', async () => {
	await using support = await temporarySupport()
	await using driver = await countingDriver()
	const { id, sessions } = await sessionsOn(support, [driver])
	const grids = new Grids(sessions)
	await grids.open(1, { connection: id, query, offset: 0, limit: 100 }, {})
	const { message } = (await grids.sessionOf(1)).wrongAnswer('gridPage', 'gridPage.rows: it is missing')
	expect(message).toMatch(/^The driver \S+ answered incorrectly\. Nothing was changed\..*gridPage\.rows: it is missing/)
	await expect(grids.sessionOf(2)).rejects.toMatchObject({ code: 'api/grid_closed' })
	await grids.close(1)
})

test('a grid opens with its first rows, in one call; other pages are requested on demand', async () => {
	await using support = await temporarySupport()
	await using driver = await driverFromSource("return [{ name: asked.join(' ') }]", {
		top: 'const asked = []',
		members: `openGrid: async ({ firstPage }) => ({
			page: async ({ offset, limit }) => {
				asked.push(offset + '+' + limit + (firstPage ? ' of ' + firstPage : ''))
				return new TextEncoder().encode(JSON.stringify(asked))
			},
			close: async () => void asked.push('closed'),
		}),`,
	})
	const { id, sessions, count } = await sessionsOn(support, [driver])
	const grids = new Grids(sessions)
	const opening = { connection: id, query, offset: 0, limit: 50 }
	const first = grids.open(7, opening, {})
	// Pages may be requested, and the grid closed, before it is open.
	const second = grids.page(7, { offset: 100, limit: 100 }, {})
	await expect(grids.open(7, opening, {})).rejects.toMatchObject({ code: 'api/grid_open' })
	expect(decode(await first)).toEqual(['0+50 of 50'])
	expect(decode(await second)).toEqual(['0+50 of 50', '100+100 of 50'])
	await grids.close(7)
	await expect(grids.page(7, { offset: 0, limit: 1 }, {})).rejects.toMatchObject({ code: 'api/grid_closed' })
	expect(await count()).toMatch(/closed$/)
	const late = grids.open(8, { ...opening, offset: 40 }, {})
	await grids.close(8)
	expect(decode(await late)).toContain('40+50')
	await expect.poll(count).toMatch(/40\+50 closed$/)
})

test('a grid whose first rows cannot be read is closed, and its number is free', async () => {
	await using support = await temporarySupport()
	await using driver = await driverFromSource("return [{ name: log.join(' ') }]", {
		top: 'const log = []',
		members: `openGrid: async () => ({
			page: async () => { throw new Error('no rows') },
			close: async () => void log.push('closed'),
		}),`,
	})
	const { id, sessions, count } = await sessionsOn(support, [driver])
	const grids = new Grids(sessions)
	const opening = { connection: id, query, offset: 0, limit: 50 }
	await expect(grids.open(1, opening, {})).rejects.toThrow()
	await expect(grids.open(1, opening, {})).rejects.toThrow()
	expect(await count()).toBe('closed closed')
})

test('a grid is closed if its caller aborts while the grid opens', async () => {
	await using support = await temporarySupport()
	await using driver = await countingDriver()
	const { id, sessions, count } = await sessionsOn(support, [driver])
	expect(await count()).toBe('0 open')
	const abort = new AbortController()
	const range = { offset: 0, limit: 1 }
	const opening = new Grids(sessions).open(1, { connection: id, query, ...range }, { signal: abort.signal })
	// The driver is busy and does not check the signal.
	await sleep(50)
	abort.abort()
	await expect(opening).rejects.toThrow()
	await expect.poll(count).toBe('0 open')
})
