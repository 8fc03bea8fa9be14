import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { FakeClipboard } from '../testing/clipboard.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers } from '../testing/fake-console.ts'
import { FakeTable } from '../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../testing/fake-window.tsx'
import { press, type } from '../testing/keys.ts'
import { chooseEntry } from '../testing/menu.ts'

/** Sorts, keys and places of the grid. */

let window: FakeWindow
let clipboard: FakeClipboard
let places: TablePanel

const cities = ['Lisbon', 'Aarhus', 'Tunis', 'Quito']

beforeEach(async () => {
	clipboard = new FakeClipboard()
	const table = new FakeTable('places', {
		columns: {
			id: { kind: 'number' },
			name: {},
			city: {},
			rating: { kind: 'number' },
			...Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`c${index}`, {}])),
		},
		rows: Array.from({ length: 400 }, (_, row) => [
			row + 1,
			`Place ${row + 1}`,
			cities[row % cities.length] ?? '',
			row % 7 === 0 ? null : row,
			...Array.from({ length: 8 }, (_, column) => `a value of ${row} and ${column}`),
		]),
	})
	window = await openWindow({ tables: [table], answers: consoleAnswers() })
	places = await window.openTable('places')
})

const item = (name: string) => page.getByRole('menuitem', { name }).first()
const header = (name: string) => page.elementLocator(places.header(name))
const isSorted = (name: string, order: string) =>
	expect.poll(() => places.header(name).getAttribute('aria-sort')).toBe(order)
const first = (column: string) => places.texts(column)[0]
const scroller = () => places.grid.element()
const rowButton = (name: string) => places.root.getByRole('button', { name, exact: true })

async function openColumns(): Promise<void> {
	await places.root.getByRole('button', { name: 'Columns', exact: true }).click()
	await expect.element(page.getByLabelText('Search columns')).toBeVisible()
}

test('a click on a header sorts, a second click reverses, and a third click removes the sort', async () => {
	await header('city').click()
	await isSorted('city', 'ascending')
	await expect.poll(() => first('city')).toBe('Aarhus')
	await header('city').click()
	await isSorted('city', 'descending')
	await expect.poll(() => first('city')).toBe('Tunis')
	await header('city').click()
	await isSorted('city', 'none')
	await expect.poll(() => first('city')).toBe('Lisbon')
})

test.for([
	['Sort ascending', 'Aarhus'],
	['Sort descending', 'Tunis'],
] as const)('the menu of a cell sorts: %s', async ([name, city]) => {
	await places.cell(0, 'city').click({ button: 'right' })
	await chooseEntry(name)
	await expect.poll(() => first('city')).toBe(city)
})

test('a reload keeps the place and the current row', async () => {
	scroller().scrollTo(0, 28 * 200)
	await expect.poll(() => places.texts('id')).toContain('204')
	await places.cell(203, 'city').click()
	await expect.element(rowButton('Row 204')).toBeVisible()
	const before = window.host.callsOf('grid.open').length
	await press('F5')
	await expect.poll(() => window.host.callsOf('grid.open').length).toBe(before + 1)
	await expect.poll(() => scroller().scrollTop).toBe(28 * 200)
	await expect.element(rowButton('Row 204')).toBeVisible()
})

test('a new sort and a new query show the top', async () => {
	scroller().scrollTo(0, 28 * 200)
	await expect.poll(() => places.texts('id')).toContain('204')
	await header('city').click()
	await expect.poll(() => scroller().scrollTop).toBe(0)
	await expect.element(rowButton('Row 1')).toBeVisible()
	scroller().scrollTo(0, 28 * 200)
	await expect.poll(() => scroller().scrollTop).toBe(28 * 200)
	await places.search('Lisbon', '100 rows')
	await expect.poll(() => scroller().scrollTop).toBe(0)
})

test.for([
	'ControlOrMeta+End',
	'ControlOrMeta+Home',
	'End',
	'PageDown',
])('the editor of a cell stays inside of the grid after %s', async keys => {
	await places.cell(0, 'name').click()
	await press(keys)
	for (let step = 0; step < 3; step++) {
		await press('F2')
		await expect.poll(() => document.querySelector('.cell-editor')).not.toBeNull()
		const [editor, grid] = [document.querySelector('.cell-editor'), scroller()].map(one => one?.getBoundingClientRect())
		expect(editor?.right).toBeLessThanOrEqual((grid?.right ?? 0) + 1)
		expect(editor?.bottom).toBeLessThanOrEqual((grid?.bottom ?? 0) + 1)
		await press('Escape')
		await press(keys === 'ControlOrMeta+Home' ? 'ArrowRight' : 'ArrowLeft')
	}
})

test('the keyboard reaches a cell, edits, undoes and redoes', async () => {
	await places.cell(0, 'id').click()
	await press('ArrowDown')
	await press('ArrowRight')
	await press('ArrowRight')
	expect(scroller().getAttribute('aria-activedescendant')).toBe('cell-1-2')
	const edited = () => places.texts('city')[1]
	await type('Bergen')
	await press('Enter')
	await expect.poll(edited).toBe('Bergen')
	await press('ControlOrMeta+z')
	await expect.poll(edited).toBe('Aarhus')
	await press('ControlOrMeta+Shift+z')
	await expect.poll(edited).toBe('Bergen')
	await places.root.getByRole('button', { name: 'Discard' }).click()
	await expect.poll(edited).toBe('Aarhus')
})

test('one value is set in a selection as one step, and the selection is copied as it is shown', async () => {
	await places.cell(0, 'city').click()
	await places.cell(4, 'city').click({ modifiers: ['Shift'] })
	await expect.element(places.root.getByText('5 cells', { exact: true })).toBeVisible()
	await type('Bergen')
	await press('ControlOrMeta+Enter')
	await places.isStaged(5)
	await press('ControlOrMeta+c')
	await expect.poll(() => clipboard.text).toBe(Array.from({ length: 5 }, () => 'Bergen').join('\n'))
	await press('ControlOrMeta+z')
	await places.isStaged(0)
})

test('the menu of a cell sets null and copies the row in a format', async () => {
	await places.cell(1, 'city').click({ button: 'right' })
	await chooseEntry(/^Set null/)
	await expect.poll(() => places.texts('city')[1]).toBe('null')
	await places.cell(1, 'city').click({ button: 'right' })
	await chooseEntry('Copy as NDJSON')
	await expect.poll(() => clipboard.text).toBe('{"city":null}')
})

test('a hidden column stays hidden when the table is opened again, and Reset shows it', async () => {
	await openColumns()
	await page.getByLabelText('Search columns').fill('city')
	await page.getByRole('checkbox', { name: 'city' }).click()
	await press('Escape')
	await expect.poll(() => places.columns()).not.toContain('city')
	await page.getByRole('button', { name: 'Close places' }).click()
	await window.openListedTable('places')
	await expect.poll(() => places.columns()).toContain('rating')
	expect(places.columns()).not.toContain('city')
	await openColumns()
	await page.getByRole('button', { name: 'Reset' }).click()
	await expect.poll(() => places.columns()).toContain('city')
})

test('a search for several columns shows only these', async () => {
	await openColumns()
	const only = page.getByRole('button', { name: 'Only these' })
	await expect.element(only).toBeDisabled()
	await page.getByLabelText('Search columns').fill('city, rating, name')
	await only.click()
	await expect.poll(() => places.columns()).toEqual(['name', 'city', 'rating'])
	await page.getByRole('button', { name: 'Reset' }).click()
	await expect.poll(() => places.columns()).toContain('c0')
})

test('a column that is made wider keeps its width when the table is opened again, until a reset', async () => {
	const width = () => Math.round(places.header('city').getBoundingClientRect().width)
	const before = width()
	const edge = places.header('city').querySelector('.grid-resizer') ?? expect.unreachable()
	const { left, top } = edge.getBoundingClientRect()
	const at = (by: number) => ({ bubbles: true, buttons: 1, clientX: left + by, clientY: top + 5 })
	edge.dispatchEvent(new MouseEvent('mousedown', at(0)))
	for (const by of [30, 60]) dispatchEvent(new MouseEvent('mousemove', at(by)))
	dispatchEvent(new MouseEvent('mouseup'))
	await expect.poll(width).toBe(before + 60)
	await page.getByRole('button', { name: 'Close places' }).click()
	await window.openListedTable('places')
	await expect.poll(width).toBe(before + 60)
	await openColumns()
	await page.getByRole('button', { name: 'Reset' }).click()
	await expect.poll(width).toBe(before)
})

test('a cell that stays in view keeps its node, however far the grid is scrolled', async () => {
	const nodes = () =>
		new Map(
			[...scroller().querySelectorAll<HTMLElement>('[data-row] [data-column]')].map(cell => [
				`${cell.parentElement?.dataset.row} ${cell.dataset.column}`,
				cell,
			]),
		)
	let before = nodes()
	let moved = 0
	for (let step = 0; step < 30; step++) {
		scroller().scrollTo(step * 23, step * 41)
		await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
		const now = nodes()
		for (const [place, cell] of now) if (before.has(place) && before.get(place) !== cell) moved++
		before = now
	}
	expect(moved).toBe(0)
})

test('an invalid number is refused in the editor, and nothing is lost', async () => {
	await places.cell(1, 'rating').dblClick()
	await press('ControlOrMeta+a')
	await type('12,5')
	await press('Enter')
	await expect.element(page.getByText('This is not a number.')).toBeVisible()
	await press('Escape')
	await expect.poll(() => places.texts('rating')[1]).toBe('1')
	await places.isStaged(0)
})

test('the bar of unsaved changes does not cover the focused cell in the last row of the view', async () => {
	const bottom = (element: Element | null) => element?.getBoundingClientRect().bottom ?? 0
	// The editor moves the focus to the row below, which is the last one in view.
	const last = Math.floor((bottom(scroller()) - places.cell(0, 'name').element().getBoundingClientRect().top) / 28)
	await places.edit(last - 2, 'name', 'Covered')
	await places.isStaged(1)
	const focused = () => scroller().querySelector('[role=gridcell][aria-selected=true]')
	await expect.poll(() => bottom(focused()) <= bottom(scroller())).toBe(true)
})

async function openRequest(): Promise<void> {
	await page.getByRole('tab', { name: 'places', exact: true }).click()
	await places.more('Show the statement')
	await expect
		.element(page.getByRole('dialog', { name: 'Statement that reads these rows' }).getByText('select * from places'))
		.toBeVisible()
	await page.getByRole('button', { name: 'Open in the console' }).click()
}

test('the request of the grid is shown, and runs unchanged in the console', async () => {
	await openRequest()
	const console = new ConsolePanel()
	await expect.poll(() => console.text()).toBe('select * from places')
	await expect.element(console.editor).toHaveFocus()
	await press('ControlOrMeta+Enter')
	await expect.element(console.runs.getByText('OK')).toBeVisible()
	expect(window.host.callsOf('console.run').map(({ statement }) => statement.text)).toEqual(['select * from places'])
})

test('the same request opens in the console that has it, and another text has a separate console', async () => {
	await openRequest()
	const console = new ConsolePanel()
	await expect.poll(() => console.text()).toBe('select * from places')
	await openRequest()
	await expect.poll(() => console.text()).toBe('select * from places')
	await console.write('select * from places; select 2')
	await openRequest()
	const second = new ConsolePanel('Console 2')
	await expect.poll(() => second.text()).toBe('select * from places')
})

test('the menu of a cell has at most twelve entries, and its keys open the rest and run one of them', async () => {
	await places.cell(2, 'city').click()
	await press('Shift+F10')
	const entries = page.getByRole('menuitem')
	await expect.element(item('More')).toBeVisible()
	const shown = entries.elements().length
	expect(shown).toBeLessThanOrEqual(12)
	await press('End')
	await press('ArrowRight')
	await expect.element(item('Sort descending')).toBeVisible()
	expect(entries.elements().length).toBeGreaterThan(shown)
	while (document.activeElement?.textContent !== 'Sort descending') await press('ArrowDown')
	await press('Enter')
	await isSorted('city', 'descending')
	await expect.element(entries.first()).not.toBeInTheDocument()
	expect(document.activeElement).toBe(scroller())
})
