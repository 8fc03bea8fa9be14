import type { Locator } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SampleWindow, type TablePanel } from '../../support/window.ts'

/** A grid and its panels in a narrow window, and in one of two panes. */
let window: SampleWindow
let books: TablePanel
const page = () => window.page
const press = (keys: string) => page().keyboard.press(keys)
const row = () => page().getByRole('complementary', { name: 'Document' })
const statistics = () => page().getByRole('complementary', { name: /^Statistics of/ })
const box = async (element: Locator) => (await element.boundingBox()) ?? expect.unreachable()
const openRow = async () => {
	await (await books.cell(0, '_id')).click()
	await press('Space')
	await row().waitFor()
}
const openStatistics = async () => {
	await (await books.cell(0, '_id')).click()
	await press('Alt+t')
	await statistics().waitFor()
}

beforeAll(async () => {
	window = await SampleWindow.open()
	books = await window.openTable('books')
})
afterAll(() => window?.[Symbol.asyncDispose]())

test('the statistics of a column and the current row replace each other beside the grid', async () => {
	await openRow()
	await openStatistics()
	expect(await row().count()).toBe(0)
	await openRow()
	expect(await statistics().count()).toBe(0)
})

test('text that is typed in the row and cannot be staged is not lost to the statistics', async () => {
	await row().locator('.cm-content').click()
	await press('End')
	await page().keyboard.type('{')
	await (await books.cell(0, '_id')).click()
	await press('Alt+t')
	await books.root.getByText('Keep or undo the text that is typed beside the grid first.').waitFor()
	expect(await statistics().count()).toBe(0)
	await row().getByRole('button', { name: 'Undo', exact: true }).click()
})

for (const [width, isSplit] of [
	[1440, true],
	[1024, false],
	[800, false],
] as const)
	test(`the grid keeps half of its pane, in a window of ${width} pixels${isSplit ? ' with two panes' : ''}`, async () => {
		await page().setViewportSize({ width, height: 700 })
		if (isSplit) await press('ControlOrMeta+\\')
		for (const [open, panel] of [
			[openRow, row],
			[openStatistics, statistics],
		] as const) {
			await open()
			const pane = await box(books.root)
			const grid = await box(books.grid)
			const beside = await box(panel())
			expect(grid.width).toBeGreaterThanOrEqual(pane.width / 2 - 10)
			expect(beside.x + beside.width).toBeLessThanOrEqual(pane.x + pane.width + 1)
		}
		if (isSplit) await press('ControlOrMeta+\\')
	})

test('every column can be reached if the grid is narrower than twice its pinned columns', async () => {
	const grid = await box(books.grid)
	expect(grid.width).toBeLessThan(400)
	await books.grid.evaluate(element => element.scrollTo(150, 0))
	const header = await box(books.root.locator('[data-header]').nth(1))
	await expect.poll(async () => (await box(books.root.locator('[data-header="_id"]'))).x).toBeLessThan(grid.x)
	expect(header.x).toBeLessThan(grid.x + grid.width)
	await page().setViewportSize({ width: 1440, height: 900 })
	await expect.poll(async () => (await box(books.root.locator('[data-header="_id"]'))).x).toBeGreaterThan(grid.x)
	expect(window.faults).toEqual([])
})
