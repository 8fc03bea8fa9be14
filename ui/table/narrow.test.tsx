import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { fakeBooks } from '../testing/books.ts'
import { openWindow, type TablePanel } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'

/** A grid and the panel beside it in a narrow window, and in one of two panes. */

let books: TablePanel

beforeEach(async () => {
	books = await (await openWindow({ tables: [fakeBooks()] })).openTable('books')
})
afterEach(() => page.viewport(1280, 820))

const row = () => page.getByRole('complementary', { name: 'Row' })
const statistics = () => page.getByRole('complementary', { name: /^Statistics of/ })
const box = (element: Locator) => element.element().getBoundingClientRect()

async function open(key: string, panel: Locator): Promise<void> {
	await books.cell(0, 'id').click()
	await press(key)
	await expect.element(panel).toBeVisible()
}
const openRow = () => open('Space', row())
const openStatistics = () => open('Alt+t', statistics())

test('the statistics of a column and the current row replace each other beside the grid', async () => {
	await openRow()
	await openStatistics()
	await expect.element(row()).not.toBeInTheDocument()
	await openRow()
	await expect.element(statistics()).not.toBeInTheDocument()
})

test('text that is typed in the row and cannot be staged is not lost to the statistics', async () => {
	await openRow()
	await row().getByRole('textbox', { name: 'Row as JSON' }).fill('{')
	await books.cell(0, 'id').click()
	await press('Alt+t')
	const text = 'Keep or undo the text that is typed beside the grid first.'
	await expect.element(books.root.getByText(text)).toBeVisible()
	await expect.element(statistics()).not.toBeInTheDocument()
})

test.for([
	[1440, true],
	[1024, false],
	[800, false],
] as const)('the grid keeps half of its pane in a window of %i pixels, two panes: %s', async ([width, isSplit]) => {
	await page.viewport(width, 700)
	if (isSplit) {
		await press('ControlOrMeta+t')
		await page.getByRole('tab', { name: 'books' }).click()
		await press('ControlOrMeta+k')
		await press('s')
		await expect.poll(() => document.querySelector('.panes.split')).not.toBeNull()
	}
	for (const [openPanel, panel] of [
		[openRow, row],
		[openStatistics, statistics],
	] as const) {
		await openPanel()
		const pane = box(books.root)
		expect(box(books.grid).width).toBeGreaterThanOrEqual(pane.width / 2 - 10)
		expect(box(panel()).right).toBeLessThanOrEqual(pane.right + 1)
	}
})

test('every column can be reached if the grid is narrower than twice its pinned columns', async () => {
	await page.elementLocator(books.header('title')).click({ button: 'right' })
	await page.getByRole('menuitem', { name: 'Pin to the left' }).click()
	await openStatistics()
	await page.viewport(480, 700)
	const left = (column: string) => books.header(column).getBoundingClientRect().left
	await expect.poll(() => box(books.grid).width).toBeLessThan(400)
	books.grid.element().scrollTo(150, 0)
	await expect.poll(() => left('id')).toBeLessThan(box(books.grid).left)
	await page.viewport(1440, 900)
	await expect.poll(() => left('id')).toBeGreaterThan(box(books.grid).left)
})

test('a column begins at the edge of the pinned ones after any scrolling, so that no letter is halved', async () => {
	await page.viewport(600, 700)
	const edge = () => books.header('id').getBoundingClientRect().right
	const others = () => [...books.grid.element().querySelectorAll('.grid-header:not(.pinned)')]
	for (const left of [60, 130, 215]) {
		books.grid.element().scrollTo(left, 0)
		await expect
			.poll(() => others().some(header => Math.abs(header.getBoundingClientRect().left - edge()) <= 1))
			.toBe(true)
	}
})

test('the columns end where one begins beside the pinned ones, so that none is cut in the middle of a letter', async () => {
	await page.viewport(700, 500)
	await books.cell(0, 'id').click()
	await press('End')
	const grid = books.grid.element()
	await expect.poll(() => grid.scrollLeft).toBeGreaterThan(0)
	grid.scrollTo({ left: grid.scrollWidth })
	const edge = () => grid.querySelector('.grid-header.pinned')?.getBoundingClientRect().right ?? Number.NaN
	const begins = () =>
		[...grid.querySelectorAll('.grid-header:not(.pinned)')].map(head => Math.round(head.getBoundingClientRect().left))
	await expect.poll(begins).toContain(Math.round(edge()))
	expect(grid.scrollLeft).toBe(grid.scrollWidth - grid.clientWidth)
})

test('the last column beside a panel is whole, ends with a mark of more, or waits until it is scrolled to', async () => {
	await openRow()
	const cells = () =>
		[...books.grid.element().querySelectorAll<HTMLElement>('[data-row="0"] > .grid-cell, .grid-header')].filter(
			cell => getComputedStyle(cell).opacity !== '0',
		)
	for (const width of [1280, 1190, 1090, 990, 890]) {
		await page.viewport(width, 700)
		const right = () => books.grid.element().getBoundingClientRect().left + books.grid.element().clientWidth
		const beyond = () =>
			cells()
				.map(cell => cell.getBoundingClientRect())
				// The padding of a value may be beyond the edge, the value may not.
				.filter(({ left, right: end }) => left < right() && end > right() + 10)
		await expect.poll(beyond).toEqual([])
	}
	// What waits is whole once it is scrolled to.
	await books.cell(0, 'id').click()
	await press('End')
	const focused = () => books.grid.element().querySelector<HTMLElement>('.grid-cell.current')
	await expect.poll(() => focused()?.dataset.column !== '0' && focused()?.style.opacity).toBe('')
})

test('a grid that becomes narrower stays at its first columns', async () => {
	await page.viewport(1280, 700)
	await books.cell(0, 'title').click()
	const grid = books.grid.element()
	const before = grid.clientWidth
	await page.viewport(560, 700)
	await expect.poll(() => grid.clientWidth).toBeLessThan(before)
	expect(grid.scrollWidth).toBeGreaterThan(grid.clientWidth)
	await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
	expect(grid.scrollLeft).toBe(0)
})

test('a grid that becomes wider at its last columns begins at a column', async () => {
	await page.viewport(560, 700)
	await books.cell(0, 'id').click()
	await press('End')
	const grid = books.grid.element()
	await expect.poll(() => grid.scrollLeft).toBeGreaterThan(0)
	const edge = () => Math.round(grid.querySelector('.grid-header.pinned')?.getBoundingClientRect().right ?? Number.NaN)
	const begins = () =>
		[...grid.querySelectorAll('.grid-header:not(.pinned)')].map(head => Math.round(head.getBoundingClientRect().left))
	for (const width of [600, 640, 690, 730]) {
		await page.viewport(width, 700)
		await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
		await expect.poll(begins).toContain(edge())
	}
})
