import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SampleWindow, type TablePanel } from '../../support/window.ts'

/** Writes of a user are free, confirmed or refused, and destructive ones require a typed name. */
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

	test('a free connection shows what is deleted, without a name to type', async () => {
		await line().getByText('Writes without asking', { exact: true }).waitFor()
		const id = await (await books.cell(8, '_id')).innerText()
		await (await books.cell(8, '_id')).click()
		await window.page.keyboard.press('Delete')
		// The key that saves directly first shows what would be destroyed.
		await window.page.keyboard.press('ControlOrMeta+Shift+s')
		await window.page.getByRole('dialog', { name: 'Save 1 change on Sample' }).waitFor()
		await sheet().getByRole('button', { name: 'Delete 1 document' }).click()
		await expect.poll(() => exists(`/books/_doc/${id}`)).toBe(false)
		await books.dismissMessage('Deleted 1 document.')
	})

	test('a production connection asks, and is marked by a word and a colour', async () => {
		await edit(async () => {
			await sheet().getByLabel('Production').check()
			expect(await sheet().getByLabel('Writes').inputValue()).toBe('ask')
		})
		await line().getByText('Asks before writes').waitFor()
		await line().getByText('Production').waitFor()
		const sidebar = window.page.getByRole('navigation', { name: 'Connections' })
		await sidebar.getByText('Asks', { exact: true }).waitFor()
		const bar = await window.page.locator('.production-bar').boundingBox()
		expect([bar?.y, bar?.height, bar?.width]).toEqual([0, 3, window.page.viewportSize()?.width])
	})

	test('a production connection requires the name of the index to delete a row', async () => {
		const id = await (await books.cell(8, '_id')).innerText()
		await (await books.cell(8, '_id')).click()
		await window.page.keyboard.press('Delete')
		await window.page.keyboard.press('ControlOrMeta+Shift+s')
		const save = sheet().getByRole('button', { name: 'Delete 1 document' })
		await save.waitFor()
		expect(await save.isDisabled()).toBe(true)
		await sheet().getByLabel('Type books to confirm').fill('book')
		expect(await save.isDisabled()).toBe(true)
		await sheet().getByLabel('Type books to confirm').fill('books')
		await save.click()
		await expect.poll(() => exists(`/books/_doc/${id}`)).toBe(false)
		await books.dismissMessage('Deleted 1 document.')
	})

	test('a change is then shown before it is sent, also by the key that saves directly', async () => {
		const before = await title(3)
		await books.edit(3, 'author.country', 'ZZ')
		await books.grid.focus()
		await window.page.keyboard.press('ControlOrMeta+Shift+s')
		await sheet().getByText('ZZ').waitFor()
		await sheet().getByRole('button', { name: 'Cancel' }).click()
		await books.root.getByText('1 change not saved').waitFor()
		await books.save()
		await books.dismissMessage('Saved 1 document.')
		expect(before).not.toBe('ZZ')
	})

	test('all writes of a console run are confirmed once as a list, and a search is not delayed', async () => {
		await window.page.getByRole('button', { name: 'Console', exact: true }).click()
		await line().getByText('Asks before writes').waitFor()
		await write('GET /books/_search\n{"size": 1}')
		await consoleTab().getByRole('button', { name: 'Run', exact: true }).click()
		await expect.poll(() => runs().count()).toBe(1)
		await runs().first().getByText('200 OK').waitFor()
		await write('PUT /places/_doc/s1\n{"name": "a"}\n\nGET /_count\n\nPUT /places/_doc/s2\n{"name": "b"}')
		await consoleTab().getByRole('button', { name: 'Run all' }).click()
		await sheet().getByText('PUT /places/_doc/s1').waitFor()
		expect(await sheet().getByRole('listitem').count()).toBe(2)
		await sheet().getByRole('button', { name: 'Cancel' }).click()
		await sheet().waitFor({ state: 'detached' })
		// After a sheet closes, the elements behind it get their roles back a moment later.
		await expect.poll(() => runs().count()).toBe(1)
		expect(await exists('/places/_doc/s1')).toBe(false)
		await consoleTab().getByRole('button', { name: 'Run all' }).click()
		await sheet().getByRole('button', { name: 'Run all 3' }).click()
		await expect.poll(() => runs().count()).toBe(4)
		await expect.poll(() => exists('/places/_doc/s2')).toBe(true)
	})

	test('a destructive statement states the loss, and requires the name of the connection', async () => {
		await write('DELETE /places/_doc/s1')
		await consoleTab().getByRole('button', { name: 'Run', exact: true }).click()
		await sheet().getByText('This deletes: the document s1 of places.').waitFor()
		expect(await sheet().getByRole('button', { name: 'Run it' }).isDisabled()).toBe(true)
		await sheet().getByLabel('Type Sample to confirm').fill('Sample')
		await window.page.keyboard.press('Enter')
		await expect.poll(() => exists('/places/_doc/s1')).toBe(false)
	})

	test('a script that may delete is not headed as one that deletes', async () => {
		const headed = async (text: string, heading: string) => {
			await write(text)
			await consoleTab().getByRole('button', { name: 'Run', exact: true }).click()
			await sheet().getByRole('heading', { name: heading, exact: true }).waitFor()
			expect(await sheet().getByText('It cannot be undone.').count()).toBe(1)
			await sheet().getByRole('button', { name: 'Cancel' }).click()
			await sheet().waitFor({ state: 'detached' })
		}
		const script = '{"script": "ctx.op = params.op"}'
		await headed(`POST /places/_update_by_query\n${script}`, 'Change or delete data on Sample')
		await headed(`POST /places/_update/s2\n${script}`, 'Change or delete data on Sample')
		await headed('DELETE /places/_doc/s2', 'Delete data on Sample')
	})

	test('read only refuses writes, and names the setting', async () => {
		await edit(() => sheet().getByLabel('Writes').selectOption('read-only'))
		await line().getByText('Read only').waitFor()
		await write('PUT /places/_doc/s3\n{"name": "c"}')
		await consoleTab().getByRole('button', { name: 'Run', exact: true }).click()
		await runs().first().getByText('"Sample" is read-only').waitFor()
		expect(await exists('/places/_doc/s3')).toBe(false)
		// Rows say so before an edit, not when it is saved.
		await window.page.getByRole('tab', { name: 'books', exact: true }).click()
		const insert = books.root.getByRole('button', { name: 'New document' })
		expect([await insert.isDisabled(), await insert.getAttribute('title')]).toEqual([
			true,
			expect.stringContaining('"Sample" is read-only'),
		])
		await (await books.cell(0, '_id')).click()
		await window.page.keyboard.press('Delete')
		await books.root.getByText(/"Sample" is read-only/).waitFor()
		await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
		await window.page.evaluate(`navigator.clipboard.writeText('new')`)
		await window.page.keyboard.press('ControlOrMeta+Shift+v')
		await books.root.getByText(/^Pasted 0 of 1 cell: 1 is past the last row. "Sample" is read-only/).waitFor()
		await (await books.cell(0, 'author.country')).dblclick()
		await window.page.keyboard.type('XX')
		expect(await books.root.getByRole('button', { name: 'Review and save' }).count()).toBe(0)
		expect(window.faults).toEqual([])
	})
})
