import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { FakeTable } from '../../testing/fake-tables.ts'
import { openWindow } from '../../testing/fake-window.tsx'
import { press } from '../../testing/keys.ts'

/** The trace of a row of a log, in another tab: its spans as bars above its rows. */

const newest = Date.UTC(2026, 10, 30, 8)

/** Three spans of one trace among 40 rows of others, so many times as long. */
function fakeSpans(name = 'spans', times = 1): FakeTable {
	const others = Array.from(
		{ length: 40 },
		(_, at) => ['o', `other ${at}`, `s${at}`, null, 1_000, at + 10, 'INFO'] as const,
	)
	const all = [
		['t', 'reads the stock', 'c', 'a', 30_000, 2, 'ERROR'] as const,
		['t', 'takes the order', 'a', null, 100_000, 3, 'INFO'] as const,
		['t', 'loads the cart', 'b', 'a', 20_000, 4, 'INFO'] as const,
		...others,
	]
	return new FakeTable(name, {
		sort: [{ column: '@timestamp', direction: 'desc' }],
		columns: {
			_id: {},
			'@timestamp': { kind: 'date' },
			message: {},
			level: {},
			'service.name': {},
			'trace.id': {},
			'span.id': {},
			'parent.id': {},
			'span.duration.us': { kind: 'number' },
		},
		rows: all.map(([trace, message, span, parent, us, back, level], at) => [
			`${at}`,
			new Date(newest - back * 10).toISOString(),
			message,
			level,
			'shop',
			trace,
			span,
			parent,
			us * times,
		]),
	})
}

const pane = () => page.getByRole('region', { name: 'Trace', exact: true })
const spans = () => [...pane().element().querySelectorAll('.trace-name')].map(name => name.textContent)

test('the trace of a row opens in another tab, as bars whose click opens their row', async () => {
	const window = await openWindow({ tables: [fakeSpans()] })
	const table = await window.openTable('spans')
	await table.cell(0, 'message').click({ button: 'right' })
	await page.getByRole('menuitem', { name: /^Trace, in another tab/ }).click()
	await expect.element(pane().getByText('3 spans, 110 ms, 1 error')).toBeVisible()
	expect(spans()).toEqual(['shop takes the order', 'shop loads the cart', 'shop reads the stock'])
	await pane()
		.getByRole('button', { name: /reads the stock/ })
		.click()
	await expect.element(page.getByRole('complementary', { name: 'Row' })).toBeVisible()
	await expect
		.element(page.getByRole('complementary', { name: 'Row' }).getByText('reads the stock', { exact: true }).first())
		.toBeVisible()
	await pane().getByRole('button', { name: 'Close the trace' }).click()
	await expect.element(pane()).not.toBeInTheDocument()
	await expect.element(page.getByText('3 rows', { exact: true }).first()).toBeVisible()
})

test('a trace of a day is measured in hours', async () => {
	const window = await openWindow({ tables: [fakeSpans('spans', 1_000_000)] })
	const table = await window.openTable('spans')
	await table.cell(0, 'message').click()
	await press('Alt+Shift+T')
	await expect.element(pane().getByText('3 spans, 27.8 h, 1 error')).toBeVisible()
})

test('the keyboard opens a trace and walks its spans, and a row without one says so', async () => {
	const bare = new FakeTable('bare', {
		columns: { _id: {}, at: { kind: 'date' }, level: {}, message: {}, trace_id: {} },
		rows: [['1', '2026-11-30T08:00:00.000Z', 'INFO', 'hello', null]],
	})
	const window = await openWindow({ tables: [fakeSpans(), bare] })
	const table = await window.openTable('spans')
	await table.cell(1, 'message').click()
	await press('Alt+Shift+t')
	await expect.element(pane()).toBeVisible()
	const [first] = pane().getByRole('list').getByRole('button').elements()
	if (first instanceof HTMLElement) first.focus()
	await press('ArrowDown')
	await press('Enter')
	await expect.element(pane().getByRole('button', { name: /loads the cart/ })).toHaveAttribute('aria-pressed', 'true')
	const other = await window.openListedTable('bare')
	await other.cell(0, 'message').click()
	await press('Alt+Shift+t')
	await expect.element(page.getByText('This row has no trace_id.')).toBeVisible()
})

test('the trace of a row in a table of a day is that of all days, if the engine opens them as one', async () => {
	const window = await openWindow({
		tables: [fakeSpans('spans-2026.11.30'), fakeSpans('spans-*')],
		answers: { 'tables.find': ({ text }) => (text === 'spans-*' ? [{ name: 'spans-*', kind: 'pattern' }] : []) },
	})
	const table = await window.openTable('spans-2026.11.30')
	await table.cell(0, 'message').click()
	await press('Alt+Shift+t')
	await expect.element(page.getByRole('tabpanel', { name: 'spans-*', exact: true })).toBeVisible()
	await expect.element(pane()).toBeVisible()
})

test('the row whose trace it is stays selected, also as a span', async () => {
	const window = await openWindow({ tables: [fakeSpans()] })
	const table = await window.openTable('spans')
	await table.cell(2, 'message').click()
	await press('Alt+Shift+t')
	await expect.element(pane()).toBeVisible()
	const current = () => document.querySelector('[role=tabpanel]:not(.hidden) .grid-row.current')?.textContent
	await expect.poll(current).toContain('loads the cart')
})
