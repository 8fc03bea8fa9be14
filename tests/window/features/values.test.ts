import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { SampleWindow, type TablePanel } from '../../support/window.ts'

interface Document {
	readonly found: boolean
	readonly _source: Readonly<Record<string, unknown>>
}

/** Editors for values: a sheet for one value, a date by its parts, a new row by its fields, the rest of a cut cell. */
describe('values', () => {
	let window: SampleWindow
	let books: TablePanel

	beforeAll(async () => {
		window = await SampleWindow.open()
		await window.cluster('/books/_doc/long?refresh=true', {
			method: 'PUT',
			body: {
				title: 'A first of all titles',
				summary: 'one\r\ntwo\ttabbed\nthree',
				published: '2024-07-01T22:30:00.120Z',
				attributes: { shelf: { row: 1 } },
			},
		})
		books = await window.openTable('books')
		await books.search('_id:long', '1 document')
	})
	afterEach(async () => {
		// Closes what a failed test left open, because it would cover the grid.
		if ((await dialog().count()) > 0) await keys('Escape')
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	const dialog = () => window.page.getByRole('dialog')
	const keys = (text: string) => window.page.keyboard.press(text)
	const stored = async (id: string) => (await window.cluster<Document>(`/books/_doc/${id}`))._source

	async function open(column: string): Promise<void> {
		await books.scrollTo(column)
		await (await books.cell(0, column)).click()
		await keys('Alt+Enter')
		await dialog().waitFor()
		await expect.poll(() => dialog().locator('.cm-content:focus, input:focus').count()).toBe(1)
	}
	async function save(): Promise<void> {
		await books.save()
		await books.dismissMessage('Saved 1 document.')
	}

	test('a long text opens with its lines, and parts that are not edited do not change', async () => {
		await open('summary')
		const editor = dialog().getByRole('textbox', { name: 'Value of summary' })
		expect(await dialog().locator('.cm-lineNumbers .cm-gutterElement').allInnerTexts()).toContain('3')
		await editor.press('ControlOrMeta+End')
		await window.page.keyboard.type('!')
		await dialog().getByRole('button', { name: 'Keep' }).click()
		await save()
		expect((await stored('long')).summary).toBe('one\r\ntwo\ttabbed\nthree!')
	})

	test('invalid JSON cannot be committed, and Escape keeps the old value', async () => {
		await open('attributes')
		await keys('ControlOrMeta+a')
		await keys('Delete')
		await window.page.keyboard.type('{"shelf":')
		await dialog()
			.getByText(/This is not JSON/)
			.waitFor()
		expect(await dialog().getByRole('button', { name: 'Keep', exact: true }).isDisabled()).toBe(true)
		await keys('Escape')
		await dialog().getByRole('button', { name: 'Discard' }).click()
		await dialog().waitFor({ state: 'detached' })
		expect(await books.root.getByText(/not saved/).count()).toBe(0)
		// The grid receives the keys again.
		await keys('Alt+Enter')
		await dialog().waitFor()
		await keys('Escape')
		await dialog().waitFor({ state: 'detached' })
	})

	test('a date is edited by its parts in a time zone, and stored with its own offset and digits', async () => {
		await open('published')
		await dialog().getByLabel('Zone').selectOption('Asia/Tokyo')
		expect(await dialog().getByLabel('Date').inputValue()).toBe('2024-07-02')
		expect(await dialog().getByLabel('Time').inputValue()).toBe('07:30:00')
		await dialog().getByLabel('Time').fill('08:45:10')
		await dialog().getByLabel('Time').blur()
		expect(await dialog().getByLabel('Value of published').inputValue()).toBe('2024-07-01T23:45:10.120Z')
		await dialog().getByRole('button', { name: 'Keep' }).click()
		await save()
		expect((await stored('long')).published).toBe('2024-07-01T23:45:10.120Z')
	})

	test('a read-only value opens for reading', async () => {
		await open('_id')
		await dialog().getByRole('textbox', { name: 'Value of _id' }).waitFor()
		expect(await dialog().getByRole('button', { name: 'Keep' }).count()).toBe(0)
		await keys('Escape')
	})

	test('the rest of a cut cell is shown while the pointer rests on it', async () => {
		await books.scrollTo('summary')
		const cell = await books.cell(0, 'summary')
		await cell.evaluate(element => {
			element.style.width = '40px'
		})
		await cell.hover()
		await window.page.getByRole('tooltip').getByText('tabbed').waitFor()
		await window.page.mouse.move(5, 5)
		await window.page.getByRole('tooltip').waitFor({ state: 'detached' })
	})

	test('a date shows its local and relative time, and long digits their separators, to pointer and focus', async () => {
		const { page } = window
		await window.cluster('/books/_update/long?refresh=true', {
			method: 'POST',
			body: { doc: { published: '2024-07-01T22:30:00.120Z' } },
		})
		await fetch(`${window.clusterUrl}/books/_update/long?refresh=true`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: '{"doc":{"isbn":9223372036854775807}}',
		})
		await books.root.getByRole('button', { name: 'Reload' }).click()
		await books.scrollTo('published')
		await (await books.cell(0, 'published')).hover()
		await page
			.getByRole('tooltip')
			.getByText(/2024.* in .+, \d+ years? ago/)
			.waitFor()
		await books.scrollTo('isbn')
		const isbn = await books.cell(0, 'isbn')
		await isbn.click()
		await page.mouse.move(5, 5)
		await page.getByRole('tooltip').waitFor({ state: 'detached' })
		await keys('ArrowRight')
		await keys('ArrowLeft')
		await page.getByRole('tooltip').getByText('9,223,372,036,854,775,807').waitFor()
		await keys('ArrowLeft')
	})

	test('a new row is edited by its fields, and its JSON follows', async () => {
		await books.root.getByRole('button', { name: 'New document' }).click()
		await dialog().getByText('By field').click()
		await dialog().getByLabel('_id').fill('by-field')
		await dialog().getByLabel('author.name', { exact: true }).fill('Ada')
		await dialog().getByLabel('pages', { exact: true }).fill('many')
		await dialog().getByRole('button', { name: 'Add', exact: true }).click()
		await dialog().getByText('pages cannot be read.').waitFor()
		await dialog().getByLabel('pages', { exact: true }).fill('12')
		await dialog().getByLabel('in_print', { exact: true }).selectOption('true')
		await dialog().getByRole('searchbox', { name: 'Find a field' }).fill('isb')
		await dialog().getByLabel('isbn', { exact: true }).fill('9223372036854775807')
		await dialog().getByText('As JSON').click()
		const json = await dialog().getByLabel('Document as JSON').inputValue()
		expect(json).toContain('"isbn": 9223372036854775807')
		expect(JSON.parse(json)).toMatchObject({ author: { name: 'Ada' }, pages: 12, in_print: true })
		await dialog().getByText('By field').click()
		await dialog().getByRole('button', { name: 'Add', exact: true }).click()
		await save()
		expect(await stored('by-field')).toMatchObject({ author: { name: 'Ada' }, pages: 12, in_print: true })
		expect(window.faults).toEqual([])
	})
})
