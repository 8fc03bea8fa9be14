import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SampleWindow, type TablePanel } from '../../support/window.ts'

interface Book {
	readonly _source: { readonly author: { readonly country: string } }
}

/** Messages of the window: one line at the right of the status line, with an undo button if possible. */
describe('messages of the window', () => {
	let window: SampleWindow
	let books: TablePanel
	beforeAll(async () => {
		window = await SampleWindow.open()
		books = await window.openTable('books')
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	const messages = () => window.page.getByRole('region', { name: 'Messages' })
	const lines = () => messages().getByRole('listitem')
	const country = async (id: string) => (await window.cluster<Book>(`/books/_doc/${id}`))._source.author.country

	test('a save is announced politely, moves nothing, and can be undone from its message by keyboard', async () => {
		const id = await (await books.cell(0, '_id')).innerText()
		const before = await country(id)
		const height = async () => (await books.grid.boundingBox())?.height
		const stood = await height()
		await books.edit(0, 'author.country', 'QQ')
		await books.save()
		await lines().filter({ hasText: 'Saved 1 document.' }).waitFor()
		expect(await messages().getByRole('list').getAttribute('aria-live')).toBe('polite')
		expect(await books.root.getByText('Saved 1 document.').count()).toBe(0)
		expect(await height()).toBe(stood)
		expect(await country(id)).toBe('QQ')
		await lines().getByRole('button', { name: 'Undo' }).focus()
		await window.page.keyboard.press('Enter')
		await expect.poll(() => country(id)).toBe(before)
		await expect.poll(async () => (await books.cell(0, 'author.country')).innerText()).toBe(before)
		await books.dismissMessage('Undid the changes of 1 document.')
	})

	test('a message stays while it has the pointer or the focus; Escape closes it and returns the focus', async () => {
		const { page } = window
		await page.clock.install()
		await books.edit(1, 'author.country', 'QR')
		await books.save()
		await lines().first().hover()
		await page.clock.runFor(60_000)
		expect(await lines().count()).toBe(1)
		await books.grid.focus()
		await lines().getByRole('button', { name: 'Dismiss' }).focus()
		await page.mouse.move(0, 0)
		await page.clock.runFor(60_000)
		expect(await lines().count()).toBe(1)
		await page.keyboard.press('Escape')
		await lines().first().waitFor({ state: 'detached' })
		expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('grid')
	})

	test('an untouched line disappears by itself', async () => {
		await books.edit(2, 'author.country', 'QS')
		await books.save()
		await lines().first().waitFor()
		await window.page.clock.runFor(11_000)
		await lines().first().waitFor({ state: 'detached' })
		await window.page.clock.resume()
		expect(window.faults).toEqual([])
	})
})
