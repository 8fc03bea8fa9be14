import { afterAll, beforeAll, expect, test } from 'vitest'
import { SampleWindow } from '../../support/window.ts'

/** Finding tables by patterns and aliases, and a copy of a document. */
let window: SampleWindow
const page = () => window.page
const press = (keys: string) => page().keyboard.press(keys)

beforeAll(async () => {
	window = await SampleWindow.open()
})
afterAll(() => window?.[Symbol.asyncDispose]())

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

test('Enter in the search of the sidebar opens the first hit, and the arrow leads to the hits', async () => {
	const search = page().getByRole('searchbox', { name: 'Search indices' })
	const open = (name: string) => page().getByRole('tabpanel', { name, exact: true }).waitFor()
	const focused = () => page().evaluate<string>('document.activeElement.textContent')
	await search.fill('plac')
	await search.press('Enter')
	await open('places')
	// Faster than the look-up of names beyond the list.
	await search.fill('eve*,boo*')
	await search.press('Enter')
	await open('eve*,boo*')
	await search.fill('archive')
	await page().getByText('Nothing matches.').waitFor()
	const archive = (action: 'add' | 'remove') =>
		window.cluster('/_aliases', {
			method: 'POST',
			body: { actions: [{ [action]: { index: 'books', alias: 'archive' } }] },
		})
	await archive('add')
	await page().getByRole('navigation').getByRole('button', { name: 'Reload' }).click()
	await page()
		.getByRole('list', { name: 'Found by name' })
		.getByRole('button', { name: /^archive/ })
		.waitFor()
	await archive('remove')
	await search.fill('librar')
	await page().getByRole('list', { name: 'Found by name' }).getByRole('button').first().waitFor()
	await search.press('ArrowDown')
	await expect.poll(focused).toMatch(/^library/)
	await press('ArrowUp')
	await press('ControlOrMeta+a')
	// No alias has this letter, also not the one that the driver may still know.
	await page().keyboard.type('s')
	await page().getByRole('list', { name: 'Found by name' }).waitFor({ state: 'detached' })
	await search.press('ArrowDown')
	await expect.poll(focused).toMatch(/^books/)
	await search.fill('')
})

test('a document is duplicated without its id, and saved as a new one', async () => {
	const books = await window.openTable('books')
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
