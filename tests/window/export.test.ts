import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { alterAnswers } from '../support/host-answers.ts'
import { SampleWindow, type TablePanel } from '../support/window.ts'

/**
 * Downloads of exports: whole documents with every digit, constant memory, and no partial file under the final name.
 */
describe('export', () => {
	let window: SampleWindow
	let books: TablePanel

	beforeAll(async () => {
		window = await SampleWindow.open()
		books = await window.openTable('books')
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	const dialog = () => window.page.getByRole('dialog')

	async function download(choose: () => Promise<void>): Promise<string> {
		await books.more('Export')
		await choose()
		const [file] = await Promise.all([
			window.page.waitForEvent('download'),
			dialog()
				.getByRole('button', { name: /^Export/ })
				.click(),
		])
		const text = await readFile(await file.path(), 'utf8')
		await dialog()
			.getByText(/Exported/)
			.waitFor()
		await dialog().getByRole('button', { name: 'Close' }).last().click()
		return text
	}

	test('the whole index as NDJSON contains every document, uncut and with every digit', async () => {
		const text = await download(async () => {})
		const { count } = await window.cluster<{ count: number }>('/books/_count')
		expect(text.trim().split('\n')).toHaveLength(count)
		expect(text).toMatch(/"barcode":17144233728206122483/)
		expect(text).not.toMatch(/\.\.\.$/m)
	})

	test('the selected rows as CSV have the columns of the grid, without one that never has a value', async () => {
		await (await books.cell(0, '_id')).click()
		await (await books.cell(2, '_id')).click({ modifiers: ['Shift'] })
		// Several selected rows are what an export offers first.
		const text = await download(async () => {
			await dialog().getByRole('button', { name: 'Export 3 documents' }).waitFor()
			await dialog().getByLabel('Format').selectOption('csv')
		})
		const lines = text.trim().split('\r\n')
		expect(lines[0]?.split(',').slice(0, 3)).toEqual(['_id', '_index', '_score'])
		expect(lines.slice(1).map(line => line.split(',')[0])).toEqual(['1', '2', '3'])
		// Sorted rows have no score.
		await books.header('author.born').click()
		await expect.poll(async () => (await books.cell(0, '_id')).innerText()).not.toBe('1')
		const sorted = await download(() => dialog().getByLabel('Format').selectOption('csv').then())
		expect(sorted.split(',').slice(0, 3)).toEqual(['_id', '_index', 'title'])
	})

	test('an export contains the rows that the filters show', async () => {
		const query = books.root.getByRole('searchbox', { name: 'Query' })
		await query.fill('author.country:PE')
		await query.press('Enter')
		const { count } = await window.cluster<{ count: number }>('/books/_count?q=author.country:PE')
		const text = await download(async () => {
			await dialog()
				.getByRole('button', { name: `Export ${count} documents` })
				.waitFor()
			// The export before was CSV.
			await dialog().getByLabel('Format').selectOption('ndjson')
			await dialog().getByLabel('Documents').selectOption('all')
			await dialog().getByRole('button', { name: 'Export 3,003 documents' }).waitFor()
			await dialog().getByLabel('Documents').selectOption('shown')
		})
		expect(text.trim().split('\n')).toHaveLength(count)
	})

	test('an export that opens before a filter is read follows it', async () => {
		const read = Promise.withResolvers<void>()
		await alterAnswers(window.page, { 'rows.readRaw': result => read.promise.then(() => result) })
		const { count } = await window.cluster<{ count: number }>('/books/_count?q=author.country:PE')
		await window.page.reload()
		const query = books.root.getByRole('searchbox', { name: 'Query' })
		// A query that comes back would replace what is typed before it.
		await books.root.getByText(`${count} documents`, { exact: true }).waitFor()
		await query.fill('')
		await query.press('Enter')
		// The query of before the reload is gone.
		await books.root.getByText('3,003 documents', { exact: true }).waitFor()
		await query.fill('author.country:PE')
		await query.press('Enter')
		await books.more('Export')
		// Before or, on a busy machine, after the time that the window waits for the reading of a query.
		await dialog()
			.getByRole('button', { name: /^Export .* documents$/ })
			.waitFor()
		read.resolve()
		await dialog()
			.getByRole('button', { name: `Export ${count} documents` })
			.waitFor()
		expect(window.faults).toEqual([])
	})
})
