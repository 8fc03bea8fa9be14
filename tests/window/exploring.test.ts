import { afterAll, beforeAll, expect, test } from 'vitest'
import { SampleWindow, type TablePanel } from '../support/window.ts'

/** Exploring a table by clicks and by keys. */
let window: SampleWindow
let books: TablePanel
const page = () => window.page
const press = (keys: string) => page().keyboard.press(keys)
const chips = () => books.root.getByRole('list', { name: 'Filters' })
const chip = (words: string) => chips().getByRole('button', { name: words, exact: true })
const count = (text: string) => books.root.getByText(text, { exact: true }).first().waitFor()
const removeAll = async () => {
	for (
		let left = await chips()
			.getByRole('button', { name: /^Remove/ })
			.count();
		left > 0;
		left--
	)
		await chips()
			.getByRole('button', { name: /^Remove/ })
			.first()
			.click()
	await count('3,003 documents')
	// The rows of the last query may still be shown.
	await expect.poll(() => shown('author.country')).toContain('JP')
}
/** The different values of a column in view. */
const shown = async (column: string) => [...new Set(await (await books.cells(column)).allInnerTexts())]

beforeAll(async () => {
	window = await SampleWindow.open()
	books = await window.openTable('books')
})
afterAll(() => window?.[Symbol.asyncDispose]())

test('the menu of a cell filters for its value, and filters it out', async () => {
	await (await books.cell(0, 'author.country')).click({ button: 'right' })
	await page()
		.getByRole('menuitem', { name: /^Filter for this/ })
		.click()
	await chip('author.country is NG').waitFor()
	await expect.poll(() => shown('author.country')).toEqual(['NG'])
	await (await books.cell(0, 'author.born')).click({ button: 'right' })
	await page()
		.getByRole('menuitem', { name: /^Filter out/ })
		.click()
	await chip('author.born is not 1863').waitFor()
	await expect.poll(() => shown('author.born')).not.toContain('1863')
	await removeAll()
})

test('keys filter by the focused cell, and a minus sign begins a number', async () => {
	await (await books.cell(1, 'author.country')).click()
	await press('=')
	await chip('author.country is AT').waitFor()
	await press('-')
	await chip('author.country is not AT').waitFor()
	await count('No documents')
	await removeAll()
	await (await books.cell(1, 'author.born')).click()
	await press('-')
	expect(await books.root.getByRole('textbox', { name: 'Edit author.born' }).inputValue()).toBe('-')
	await press('Escape')
	await press('Alt+-')
	await chip('author.born is not 1931').waitFor()
	await removeAll()
})

test('a filter is changed in place, inverted and removed', async () => {
	await (await books.cell(0, 'author.country')).click()
	await press('=')
	await chip('author.country is NG').click()
	const fields = chips().getByRole('form', { name: 'Change author.country is NG' })
	await fields.getByLabel('Value').fill('DE')
	await press('Enter')
	await chip('author.country is DE').waitFor()
	await chip('author.country is DE').click()
	await press('Escape')
	await chip('author.country is DE').click({ modifiers: ['Alt'] })
	await chip('author.country is not DE').focus()
	await press('Delete')
	await count('3,003 documents')
	expect(window.faults).toEqual([])
})

test('a pattern opens as one table from the search of the sidebar, and an alias from Ctrl+P', async () => {
	await page().getByRole('searchbox', { name: 'Search indices' }).fill('b*,places')
	await page()
		.getByRole('list', { name: 'Found by name' })
		.getByRole('button', { name: /^b\*,places/ })
		.click()
	const both = page().getByRole('tabpanel', { name: 'b*,places', exact: true })
	await both.getByText('5,503 documents').waitFor()
	await both.getByRole('gridcell').first().waitFor()
	await page().getByRole('searchbox', { name: 'Search indices' }).fill('')
	await press('ControlOrMeta+p')
	await page().keyboard.type('librar')
	await page()
		.getByRole('dialog', { name: 'Open' })
		.getByRole('option', { name: /^Open library/ })
		.click()
	await page().getByRole('tabpanel', { name: 'library', exact: true }).getByText('3,003 documents').waitFor()
	expect(window.faults).toEqual([])
})

test('statistics show the numbers of a column and its top values, which filter', async () => {
	await page().getByRole('tab', { name: 'books', exact: true }).click()
	await (await books.cell(0, 'author.country')).click({ button: 'right' })
	await page()
		.getByRole('menuitem', { name: /^Top values/ })
		.click()
	const panel = page().getByRole('complementary', { name: 'Statistics of author.country' })
	await panel.getByText('3,003').first().waitFor()
	const first = panel.getByRole('list').getByRole('button').first()
	const value = await first.locator('.statistics-text').innerText()
	await first.click()
	await chip(`author.country is ${value}`).waitFor()
	await expect.poll(() => panel.getByRole('list').getByRole('listitem').count()).toBe(1)
	await removeAll()
	await panel.getByRole('button', { name: 'Close the statistics' }).click()
	expect(await panel.count()).toBe(0)
	await (await books.cell(0, 'author.born')).click()
	await press('Alt+t')
	const born = page().getByRole('complementary', { name: 'Statistics of author.born' })
	await born.getByText('Smallest').waitFor()
	await born
		.getByText('1832')
		.or(born.getByText(/^18\d\d$/))
		.first()
		.waitFor()
	expect(window.faults).toEqual([])
})

test('a document is duplicated without its id, and saved as a new one', async () => {
	await (await books.cell(0, 'title')).click()
	const title = await (await books.cell(0, 'title')).innerText()
	await press('ControlOrMeta+Shift+d')
	const sheet = page().getByRole('dialog', { name: 'New document' })
	await sheet.getByText('As JSON').click()
	expect(await sheet.getByLabel('Document as JSON').inputValue()).toContain(JSON.stringify(title))
	expect(await sheet.getByLabel('_id').inputValue()).toBe('')
	await sheet.getByLabel('_id').fill('a-copy')
	await sheet.getByRole('button', { name: 'Add', exact: true }).click()
	await books.save()
	await books.nothingStaged()
	// The list of indices counts it too.
	const list = page().getByRole('list', { name: 'Indices' })
	await list.getByRole('button', { name: 'books' }).getByText('3,004').waitFor()
	const copy = await window.cluster<{ _source: unknown }>('/books/_doc/a-copy')
	const original = await window.cluster<{ _source: unknown }>('/books/_doc/1')
	expect(copy._source).toEqual(original._source)
	expect(window.faults).toEqual([])
})
