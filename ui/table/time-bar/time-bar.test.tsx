import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { FakeTable } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, TablePanel } from '../../testing/fake-window.tsx'
import { press, type } from '../../testing/keys.ts'

/** Tables of events: the order, the range of time, its histogram and the rows around one. */

let window: FakeWindow
let table: FakeTable
let events: TablePanel

const levels = ['info', 'warn', 'error', 'debug']
const at = (index: number) => new Date(Date.UTC(2024, 0, 1, 0, 30 * index, 30)).toISOString()
const event = (index: number) => [`ev-${index}`, at(index), levels[index % 4] ?? '', `service ${index % 5}`] as const

beforeEach(async () => {
	const columns = { id: {}, '@timestamp': { kind: 'date' }, level: {}, service: {} } as const
	const sort = [{ column: '@timestamp', direction: 'desc' }] as const
	table = new FakeTable('events', { columns, sort, rows: Array.from({ length: 200 }, (_, index) => event(index + 1)) })
	const same = Array.from({ length: 300 }, (_, index) => [`t${index}`, at(1), 'info', 'shop'])
	window = await openWindow({ tables: [table, new FakeTable('crowd', { columns, rows: same })] })
	await window.openTable('events')
	events = inView('events')
})
afterEach(() => page.viewport(1280, 820))

/** Of several tabs of a table, the one in view. */
const inView = (name: string) => new TablePanel(page.getByRole('tabpanel', { name, exact: true }))
const tab = (name: string) => page.getByRole('tab', { name, exact: true })
const time = () => events.root.getByRole('group', { name: 'Time' })
const range = () => time().getByLabelText('Time range')
const end = (name: 'From' | 'To') => time().getByLabelText(name, { exact: true })
const bars = () => events.root.getByRole('slider', { name: 'rows by @timestamp' })
const split = () => events.root.getByLabelText('Break down by')
const buckets = () => [...(bars().query()?.querySelectorAll('.histogram-bucket') ?? [])]
const parts = () => buckets().reduce((most, one) => Math.max(most, one.querySelectorAll('.histogram-part').length), 0)
const says = (text: string) => expect.element(events.root.getByText(text, { exact: true }).first()).toBeVisible()
const isSorted = (order: string) => expect.poll(() => events.header('@timestamp').getAttribute('aria-sort')).toBe(order)
const sortByTime = () => page.elementLocator(events.header('@timestamp')).click()
const selected = () => {
	const cells = [...document.querySelectorAll<HTMLElement>('[role=gridcell][aria-selected=true]')]
	return cells.find(cell => cell.checkVisibility())
}

async function limit(from: string, to: string): Promise<void> {
	await range().selectOptions('between')
	await end('From').fill(from)
	await end('To').fill(to)
	await press('Enter')
}

test('a table with a time opens with the newest first, and another order is kept', async () => {
	await isSorted('descending')
	expect(events.texts('id')[0]).toBe('ev-200')
	await sortByTime()
	await isSorted('ascending')
	await page.getByRole('button', { name: 'Close events' }).click()
	await window.openListedTable('events')
	await isSorted('ascending')
	await sortByTime()
	await isSorted('descending')
})

test('a range of time filters the rows, and refuses what is no time', async () => {
	await range().selectOptions('Last hour')
	await says('No rows')
	await range().selectOptions('From … to …')
	// The range that was shown, as absolute times.
	await expect
		.poll(() => end('From').element())
		.toHaveProperty('value', expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:/))
	await end('From').fill('soon')
	await press('Enter')
	await expect.element(time().getByRole('alert')).toBeVisible()
	await limit('2024-01-02 00:00', '2024-01-03')
	await says('48 rows')
})

test('the histogram brushes the range by keys, and a double click resets it', async () => {
	await limit('2024-01-02 00:00', '2024-01-03')
	await expect.poll(() => buckets().length).toBe(48)
	await says('48 rows in bars of 30 minutes')
	bars().element().focus()
	await press('Home')
	await press('Shift+ArrowRight')
	expect(bars().element().getAttribute('aria-valuetext')).toMatch(/^2024-01-02 – 2024-01-02 01:00:00: 2 rows \(/)
	await press('Enter')
	await expect.element(end('To')).toHaveValue('2024-01-02 01:00:00')
	await expect.poll(() => buckets().length).not.toBe(48)
	await expect.element(bars()).toHaveFocus()
	await bars().dblClick()
	await says('200 rows')
	await expect.element(range()).toHaveValue('all')
})

test('the histogram brushes the range by mouse', async () => {
	await expect.poll(() => buckets().length).toBeGreaterThan(20)
	const { width } = bars().element().getBoundingClientRect()
	await userEvent.dragAndDrop(bars(), bars(), {
		sourcePosition: { x: 2, y: 20 },
		targetPosition: { x: width / 4, y: 20 },
	})
	await expect.element(end('From')).toBeVisible()
	await expect.element(events.root.getByText('200 rows', { exact: true })).not.toBeInTheDocument()
})

test('the histogram of a log is open and split by level, and a value of it filters', async () => {
	await expect.poll(parts).toBeGreaterThan(1)
	await expect.element(split()).toHaveValue('level')
	await events.root.getByTitle('Filter for level error', { exact: true }).click()
	await expect.element(events.root.getByRole('button', { name: 'level is error', exact: true })).toBeVisible()
	await expect.poll(parts).toBe(1)
	await split().selectOptions('service')
	await expect.poll(() => events.root.getByTitle(/^Filter for service/).elements().length).toBe(5)
	await split().selectOptions('nothing')
	await expect.poll(parts).toBe(0)
})

test('the legend counts the rows with another value than those that it names', async () => {
	const columns = { id: {}, '@timestamp': { kind: 'date' }, level: {}, service: {} } as const
	const rows = Array.from({ length: 200 }, (_, index) => [...event(index).slice(0, 3), `service ${index % 8}`])
	const sort = [{ column: '@timestamp', direction: 'desc' }] as const
	window = await openWindow({ tables: [new FakeTable('many', { columns, sort, rows })] })
	await window.openTable('many')
	events = inView('many')
	await split().selectOptions('service')
	await expect.element(events.root.getByTitle('Rows with another value, or with none')).toHaveTextContent('others 50')
})

test('the choice of a histogram and of its split is kept', async () => {
	await split().selectOptions('nothing')
	await events.root.getByRole('button', { name: 'Histogram of time' }).click()
	await expect.element(bars()).not.toBeInTheDocument()
	await expect.poll(() => JSON.stringify(window.records)).toContain('"split":""')
	await window.open()
	await expect.element(events.root.getByRole('gridcell').first()).toBeVisible()
	await expect.element(split()).not.toBeInTheDocument()
	await events.root.getByRole('button', { name: 'Histogram of time' }).click()
	await expect.element(bars()).toBeVisible()
	await expect.element(split()).toHaveValue('')
})

test('a saved view has its own split', async () => {
	const openViews = () => events.root.getByRole('button', { name: 'Saved views' }).click()
	await split().selectOptions('service')
	await openViews()
	await page.getByLabelText('Name of the view').fill('By service')
	await press('Enter')
	await press('Escape')
	await split().selectOptions('level')
	await openViews()
	await page
		.getByRole('dialog', { name: 'Saved views' })
		.getByRole('button', { name: 'By service', exact: true })
		.click()
	await expect.element(split()).toHaveValue('service')
})

test('the rows around one in time open in another tab without its filters, with the row selected', async () => {
	await events.cell(1, 'level').click()
	await press('=')
	await expect.poll(() => new Set(events.texts('level'))).toEqual(new Set(['debug']))
	const id = events.texts('id')[12]
	await events.cell(12, 'id').click()
	await press('Alt+Shift+A')
	await expect.element(tab('events (2)')).toHaveAttribute('aria-selected', 'true')
	await expect.element(time().getByLabelText('Time range')).toHaveClass('is-set')
	expect(events.root.getByRole('list', { name: 'Filters' }).query()).toBeNull()
	await expect.poll(() => selected()?.innerText).toBe(id)
	await expect.poll(() => new Set(events.texts('level')).size).toBe(4)
})

test('another row has a separate tab, and what was found around the first one stays', async () => {
	const around = async (row: number) => {
		const id = events.texts('id')[row]
		await events.cell(row, 'id').click()
		await press('Alt+Shift+A')
		await expect.poll(() => selected()?.innerText).toBe(id)
		return id
	}
	const first = await around(12)
	await tab('events').click()
	await expect.element(tab('events')).toHaveAttribute('aria-selected', 'true')
	await expect.poll(() => events.texts('id')[0]).toBe('ev-200')
	await around(3)
	await expect.element(tab('events (3)')).toBeVisible()
	await tab('events (2)').click()
	await expect.poll(() => selected()?.innerText).toBe(first)
})

test.for([2, 150, 280])('row %i of many with one time is selected and in view among the rows around it', async row => {
	await window.openListedTable('crowd')
	const crowd = inView('crowd')
	await crowd.cell(0, 'id').click()
	await press('Control+g')
	await type(String(row))
	await press('Enter')
	await expect.element(crowd.root.getByText(`Row ${row}`, { exact: true })).toBeVisible()
	await expect.poll(() => selected()?.innerText).toBe(`t${row - 1}`)
	await press('Alt+Shift+A')
	await expect.element(tab('crowd (2)')).toHaveAttribute('aria-selected', 'true')
	await expect.element(crowd.root.getByText(`Row ${row}`, { exact: true })).toBeVisible()
	await expect.poll(() => selected()?.innerText).toBe(`t${row - 1}`)
	const [cell, grid] = [selected(), crowd.grid.element()].map(one => one?.getBoundingClientRect())
	expect(cell?.top).toBeGreaterThan(grid?.top ?? Infinity)
	expect(cell?.bottom).toBeLessThanOrEqual(grid?.bottom ?? 0)
	expect(page.getByText('Another one of them').query()).toBeNull()
})

test('the bars have an axis of counts and one of time with days, and the one at the pointer or the keys is explained', async () => {
	await limit('2024-01-02 12:00', '2024-01-03 12:00')
	await expect.poll(() => buckets().length).toBe(48)
	const texts = (of: string) => [...events.root.element().querySelectorAll<HTMLElement>(of)].map(one => one.innerText)
	expect(texts('.histogram-counts > span')).toEqual(['0', '1'])
	await expect.poll(() => texts('.histogram-tick')).toContain('18:00')
	expect(texts('.histogram-tick.break')).toEqual(['Jan 3'])
	const tip = () => texts('.histogram-tip')[0]?.split('\n')
	expect(tip()).toBeUndefined()
	await bars().hover({ position: { x: 2, y: 20 } })
	expect(tip()).toEqual(['2024-01-02 12:00:00 – 12:30:00', '1 row', 'info', '1'])
	await range().hover()
	expect(tip()).toBeUndefined()
	bars().element().focus()
	await press('Home')
	await press('Shift+ArrowRight')
	expect(tip()?.slice(0, 2)).toEqual(['2024-01-02 12:00:00 – 13:00:00', '2 rows'])
	await press('Tab')
	expect(tip()).toBeUndefined()
})

test('Back shows the range before by its button, its key, and Backspace in the histogram', async () => {
	const back = () => time().getByRole('button', { name: 'Back to the range before' })
	expect(back().query()).toBeNull()
	const histogram = () =>
		time().getByRole('button', { name: 'Histogram of time' }).element().getBoundingClientRect().left
	const before = histogram()
	await range().selectOptions('Last year (365 days)')
	await range().selectOptions('All time')
	await expect.element(back()).toBeVisible()
	expect(histogram()).toBe(before)
	await limit('2024-01-02 00:00', '2024-01-03')
	await says('48 rows')
	bars().element().focus()
	await press('Home')
	await press('Enter')
	await says('1 row')
	await press('Backspace')
	await says('48 rows')
	await press('Alt+Shift+B')
	// The ranges before outlive the window.
	await expect.poll(() => JSON.stringify(window.records)).toContain('"ranges/c1/events":[')
	await window.open()
	await expect.element(back()).toBeVisible()
	await press('Alt+Shift+B')
	await back().click()
	await back().click()
	await expect.element(range()).toHaveValue('1y')
	await back().click()
	await expect.element(range()).toHaveValue('all')
	await expect.poll(() => back().query()).toBeNull()
	await expect.element(range()).toHaveFocus()
})

test('a range is zoomed out by a key and by its button', async () => {
	await range().selectOptions('Last year (365 days)')
	await expect.element(range()).toHaveValue('1y')
	await press('Alt+Shift+Z')
	await expect.element(range()).toHaveValue('all')
	await expect.poll(() => time().getByRole('button', { name: 'Zoom out' }).query()).toBeNull()
	await range().selectOptions('Last 30 days')
	await time().getByRole('button', { name: 'Zoom out' }).click()
	await expect.element(range()).toHaveValue('1y')
})

/** Returns what is wrong with the places of the parts of the time bar. */
function faultsOfBar(areOnOneLine: boolean): readonly string[] {
	const bar = time().element()
	const edge = bar.getBoundingClientRect()
	const boxes = [...bar.querySelectorAll('select, input[type="text"], button, .time-rest')].map(part => ({
		part,
		box: part.getBoundingClientRect(),
	}))
	return boxes.flatMap(({ part, box }, index) => {
		const name = part.getAttribute('aria-label') ?? part.textContent
		// A field and the button inside of it are one part.
		const others = boxes
			.slice(index + 1)
			.filter(
				({ part: other }) => !part.parentElement?.matches('.date-input') || other.parentElement !== part.parentElement,
			)
		const isCovered = others.some(
			({ box: other }) =>
				other.left < box.right && other.right > box.left && other.top < box.bottom && other.bottom > box.top,
		)
		return [
			...(box.left < edge.left || box.right > edge.right ? [`${name} is outside`] : []),
			...(part.matches('input, button') && part.scrollWidth > part.clientWidth ? [`${name} is cut`] : []),
			...(isCovered ? [`${name} is covered`] : []),
			...(areOnOneLine && (box.top + box.bottom) / 2 - edge.top > 30 ? [`${name} is on another line`] : []),
		]
	})
}

test.for([
	['a relative range', () => range().selectOptions('Last year (365 days)')],
	['an open range', () => range().selectOptions('From … to …')],
	['an absolute range', () => limit('2024-01-02 13:45:56', '2024-12-23 13:45:56')],
	[
		'new rows that wait',
		async () => {
			await limit('2024-01-02 13:45:56', '2024-12-23 13:45:56')
			await time().getByRole('button', { name: 'Live', exact: true }).click()
			await events.cell(2, 'id').click()
			table.add(['ev-900', '2024-12-01T00:00:00Z', 'info', 'shop'])
			vi.advanceTimersByTime(2_000)
			await expect.element(time().getByRole('button', { name: '1 new row', exact: true })).toBeVisible()
		},
	],
] as const)('the time bar with %s is one line in a window of 1024 pixels, and whole in one of 800', async ([
	,
	show,
]) => {
	vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
	await show()
	vi.useRealTimers()
	await page.viewport(1024, 768)
	await expect.poll(() => faultsOfBar(true)).toEqual([])
	await page.viewport(800, 600)
	await expect.poll(() => faultsOfBar(false)).toEqual([])
})

test('a table with a date that is no log has its time bar once a button opens it, and keeps it with a range', async () => {
	const columns = { id: { isKey: true }, since: { kind: 'date' } } as const
	const rows = [
		['1', '2026-03-28'],
		['2', '2026-03-29'],
	]
	window = await openWindow({ tables: [new FakeTable('suppliers', { columns, rows })] })
	await window.openTable('suppliers')
	events = inView('suppliers')
	const clock = events.root.getByRole('button', { name: 'Filter by time' })
	await expect.element(clock).toHaveAttribute('aria-pressed', 'false')
	await expect.element(time()).not.toBeInTheDocument()
	await clock.click()
	await expect.element(range()).toHaveFocus()
	await clock.click()
	await expect.element(time()).not.toBeInTheDocument()
	await clock.click()
	await limit('2026-03-28 12:00', '2026-03-30')
	await says('1 row')
	await clock.click()
	await expect.element(range()).toHaveFocus()
	await expect.element(range()).toHaveClass('is-set')
})

test('the zone of the engine is named where its days are shown, and a click shows another one', async () => {
	const columns = { id: {}, at: { kind: 'date' }, day: { kind: 'date', zone: 'none' } } as const
	const rows = [['1', '2026-03-28T23:00:00Z', '2026-03-29']]
	window = await openWindow({ tables: [new FakeTable('visits', { columns, rows })], timeZone: 'Asia/Kolkata' })
	await window.openTable('visits')
	events = inView('visits')
	await events.root.getByRole('button', { name: 'Filter by time' }).click()
	const zone = (name: string) => time().getByRole('button', { name: `Zone: ${name}` })
	await expect.element(zone('Asia/Kolkata')).toBeVisible()
	await limit('2026-03-29 04:30', '2026-03-29 04:31')
	await says('1 row')
	await zone('Asia/Kolkata').click()
	await expect.element(zone('UTC')).toBeVisible()
	await expect.element(end('From')).toHaveValue('2026-03-28 23:00:00')
	await time().getByLabelText('Time column').selectOptions('day')
	await expect.element(zone('UTC')).not.toBeInTheDocument()
})
