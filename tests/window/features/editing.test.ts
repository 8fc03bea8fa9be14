import type { Locator } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SampleWindow, TablePanel } from '../../support/window.ts'

interface Book {
	readonly found?: boolean
	readonly _source: { readonly title: string; readonly author: { readonly country: string; readonly born: number } }
}

/** Changes of documents, and conflicts with changes of another client. */
describe('editing', () => {
	let window: SampleWindow
	let books: TablePanel

	beforeAll(async () => {
		window = await SampleWindow.open()
		books = await window.openTable('books')
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	const book = (id: string) => window.cluster<Book>(`/books/_doc/${id}`)
	const dialog = () => window.page.getByRole('dialog')

	test('a new document is staged, reviewed and saved under its id, with every digit as typed', async () => {
		await books.root.getByRole('button', { name: 'New document' }).click()
		await dialog().getByLabel('_id').fill('a/new one')
		await dialog().getByLabel('Document as JSON').fill('{"title": "New", "isbn": 9223372036854775807, "price": 1.10}')
		await dialog().getByRole('button', { name: 'Add', exact: true }).click()
		await books.root.getByText('1 change not saved').waitFor()
		await books.save()
		await books.dismissMessage('Saved 1 document.')
		const response = await fetch(`${window.clusterUrl}/books/_doc/a%2Fnew%20one`)
		expect(await response.text()).toMatch(/"isbn":9223372036854775807,"price":1\.10/)
	})

	test('an invalid document is refused with a reason, and stays in the editor', async () => {
		await books.root.getByRole('button', { name: 'New document' }).click()
		await dialog().getByLabel('Document as JSON').fill('{"title": }')
		await dialog().getByRole('button', { name: 'Add', exact: true }).click()
		await dialog().getByRole('alert').waitFor()
		expect(await dialog().getByLabel('Document as JSON').inputValue()).toBe('{"title": }')
		await dialog().getByRole('button', { name: 'Cancel' }).click()
	})

	test('an existing id is not overwritten', async () => {
		const before = await book('7')
		await books.root.getByRole('button', { name: 'New document' }).click()
		await dialog().getByLabel('_id').fill('7')
		await dialog().getByLabel('Document as JSON').fill('{"title": "Usurper"}')
		await dialog().getByRole('button', { name: 'Add', exact: true }).click()
		await books.save()
		await books.root.getByText(/Saved 0 of 1/).waitFor()
		expect(await book('7')).toEqual(before)
		await books.root.getByRole('button', { name: 'Discard' }).click()
		await books.dismissMessage('Discarded 1 change.')
		// Nothing is staged, and the message is gone.
		await expect.poll(() => books.root.getByRole('alert').count()).toBe(0)
	})

	test('a message after discarding has the number of changes and restores them, also beside later changes', async () => {
		const { page } = window
		const messages = page.getByRole('region', { name: 'Messages' })
		const discard = async () => {
			await books.root.getByRole('button', { name: 'Discard' }).click()
			await messages.getByText('Discarded 3 changes.').waitFor()
			await books.nothingStaged()
		}
		await books.edit(0, 'author.country', 'XX')
		await books.edit(0, 'author.born', '1801')
		await books.edit(1, 'author.country', 'YY')
		await discard()
		// The grid receives keys immediately.
		await page.keyboard.press('ControlOrMeta+z')
		await books.root.getByText('3 changes not saved').waitFor()
		await expect.poll(() => messages.getByText('Discarded 3 changes.').count()).toBe(0)
		await discard()
		const undo = messages
			.getByRole('listitem')
			.filter({ hasText: 'Discarded 3 changes.' })
			.getByRole('button', { name: 'Undo' })
		await undo.click()
		await books.root.getByText('3 changes not saved').waitFor()
		await expect.poll(async () => (await books.cell(1, 'author.country')).innerText()).toBe('YY')
		await discard()
		await books.edit(2, 'author.country', 'ZZ')
		await books.root.getByText('1 change not saved').waitFor()
		// The message covers neither the bar that appeared nor the status.
		const top = async (one: Locator) => (await one.boundingBox())?.y ?? 0
		const end = async (one: Locator) => (await top(one)) + ((await one.boundingBox())?.height ?? 0)
		const bar = books.root.getByRole('toolbar', { name: 'Changes that are not saved' })
		expect(await top(messages)).toBeGreaterThan(await end(bar))
		expect(await top(messages)).toBeGreaterThanOrEqual(await end(books.root.locator('.grid-status')))
		await undo.click()
		await books.root.getByText('4 changes not saved').waitFor()
		await books.root.getByRole('button', { name: 'Discard' }).click()
		await books.dismissMessage('Discarded 4 changes.')
	})

	test('an undo of a save stays possible after a later one, and what failed can be undone after a reload', async () => {
		const { page } = window
		const messages = page.getByRole('region', { name: 'Messages' })
		const id = await (await books.cell(11, '_id')).innerText()
		const before = (await book(id))._source.author
		await books.edit(11, 'author.country', 'SS')
		await books.save()
		const undo = messages.getByRole('listitem').filter({ hasText: 'Saved 1 document.' }).first()
		await undo.waitFor()
		await books.edit(11, 'author.born', '1700')
		await books.save()
		await expect.poll(() => messages.getByText('Saved 1 document.').count()).toBe(2)
		await undo.getByRole('button', { name: 'Undo' }).click()
		await expect
			.poll(async () => (await book(id))._source.author)
			.toMatchObject({ country: before.country, born: 1700 })

		await books.edit(11, 'author.country', 'FF')
		await books.edit(11, 'author.born', '1701')
		await window.cluster(`/books/_update/${id}?refresh=true`, {
			method: 'POST',
			body: { doc: { author: { born: 1 } } },
		})
		await books.save()
		await books.root.getByRole('button', { name: 'Compare' }).waitFor()
		await page.reload()
		await books.root.getByText('2 changes not saved').waitFor()
		await (await books.cell(11, '_id')).click()
		await page.keyboard.press('ControlOrMeta+z')
		await books.root.getByText('1 change not saved').waitFor()
		await page.keyboard.press('ControlOrMeta+z')
		await books.root.getByText('All changes are undone').waitFor()
	})

	test('a row that another client changed shows both versions, and the user resolves it field by field', async () => {
		const id = await (await books.cell(3, '_id')).innerText()
		await books.edit(3, 'author.country', 'MM')
		await books.edit(3, 'author.born', '1801')
		await window.cluster(`/books/_update/${id}`, {
			method: 'POST',
			body: { doc: { author: { country: 'TT', born: 1802 } } },
		})
		await books.save()
		await books.root.getByText('A document was changed by another client.').waitFor()
		expect((await book(id))._source.author).toMatchObject({ country: 'TT', born: 1802 })

		await books.root.getByRole('button', { name: 'Compare' }).click()
		await dialog()
			.getByRole('heading', { name: `Changed by another client: document ${id}` })
			.waitFor()
		const country = dialog().getByRole('row').filter({ hasText: 'author.country' })
		for (const value of ['MM', 'TT']) await country.getByText(value, { exact: true }).waitFor()
		await dialog().getByRole('row').filter({ hasText: 'author.born' }).getByLabel('1802').check()
		await dialog().getByRole('button', { name: 'Use these values' }).click()
		await books.save()
		await books.dismissMessage('Saved 1 document.')
		expect((await book(id))._source.author).toMatchObject({ country: 'MM', born: 1802 })
	})

	test('taking their version leaves nothing staged', async () => {
		const id = await (await books.cell(5, '_id')).innerText()
		await books.edit(5, 'author.country', 'MM')
		await window.cluster(`/books/_update/${id}`, { method: 'POST', body: { doc: { author: { country: 'TT' } } } })
		await books.save()
		await books.root.getByRole('button', { name: 'Compare' }).click()
		await dialog().getByRole('button', { name: 'Take theirs' }).click()
		await expect.poll(async () => (await books.cell(5, 'author.country')).innerText()).toBe('TT')
		expect((await book(id))._source.author.country).toBe('TT')
	})

	test('a conflict cannot be resolved before their version is loaded, so nothing is overwritten', async () => {
		const id = await (await books.cell(6, '_id')).innerText()
		await books.edit(6, 'author.country', 'MM')
		await window.cluster(`/books/_update/${id}`, { method: 'POST', body: { doc: { author: { country: 'TT' } } } })
		await books.save()
		const compare = books.root.getByRole('button', { name: 'Compare' })
		await compare.waitFor()
		await window.pauseCluster(async () => {
			await compare.click()
			await dialog().getByText('Reading the current values').waitFor()
			for (const name of ['Keep mine', 'Take theirs', 'Use these values'])
				expect(await dialog().getByRole('button', { name }).isDisabled(), name).toBe(true)
		})
		await dialog().getByRole('row').filter({ hasText: 'author.country' }).getByText('TT', { exact: true }).waitFor()
		await dialog().getByRole('button', { name: 'Keep mine' }).click()
		// A third change: the user resolved the conflict with the second one, so there is a conflict again.
		await window.cluster(`/books/_update/${id}`, { method: 'POST', body: { doc: { author: { country: 'UU' } } } })
		await books.save()
		await compare.waitFor()
		expect((await book(id))._source.author.country).toBe('UU')
		await compare.click()
		await dialog().getByRole('button', { name: 'Take theirs' }).click()
		await expect.poll(async () => (await books.cell(6, 'author.country')).innerText()).toBe('UU')
	})

	test('a row that another client deleted is reported, and the user can drop the change', async () => {
		const id = await (await books.cell(7, '_id')).innerText()
		await books.edit(7, 'author.country', 'MM')
		await window.cluster(`/books/_update/${id}`, { method: 'POST', body: { doc: { author: { country: 'TT' } } } })
		await books.save()
		await books.root.getByRole('button', { name: 'Compare' }).waitFor()
		await window.cluster(`/books/_doc/${id}?refresh=true`, { method: 'DELETE', body: undefined })
		await books.root.getByRole('button', { name: 'Compare' }).click()
		await dialog().getByRole('alert').waitFor()
		for (const name of ['Keep mine', 'Take theirs', 'Use these values'])
			expect(await dialog().getByRole('button', { name }).isDisabled(), name).toBe(true)
		await dialog().getByRole('button', { name: 'Try again' }).click()
		await dialog().getByRole('alert').waitFor()
		await dialog().getByRole('button', { name: 'Drop mine' }).click()
		await expect.poll(() => books.root.getByText('not saved').count()).toBe(0)
	})

	test('for a row that the user deletes and another client changed, the user can choose either', async () => {
		const conflict = async (row: number) => {
			const id = await (await books.cell(row, '_id')).innerText()
			await (await books.cell(row, '_id')).click()
			await window.page.keyboard.press('Delete')
			await window.cluster(`/books/_update/${id}`, { method: 'POST', body: { doc: { author: { country: 'TT' } } } })
			await books.save()
			await books.root.getByRole('button', { name: 'Compare' }).click()
			await dialog().getByText('You delete this document').waitFor()
			return id
		}
		const kept = await conflict(9)
		await dialog().getByRole('button', { name: 'Keep the document' }).click()
		await expect.poll(() => books.root.getByText('not saved').count()).toBe(0)
		expect((await book(kept))._source.author.country).toBe('TT')
		const deleted = await conflict(10)
		await dialog().getByRole('button', { name: 'Delete it anyway' }).click()
		await books.save()
		await books.dismissMessage('Deleted 1 document.')
		await expect.poll(async () => (await book(deleted)).found).toBe(false)
	})

	test('null, an empty text and a missing field have different styles, and a field can be removed', async () => {
		const doc = { title: '', author: { name: null } }
		await window.cluster('/books/_doc/kinds?refresh=true', { method: 'PUT', body: doc })
		await books.search('_id:kinds', '1 document')
		await books.scrollTo('author.name')
		await expect.poll(async () => (await books.cell(0, 'author.name')).innerText()).toBe('null')
		expect(await (await books.cell(0, 'author.country')).innerText()).toBe('')
		await books.scrollTo('title')
		const title = await books.cell(0, 'title')
		expect(await title.innerText()).toBe('""')
		await title.click()
		await title.click({ button: 'right' })
		await window.page.getByRole('menuitem', { name: 'Remove field' }).click()
		await books.save()
		await books.dismissMessage('Saved 1 document.')
		expect((await window.cluster<{ _source: object }>('/books/_doc/kinds'))._source).toEqual({ author: { name: null } })
		await books.root.getByRole('searchbox', { name: 'Query' }).fill('')
		await books.root.getByText(/3,0\d\d documents/).waitFor()
		await books.grid.evaluate(element => element.scrollTo(0, 0))
	})

	test('a new field of the mapping is shown after a reload', async () => {
		const body = { title: 'New field', learned: 'yes' }
		await window.cluster('/books/_doc/learned?refresh=true', { method: 'PUT', body })
		await books.root.getByRole('button', { name: 'Reload' }).click()
		await books.scrollTo('learned')
		await books.root.getByRole('columnheader', { name: 'learned' }).waitFor()
		await books.grid.evaluate(element => element.scrollTo(0, 0))
	})

	test('a cut cell opens with its whole value, and is saved completely', async () => {
		await books.search('_id:"collected-works"', '1 document')
		const read = () => window.cluster<{ _source: { excerpts: string[] } }>('/books/_doc/collected-works')
		const before = (await read())._source.excerpts
		await books.scrollTo('excerpts')
		const cell = await books.cell(0, 'excerpts')
		// The card with the rest of the value covers nothing below the grid.
		await cell.hover()
		const card = await window.page.getByRole('tooltip').boundingBox()
		const grid = await books.grid.boundingBox()
		expect((card?.y ?? 0) + (card?.height ?? 0)).toBeLessThanOrEqual((grid?.y ?? 0) + (grid?.height ?? 0))
		await cell.dblclick()
		const editor = books.root.getByRole('textbox', { name: 'Edit excerpts' })
		expect(JSON.parse(await editor.inputValue())).toEqual(before)
		// Enter starts a new line here, so the editor shows which key commits the value.
		await books.root.getByText('Ctrl-Enter keeps it').waitFor()
		await editor.fill(JSON.stringify([...before, 'The End.']))
		await editor.press('ControlOrMeta+Enter')
		// The focused cell shows its card again, which must not cover the next click.
		const again = await window.page.getByRole('tooltip').boundingBox()
		expect((again?.y ?? 0) + (again?.height ?? 0)).toBeLessThanOrEqual((grid?.y ?? 0) + (grid?.height ?? 0))
		await books.save()
		await books.dismissMessage('Saved 1 document.')
		expect((await read())._source.excerpts).toEqual([...before, 'The End.'])
		await books.root.getByRole('searchbox', { name: 'Query' }).fill('')
		await books.root.getByText(/3,0\d\d documents/).waitFor()
		await books.grid.evaluate(element => element.scrollTo(0, 0))
	})

	test('a deleted row is struck through until it is saved, and an undo recreates it', async () => {
		const id = await (await books.cell(8, '_id')).innerText()
		await (await books.cell(8, '_id')).click()
		await window.page.keyboard.press('Delete')
		await books.root.getByText('1 change not saved').waitFor()
		expect((await book(id)).found).toBe(true)
		const content = async () => (await fetch(`${window.clusterUrl}/books/_source/${id}`)).text()
		const before = await content()
		await books.save()
		await expect.poll(async () => (await book(id)).found).toBe(false)
		const message = window.page.getByRole('listitem').filter({ hasText: 'Deleted 1 document.' })
		await message.getByRole('button', { name: 'Undo' }).click()
		await books.dismissMessage('Recreated 1 document. Without a sort, the engine chooses the place.')
		expect(await content()).toBe(before)
	})

	test.each(['boo*,places', 'library'])('an undo recreates a row that was deleted through %s', async name => {
		const { page } = window
		const search = page.getByRole('searchbox', { name: 'Search indices' })
		await search.fill(name)
		await page.getByRole('list', { name: 'Found by name' }).getByRole('button').first().click()
		await search.fill('')
		const panel = new TablePanel(page.getByRole('tabpanel', { name, exact: true }))
		await panel.root.getByRole('gridcell').first().waitFor()
		const id = await (await panel.cell(3, '_id')).innerText()
		const content = async () => (await fetch(`${window.clusterUrl}/books/_source/${id}`)).text()
		const before = await content()
		expect(before).toContain('barcode')
		await (await panel.cell(3, '_id')).click()
		await page.keyboard.press('Delete')
		await panel.save()
		await expect.poll(content).not.toBe(before)
		await page
			.getByRole('listitem')
			.filter({ hasText: 'Deleted 1 document.' })
			.getByRole('button', { name: 'Undo' })
			.click()
		await panel.dismissMessage('Recreated 1 document. Without a sort, the engine chooses the place.')
		expect(await content()).toBe(before)
		await page.getByRole('button', { name: `Close ${name}`, exact: true }).click()
		await page.getByRole('tab', { name: 'books', exact: true }).click()
	})

	test('a recreated row is where the sort puts it, or at the top while other changes are staged', async () => {
		const undo = () =>
			window.page.getByRole('listitem').filter({ hasText: 'Deleted 1 document.' }).getByRole('button', { name: 'Undo' })
		await books.scrollTo('barcode')
		await books.header('barcode').click()
		const id = async (row: number) => (await books.cell(row, '_id')).innerText()
		await expect.poll(() => id(0)).not.toBe('1')
		const [deleted, next] = [await id(2), await id(3)]
		await (await books.cell(2, '_id')).click()
		await window.page.keyboard.press('Delete')
		await books.save()
		await expect.poll(() => id(2)).toBe(next)
		await undo().click()
		await books.dismissMessage('Recreated 1 document. Among equal values of the sort, the engine chooses the place.')
		await expect.poll(() => id(2)).toBe(deleted)
		expect(await id(3)).toBe(next)
		await (await books.cell(2, '_id')).click()
		await window.page.keyboard.press('Delete')
		await books.save()
		await undo().waitFor()
		await books.edit(4, 'title', 'Renamed')
		await undo().click()
		await window.page.getByText('with your other changes, 1 document as new at the top.').waitFor()
		await books.root.getByText('2 changes not saved').waitFor()
		await books.save()
		expect(window.faults).toEqual([])
	})
})

/** The columns of a list of objects show one value for each element. */
describe('a document with a list of objects', () => {
	test('shows their values after a conflict, with what else they changed, and the same after a reload', async () => {
		await using window = await SampleWindow.open()
		const { page } = window
		const variants = [
			{ colour: 'red', size: 'S', stock: 33 },
			{ colour: 'blue', size: 'M', stock: 3 },
		]
		const update = (doc: object) => window.cluster('/shirts/_update/1?refresh=true', { method: 'POST', body: { doc } })
		await window.cluster('/shirts/_doc/1?refresh=true', { method: 'PUT', body: { price: 20, variants } })
		await page.getByRole('navigation').getByRole('button', { name: 'Reload' }).click()
		const shirts = await window.openTable('shirts')
		const names = ['price', 'variants.colour', 'variants.size', 'variants.stock']
		const shown = () => Promise.all(names.map(async name => (await shirts.cell(0, name)).innerText()))
		await shirts.edit(0, 'variants.stock', '[34,3]')
		await page.keyboard.press('Tab')
		await update({ price: 21 })
		await shirts.save()
		await shirts.root.getByRole('button', { name: 'Compare' }).click()
		await page.getByRole('dialog').getByLabel('[33,3]').waitFor()
		await page.getByRole('dialog').getByText('Also changed by the other client: price (20 → 21)').waitFor()
		await page.getByRole('dialog').getByRole('button', { name: 'Keep mine' }).click()
		const after = ['21', '["red","blue"]', '["S","M"]', '[34,3]']
		await expect.poll(shown).toEqual(after)
		await shirts.save()
		await shirts.dismissMessage('Saved 1 document.')
		expect(await shown()).toEqual(after)
		await shirts.root.getByRole('button', { name: 'Reload' }).click()
		await expect.poll(shown).toEqual(after)
	})
})
