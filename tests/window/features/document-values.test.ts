import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SampleWindow, type TablePanel } from '../../support/window.ts'

/** The values of the document beside a grid. */
describe('values of a document', () => {
	let window: SampleWindow
	let books: TablePanel
	const panel = () => window.page.getByRole('complementary', { name: 'Document' })
	const editor = () => panel().getByRole('textbox', { name: 'Document as JSON' })
	const tree = () => panel().getByRole('tree', { name: 'Document as a tree' })
	const press = (keys: string) => window.page.keyboard.press(keys)

	beforeAll(async () => {
		window = await SampleWindow.open()
		books = await window.openTable('books')
		await (await books.cell(0, '_id')).click()
		await press('Space')
		await editor().waitFor()
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	test('a value of the tree filters the grid, and leads to its column', async () => {
		await panel().getByText('Tree', { exact: true }).click()
		const country = tree().getByRole('treeitem').filter({ hasText: 'country' })
		const value = ((await country.locator('.tree-value').textContent()) ?? '').replaceAll('"', '')
		const chip = (words: string) => books.root.getByRole('button', { name: words, exact: true })
		await tree()
			.getByRole('treeitem')
			.filter({ hasText: /^author/ })
			.click({ button: 'right' })
		await window.page.getByRole('menuitem', { name: /^Filter for this/ }).click()
		await books.root.getByText('author is not a column, so it cannot be filtered.').waitFor()
		await country.click({ button: 'right' })
		await window.page.getByRole('menuitem', { name: /^Go to the column/ }).click()
		await expect.poll(() => window.page.evaluate("document.activeElement?.getAttribute('role')")).toBe('grid')
		const header = books.root.getByRole('columnheader', { name: 'author.country' })
		await header.waitFor()
		await country.click({ button: 'right' })
		await window.page.getByRole('menuitem', { name: 'Hide the column' }).click()
		await header.waitFor({ state: 'detached' })
		await country.click({ button: 'right' })
		await window.page.getByRole('menuitem', { name: 'Show the column' }).click()
		await header.waitFor()
		await country.click({ button: 'right' })
		await window.page.getByRole('menuitem', { name: /^Filter out/ }).click()
		await chip(`author.country is not ${value}`).waitFor()
		await country.click()
		await press('=')
		await chip(`author.country is ${value}`).waitFor()
		for (const words of [`author.country is not ${value}`, `author.country is ${value}`]) {
			await chip(words).focus()
			await press('Delete')
			await chip(words).waitFor({ state: 'detached' })
		}
		await books.root.getByText('3,003 documents', { exact: true }).waitFor()
		await panel().getByText('JSON', { exact: true }).click()
		await editor().waitFor()
	})

	test('a stack trace is shown with its lines', async () => {
		const lines = Array.from({ length: 20 }, (_, at) => `\tat shop.Basket.add${at}(Basket.java:${at})`)
		const error = { message: 'no', stack_trace: ['java.lang.Error: no', ...lines].join('\n') }
		await window.cluster('/traces/_doc/1?refresh=true', { method: 'PUT', body: { error } })
		await window.page.locator('.tables-head').getByRole('button', { name: 'Reload' }).click()
		const traces = await window.openTable('traces')
		await (await traces.cell(0, '_id')).click()
		await press('Space')
		await traces.root.getByText('Tree', { exact: true }).click()
		const trace = traces.root.getByRole('treeitem').filter({ hasText: 'stack_trace' })
		expect(await trace.getAttribute('aria-expanded')).toBe('false')
		await trace.click()
		expect(await trace.locator('.tree-value').textContent()).toBe(error.stack_trace)
		await expect.poll(async () => (await trace.boundingBox())?.height).toBeGreaterThan(21 * 15)
		await press('ArrowLeft')
		await expect.poll(() => trace.getAttribute('aria-expanded')).toBe('false')
		await traces.root.getByText('JSON', { exact: true }).click()
		await window.page.getByRole('button', { name: 'Close traces' }).click()
	})
})
