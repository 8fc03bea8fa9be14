import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { FakeTable } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press } from '../../testing/keys.ts'

/** A user arranges columns by mouse and by keyboard, and the arrangement is stored. */

let window: FakeWindow
let table: TablePanel

/** A table with a key, a column that has one value in all rows, and more columns than the window shows. */
const small = () =>
	new FakeTable('small', {
		columns: {
			id: {},
			n: { kind: 'number' },
			source: { isUniform: true },
			...Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`c${index}`, {}])),
		},
		rows: Array.from({ length: 30 }, (_, row) => [
			`r${row}`,
			row,
			'made',
			...Array.from({ length: 10 }, (_, column) => `a value of ${row} and ${column}`),
		]),
	})

beforeEach(async () => {
	window = await openWindow({ tables: [small()] })
	table = await window.openTable('small')
	await expect.poll(() => first(3)).toEqual(['id', 'n', 'c0'])
})

const item = (name: string) => page.getByRole('menuitem', { name, exact: true })
const first = (count: number) => table.columns().slice(0, count)
const leftOf = (name: string) => table.header(name).getBoundingClientRect().left
const headerOf = (name: string) => page.elementLocator(table.header(name))
const sort = () =>
	window.host
		.callsOf('grid.open')
		.at(-1)
		?.query.sort.map(({ column, direction }) => [column, direction])

/** Moves the focus from the cells to the header of a column. */
async function toHeader(name: string): Promise<void> {
	await table.cell(0, name).click()
	await press('ArrowUp')
	await expect.element(headerOf(name)).toHaveClass('current')
}

test('columns with one value in all rows are folded into one label, and a click unfolds them', async () => {
	await table.root.getByRole('button', { name: 'Hidden: 1 column with one value' }).click()
	await expect.poll(() => first(3)).toEqual(['id', 'n', 'source'])
	await table.root.getByRole('button', { name: 'Shown: 1 column with one value' }).click()
	await expect.poll(() => first(3)).toEqual(['id', 'n', 'c0'])
})

test('the key column stays at the left edge while scrolling, and another column can be pinned beside it', async () => {
	const before = leftOf('id')
	await headerOf('c1').click({ button: 'right' })
	await item('Pin to the left').click()
	await expect.poll(() => first(2)).toEqual(['id', 'c1'])
	const pinned = leftOf('c1')
	table.grid.element().scrollTo(600, 0)
	await expect.poll(() => leftOf('c1')).toBe(pinned)
	expect(leftOf('id')).toBe(before)
	// Cells stick from the event of the scroll on, which comes before the frame is drawn.
	await expect.poll(() => table.cell(0, 'c1').element().getBoundingClientRect().left).toBe(pinned)
	table.grid.element().scrollTo(0, 0)
	await headerOf('c1').click({ button: 'right' })
	await item('Unpin').click()
	await expect.poll(() => first(4)).toEqual(['id', 'n', 'c0', 'c1'])
})

test('several sort columns can be set by keyboard and mouse, and headers show their numbers', async () => {
	await toHeader('n')
	await press('Enter')
	await press('ArrowRight')
	await press('Shift+Enter')
	await headerOf('c1').click({ modifiers: ['Shift'] })
	await headerOf('c1').click({ modifiers: ['Shift'] })
	const place = (name: string) => table.header(name).querySelector('.grid-header-place')?.textContent
	await expect.poll(() => ['n', 'c0', 'c1'].map(place)).toEqual(['1', '2', '3'])
	await expect.poll(sort).toEqual([
		['n', 'asc'],
		['c0', 'asc'],
		['c1', 'desc'],
	])
	await headerOf('n').click()
	await headerOf('n').click()
	await expect.poll(sort).toEqual([])
})

test('a column is moved by dragging', async () => {
	await userEvent.dragAndDrop(headerOf('c2'), headerOf('n'), { targetPosition: { x: 60, y: 10 } })
	await expect.poll(() => first(5)).toEqual(['id', 'c2', 'n', 'c0', 'c1'])
	expect(table.header('c2').getAttribute('aria-sort')).toBe('none')
})

test('a column is moved by Alt with an arrow key, and resized by keyboard', async () => {
	await toHeader('n')
	await press('Alt+ArrowRight')
	await press('Alt+ArrowRight')
	await expect.poll(() => first(4)).toEqual(['id', 'c0', 'c1', 'n'])
	const width = () => Math.round(table.header('n').getBoundingClientRect().width)
	const before = width()
	await press('Alt+Shift+ArrowLeft')
	await expect.poll(width).toBe(before - 20)
	await press('ArrowDown')
	expect(table.grid.element().getAttribute('aria-activedescendant')).toBe('cell-0-3')
})

test('a double click on the edge of a column fits its width to its content', async () => {
	const edge = table.header('c0').querySelector('.grid-resizer')
	if (!edge) throw new Error('the header has no edge to drag')
	await page.elementLocator(edge).dblClick()
	const cell = () => table.cell(5, 'c0').element()
	await expect.poll(() => cell().scrollWidth <= cell().clientWidth).toBe(true)
	expect(table.header('c0').getBoundingClientRect().width).toBeLessThan(200)
})

test('a column has a menu, by keyboard at the header and by its button', async () => {
	await toHeader('c3')
	await press('Shift+F10')
	await item('Hide column').click()
	await expect.poll(() => table.columns()).not.toContain('c3')
	await headerOf('c4').hover()
	const button = table.header('c4').querySelector('.grid-header-menu')
	if (!button) throw new Error('the header has no menu')
	await page.elementLocator(button).click()
	await item('Filter by this column').click()
	await expect.element(table.root.getByLabelText('Column', { exact: true })).toHaveValue('c4')
})

test('a column is found by its name, even if it is hidden or outside of the view', async () => {
	await toHeader('c3')
	await press('Shift+F10')
	await item('Hide column').click()
	for (const name of ['c8', 'c3']) {
		await table.root.getByRole('button', { name: 'Columns', exact: true }).click()
		await page.getByLabelText('Search columns').fill(name)
		await press('Enter')
		await expect.poll(() => table.columns()).toContain(name)
		const index = Number(table.header(name).getAttribute('aria-colindex')) - 1
		await expect.poll(() => table.grid.element().getAttribute('aria-activedescendant')).toBe(`cell-0-${index}`)
	}
})

test('the columns of a search are hidden, shown, or shown alone together', async () => {
	await table.root.getByRole('button', { name: 'Columns', exact: true }).click()
	const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
	await page.getByLabelText('Search columns').fill('c')
	await press('Hide')
	await expect.poll(() => table.columns()).toEqual(['id', 'n'])
	await page.getByLabelText('Search columns').fill('c7')
	await press('Show')
	await expect.poll(() => table.columns()).toEqual(['id', 'n', 'c7'])
	await page.getByLabelText('Search columns').fill('c1')
	await press('Only these')
	await expect.poll(() => table.columns()).toEqual(['c1'])
	await press('Reset')
	await expect.poll(() => table.columns()).toContain('c9')
})

test('the arrangement of columns is restored when the table is opened again', async () => {
	await toHeader('n')
	await press('Alt+ArrowRight')
	await expect.poll(() => first(3)).toEqual(['id', 'c0', 'n'])
	await page.getByRole('button', { name: /^Close small/ }).click()
	await expect.poll(() => JSON.stringify(window.preferences) + JSON.stringify(window.records)).toContain('c0')
	await window.open()
	table = await window.openTable('small')
	await expect.poll(() => first(3)).toEqual(['id', 'c0', 'n'])
})

test('the largest integers fit the default width of their column', async () => {
	const events = new FakeTable('events', {
		columns: { id: {}, event_id: { kind: 'number' } },
		rows: [['e1', { number: '-9223372036854775808' }]],
	})
	table = await (await openWindow({ tables: [events] })).openTable('events')
	const cell = table.cell(0, 'event_id').element()
	expect(cell.textContent).toBe('-9223372036854775808')
	expect(cell.scrollWidth).toBeLessThanOrEqual(cell.clientWidth)
})

test('a list of many columns says how many it leaves out', async () => {
	const names = Array.from({ length: 320 }, (_, at) => [`c${at}`, {}] as const)
	const wide = new FakeTable('wide', { columns: { id: {}, ...Object.fromEntries(names) }, rows: [['1']] })
	const table = await (await openWindow({ tables: [wide] })).openTable('wide')
	await table.root.getByRole('button', { name: 'Columns', exact: true }).click()
	await expect.element(page.getByText('21 more columns are found by their name.')).toBeVisible()
	await page.getByLabelText('Search columns').fill('c31')
	await expect.element(page.getByText(/more columns are found/)).not.toBeInTheDocument()
})

test('the name of a column of numbers stands over their digits, and the icon of others over their beginning', async () => {
	const textOf = (element: Element) => {
		const range = document.createRange()
		range.selectNodeContents(element)
		return range.getBoundingClientRect()
	}
	const name = (column: string) => {
		const found = table.header(column).querySelector('.grid-header-name')
		return found ? textOf(found) : expect.unreachable()
	}
	await expect.element(table.cell(0, 'n')).toBeVisible()
	expect(Math.round(name('n').right - textOf(table.cell(0, 'n').element()).right)).toBe(0)
	const icon = table.header('c0').querySelector('svg')?.getBoundingClientRect()
	expect(Math.round((icon?.left ?? 0) - textOf(table.cell(0, 'c0').element()).left)).toBe(0)
})

test('a click beside the last column is one on its row', async () => {
	await table.cell(0, 'n').click()
	const row = document.querySelector('[role=row][data-row="1"]')
	row?.dispatchEvent(new MouseEvent('mousedown', { button: 2, bubbles: true }))
	await expect.element(page.getByText('Row 2', { exact: true })).toBeVisible()
})
