import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../testing/axe.ts'
import { FakeTable } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, TablePanel } from '../../testing/fake-window.tsx'
import { press } from '../../testing/keys.ts'

/** The live tail of a table in time: rows that arrive are shown at the top, or counted. */

let window: FakeWindow
let table: FakeTable
let events: TablePanel

const at = (second: number) => new Date(Date.UTC(2024, 0, 1) + second * 1000).toISOString()
const event = (name: string, second: number) => [name, at(second), 'info']

beforeEach(async () => {
	table = new FakeTable('events', {
		columns: { id: {}, '@timestamp': { kind: 'date' }, level: {} },
		sort: [{ column: '@timestamp', direction: 'desc' }],
		rows: Array.from({ length: 200 }, (_, index) => event(`ev-${index + 1}`, index + 1)),
	})
	window = await openWindow({ tables: [table] })
	await show()
	vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => void vi.useRealTimers())

async function show(): Promise<void> {
	await window.openTable('events')
	events = new TablePanel(page.getByRole('tabpanel', { name: 'events', exact: true }))
}

const time = () => events.root.getByRole('group', { name: 'Time' })
const live = () => time().getByRole('button', { name: 'Live', exact: true })
const newer = (text: string) => time().getByRole('button', { name: text, exact: true })
const says = (text: string) => expect.element(events.root.getByText(text, { exact: true }).first()).toBeVisible()
const ids = () => events.texts('id')
const asked = () => window.host.callsOf('rows.count').length
const opened = () => window.host.callsOf('grid.open').length

/** Lets the time of one look pass, and waits until the engine was asked. */
async function look(): Promise<void> {
	const before = asked()
	vi.advanceTimersByTime(2_000)
	await expect.poll(asked).toBe(before + 1)
}

test('rows arrive at the top while the user is there, also those with the time of the newest one', async () => {
	await live().click()
	await expect.element(live()).toHaveAttribute('aria-pressed', 'true')
	const reads = opened()
	await look()
	expect(opened()).toBe(reads)
	table.add(event('twin', 200))
	await look()
	await says('201 rows')
	expect([...ids().slice(0, 3)].sort()).toEqual(['ev-199', 'ev-200', 'twin'])
	table.add(event('later', 201))
	table.add(event('latest', 202))
	await look()
	await says('203 rows')
	expect(ids().slice(0, 2)).toEqual(['latest', 'later'])
	expect(new Set(ids()).size).toBe(ids().length)
	// The newest rows alone are counted.
	expect(window.host.callsOf('rows.count').at(-1)?.query.filters).toEqual([
		{ column: '@timestamp', operator: 'greater_or_equal', values: [at(200)] },
	])
})

test('a selected row stays where it is, and new rows are counted until a click goes there', async () => {
	await live().click()
	await events.cell(2, 'id').click()
	const before = ids()
	table.add(event('later', 201))
	await look()
	await expect.element(newer('1 new row')).toBeVisible()
	table.add(event('latest', 202))
	await look()
	await expect.element(newer('2 new rows')).toBeVisible()
	expect(ids()).toEqual(before)
	expect(await violations()).toEqual([])
	await newer('2 new rows').click()
	await says('202 rows')
	await expect.poll(() => ids()[0]).toBe('latest')
	await expect.element(newer('2 new rows')).not.toBeInTheDocument()
	// And from there they arrive again.
	table.add(event('last', 203))
	await look()
	await expect.poll(() => ids()[0]).toBe('last')
})

test('rows arrive at the top beside a row that is open in the panel, which stays there', async () => {
	await live().click()
	await events.cell(2, 'id').click()
	await press('Space')
	const panel = events.root.getByRole('complementary', { name: 'Row' })
	await expect.element(panel.getByText('ev-198')).toBeVisible()
	table.add(event('later', 201))
	await look()
	await expect.poll(() => ids()[0]).toBe('later')
	await expect.element(events.cell(3, 'id')).toHaveAttribute('aria-selected', 'true')
	await expect.element(events.cell(3, 'id')).toHaveTextContent('ev-198')
	await expect.element(panel.getByText('ev-198')).toBeVisible()
	expect(events.grid.element().scrollTop).toBe(0)
})

test('rows that the user scrolled to stay, and a key goes to the newest', async () => {
	await live().click()
	events.grid.element().scrollTo({ top: 600 })
	await expect.poll(() => events.grid.element().scrollTop).toBe(600)
	await expect.poll(() => ids()).not.toContain('ev-200')
	const before = ids()
	table.add(event('later', 201))
	await look()
	await expect.element(newer('1 new row')).toBeVisible()
	expect(ids()).toEqual(before)
	await press('Alt+Shift+N')
	await expect.poll(() => ids()[0]).toBe('later')
})

test('a user who scrolls while new rows are being read keeps the rows in view', async () => {
	await live().click()
	table.add(event('later', 201))
	const [release, reads] = [window.host.hold('grid.open'), opened()]
	await look()
	await expect.poll(opened).toBe(reads + 1)
	const grid = events.grid.element()
	const topOf = (id: string) => Math.round(page.getByText(id, { exact: true }).element().getBoundingClientRect().top)
	grid.scrollTo({ top: 600 })
	await expect.poll(() => ids()).not.toContain('ev-200')
	const before = topOf('ev-175')
	release()
	await says('201 rows')
	await expect.poll(() => grid.scrollTop).toBeGreaterThan(600)
	await expect.poll(() => topOf('ev-175')).toBe(before)
})

test('it survives a restart, and another order stops it', async () => {
	await live().click()
	await expect.poll(() => JSON.stringify(window.records)).toContain('"live/c1/events":true')
	vi.useRealTimers()
	await window.open()
	vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
	await show()
	await expect.element(live()).toHaveAttribute('aria-pressed', 'true')
	table.add(event('later', 201))
	await look()
	await expect.poll(() => ids()[0]).toBe('later')
	await page.elementLocator(events.header('@timestamp')).click()
	await expect.element(live()).toHaveAttribute('aria-pressed', 'false')
	await live().click()
	await expect.poll(() => events.header('@timestamp').getAttribute('aria-sort')).toBe('descending')
	await expect.element(live()).toHaveAttribute('aria-pressed', 'true')
})

test('after a restart, a user who was at the top is there, above a row that was selected', async () => {
	await live().click()
	await events.cell(2, 'id').click()
	await expect.poll(() => JSON.stringify(window.records)).toContain('"row":2')
	table.add(event('later', 201))
	vi.useRealTimers()
	await window.open()
	vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
	await show()
	await expect.poll(() => ids()[0]).toBe('later')
	table.add(event('latest', 202))
	await look()
	await expect.poll(() => ids()[0]).toBe('latest')
})

test('the selection stays on its row when newer ones arrive with the whole first page', async () => {
	await live().click()
	table.add(event('later', 201))
	const release = window.host.hold('grid.page')
	await look()
	await says('201 rows')
	await events.cell(3, 'id').click()
	table.add(event('latest', 202))
	release()
	await expect.poll(() => ids()[0]).toBe('latest')
	await expect.element(events.root.getByRole('button', { name: 'Row 5' })).toBeVisible()
	await expect.element(events.cell(4, 'id')).toHaveAttribute('aria-selected', 'true')
	await expect.element(events.cell(4, 'id')).toHaveTextContent('ev-198')
})

test('it asks one thing at a time, and nothing while the window is hidden', async () => {
	await live().click()
	const release = window.host.hold('rows.count')
	await look()
	const before = asked()
	vi.advanceTimersByTime(20_000)
	expect(asked()).toBe(before)
	release()
	const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
	document.dispatchEvent(new Event('visibilitychange'))
	vi.advanceTimersByTime(20_000)
	expect(asked()).toBe(before)
	hidden.mockRestore()
	document.dispatchEvent(new Event('visibilitychange'))
	await look()
})

test('a range that has ended is opened, so that new rows are in it', async () => {
	await time().getByLabelText('Time range').selectOptions('Previous year')
	await live().click()
	await expect.element(time().getByLabelText('To', { exact: true })).toHaveValue('')
})
