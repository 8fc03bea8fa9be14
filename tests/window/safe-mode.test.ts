import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SampleWindow, type TablePanel } from '../support/window.ts'

/** What persons write: free, asked for, or not at all, and what destroys only by name. */
describe('safe mode', () => {
	let window: SampleWindow
	let books: TablePanel
	const sheet = () => window.page.getByRole('dialog')
	const line = () => window.page.getByRole('region', { name: 'Connection of this tab' })
	const consoleTab = () => window.page.getByRole('tabpanel', { name: 'Console' })
	const runs = () => consoleTab().getByRole('article')
	const exists = async (path: string) => (await window.cluster<{ found?: boolean }>(path)).found === true

	beforeAll(async () => {
		window = await SampleWindow.open()
		books = await window.openTable('books')
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	async function edit(change: () => Promise<unknown>): Promise<void> {
		await window.page.getByRole('button', { name: 'Sample', exact: true }).hover()
		await window.page.getByRole('button', { name: 'Edit Sample' }).click()
		await sheet().getByLabel('Name', { exact: true }).waitFor()
		await change()
		await sheet().getByRole('button', { name: 'Save', exact: true }).click()
		await sheet().waitFor({ state: 'detached' })
	}
	async function write(text: string): Promise<void> {
		await consoleTab().getByRole('textbox', { name: 'Console' }).click()
		await window.page.keyboard.press('ControlOrMeta+a')
		await window.page.keyboard.press('Delete')
		await window.page.keyboard.insertText(text)
	}
	const title = async (row: number) => (await books.cell(row, 'author.country')).innerText()

	test('a connection is free, and a row that goes wants the name of its index all the same', async () => {
		await line().getByText('Free', { exact: true }).waitFor()
		const id = await (await books.cell(8, '_id')).innerText()
		await (await books.cell(8, '_id')).click()
		await window.page.keyboard.press('Delete')
		// The key that saves at once shows what would be destroyed first.
		await window.page.keyboard.press('ControlOrMeta+Shift+s')
		const save = sheet().getByRole('button', { name: 'Save', exact: true })
		await save.waitFor()
		expect(await save.isDisabled()).toBe(true)
		await sheet().getByLabel('Type books to confirm').fill('book')
		expect(await save.isDisabled()).toBe(true)
		await sheet().getByLabel('Type books to confirm').fill('books')
		await save.click()
		await expect.poll(() => exists(`/books/_doc/${id}`)).toBe(false)
		await books.told('Saved 1 document.')
	})

	test('what is marked production asks, by a word and a colour wherever it is', async () => {
		await edit(async () => {
			await sheet().getByLabel('Production').check()
			expect(await sheet().getByLabel('Writes').inputValue()).toBe('ask')
		})
		await line().getByText('Asks before writes').waitFor()
		await line().getByText('Production').waitFor()
		const sidebar = window.page.getByRole('navigation', { name: 'Connections' })
		await sidebar.getByText('Asks', { exact: true }).waitFor()
	})

	test('then a change is shown before it is sent, also by the key that saves at once', async () => {
		const before = await title(3)
		await books.edit(3, 'author.country', 'ZZ')
		await books.grid.focus()
		await window.page.keyboard.press('ControlOrMeta+Shift+s')
		await sheet().getByText('ZZ').waitFor()
		await sheet().getByRole('button', { name: 'Cancel' }).click()
		await books.root.getByText('1 change not saved').waitFor()
		await books.save()
		await books.told('Saved 1 document.')
		expect(before).not.toBe('ZZ')
	})

	test('all that a console writes is asked for once, with the list; a search is not held up', async () => {
		await window.page.getByRole('button', { name: 'Console', exact: true }).click()
		await line().getByText('Asks before writes').waitFor()
		await write('GET /books/_search\n{"size": 1}')
		await consoleTab().getByRole('button', { name: 'Run', exact: true }).click()
		await expect.poll(() => runs().count()).toBe(1)
		await runs().first().getByText('200').waitFor()
		await write('PUT /places/_doc/s1\n{"name": "a"}\n\nGET /_count\n\nPUT /places/_doc/s2\n{"name": "b"}')
		await consoleTab().getByRole('button', { name: 'Run all' }).click()
		await sheet().getByText('PUT /places/_doc/s1').waitFor()
		expect(await sheet().getByRole('listitem').count()).toBe(2)
		await sheet().getByRole('button', { name: 'Cancel' }).click()
		await sheet().waitFor({ state: 'detached' })
		// What stands behind a sheet is there again for roles a moment after it.
		await expect.poll(() => runs().count()).toBe(1)
		expect(await exists('/places/_doc/s1')).toBe(false)
		await consoleTab().getByRole('button', { name: 'Run all' }).click()
		await sheet().getByRole('button', { name: 'Run all 2' }).click()
		await expect.poll(() => runs().count()).toBe(4)
		await expect.poll(() => exists('/places/_doc/s2')).toBe(true)
	})

	test('what destroys says what is gone afterwards, and wants the name of the connection', async () => {
		await write('DELETE /places/_doc/s1')
		await consoleTab().getByRole('button', { name: 'Run', exact: true }).click()
		await sheet().getByText('This deletes: the document s1 of places.').waitFor()
		expect(await sheet().getByRole('button', { name: 'Run it' }).isDisabled()).toBe(true)
		await sheet().getByLabel('Type Sample to confirm').fill('Sample')
		await window.page.keyboard.press('Enter')
		await expect.poll(() => exists('/places/_doc/s1')).toBe(false)
	})

	test('read only writes nothing, and says which setting that is', async () => {
		await edit(() => sheet().getByLabel('Writes').selectOption('read-only'))
		await line().getByText('Read only').waitFor()
		await write('PUT /places/_doc/s3\n{"name": "c"}')
		await consoleTab().getByRole('button', { name: 'Run', exact: true }).click()
		await runs().first().getByText('"Sample" is read only').waitFor()
		expect(await exists('/places/_doc/s3')).toBe(false)
		expect(window.faults).toEqual([])
	})
})
