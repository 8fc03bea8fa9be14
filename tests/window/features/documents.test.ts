import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SampleWindow, type TablePanel } from '../../support/window.ts'

/** A whole document can be edited as text, read as a tree, and compared with another one. */
describe('documents', () => {
	let window: SampleWindow
	let books: TablePanel
	const panel = () => window.page.getByRole('complementary', { name: 'Document' })
	const editor = () => panel().getByRole('textbox', { name: 'Document as JSON' })
	const tree = () => panel().getByRole('tree', { name: 'Document as a tree' })
	const press = async (...keys: readonly string[]) => {
		for (const key of keys) await window.page.keyboard.press(key)
	}

	beforeAll(async () => {
		window = await SampleWindow.open()
		await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
		books = await window.openTable('books')
		await (await books.cell(0, '_id')).click()
		await press('Space')
		await editor().waitFor()
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	/** Places the cursor behind a text of the document. */
	async function goBehind(text: string): Promise<void> {
		await editor().click()
		await press('ControlOrMeta+f')
		await window.page.keyboard.type(text)
		await panel().getByRole('search').getByText(/^1 of/).waitFor()
		await press('Escape', ...Array.from(text, () => 'ArrowRight'))
	}
	/** Chooses the row, and waits until its document is shown. */
	async function choose(row: number): Promise<void> {
		const cell = await books.cell(row, '_id')
		const id = await cell.innerText()
		await cell.click()
		await expect.poll(() => panel().getByRole('definition').nth(1).innerText()).toBe(id)
	}
	async function read(id: string): Promise<string> {
		return (await fetch(`${window.clusterUrl}/books/_doc/${id}`)).text()
	}

	test('a changed document is staged by field, and saved without a change of other digits', async () => {
		const barcode = /"barcode":(\d{20})/.exec(await read('1'))?.[1] ?? ''
		await goBehind('"pages": ')
		await press('Shift+End')
		await window.page.keyboard.type('77,')
		await panel().getByText('Your changes are not staged yet.').waitFor()
		await press('ControlOrMeta+Enter')
		await books.root
			.getByText(/1 change/)
			.first()
			.waitFor()
		await books.scrollTo('pages')
		await expect.poll(async () => (await books.cell(0, 'pages')).innerText()).toBe('77')
		await books.save()
		await books.dismissMessage('Saved 1 document.')
		expect(await read('1')).toContain(`"barcode":${barcode}`)
		expect(await read('1')).toContain('"pages":77')
		// The document is read again after the save.
		await expect.poll(() => editor().innerText()).toContain('"pages": 77')
	})

	test('invalid JSON is neither staged nor lost, and Escape reverts it', async () => {
		await goBehind('"pages": ')
		await window.page.keyboard.type('x')
		await press('ControlOrMeta+Enter')
		await panel().getByRole('alert').getByText('This is not JSON').waitFor()
		// Another row is selected, and the typed text stays in the editor.
		await (await books.cell(3, '_id')).click()
		await panel().getByText('_id').waitFor()
		await expect.poll(() => editor().innerText()).toContain('"pages": x77')
		// A cell of the document's row is staged meanwhile, and becomes visible when the typed text is reverted.
		await books.edit(0, 'pages', '78')
		expect(await editor().innerText()).toContain('"pages": x77')
		await press('ControlOrMeta+z')
		await (await books.cell(3, '_id')).click()
		await editor().click()
		await press('Escape')
		await expect.poll(() => editor().innerText()).not.toContain('x77')
		await expect.poll(() => panel().getByRole('definition').nth(1).innerText()).toBe('4')
	})

	test('text is staged when the editor loses the focus, and undone like every other change', async () => {
		await goBehind('"pages": ')
		await press('Shift+End')
		await window.page.keyboard.type('88,')
		await (await books.cell(3, '_id')).click()
		await books.root
			.getByText(/1 change/)
			.first()
			.waitFor()
		await books.grid.focus()
		await press('ControlOrMeta+z')
		await expect.poll(() => editor().innerText()).not.toContain('"pages": 88')
	})

	test('another document keeps the search open, and undo does not return to the one before', async () => {
		await choose(0)
		await editor().click()
		await press('ControlOrMeta+f')
		await window.page.keyboard.type('title')
		const found = panel().getByRole('search').getByText('1 of 1')
		await found.waitFor()
		await choose(3)
		await found.waitFor()
		await editor().click()
		await press('Escape')
		const shown = await editor().innerText()
		await press('ControlOrMeta+z')
		expect(await editor().innerText()).toBe(shown)
		await panel().getByRole('search').getByRole('button', { name: 'Close' }).click()
	})

	test('a tree opens by keyboard and mouse, and copies paths and values', async () => {
		await panel().getByText('Tree', { exact: true }).click()
		const author = tree().getByRole('treeitem').filter({ hasText: 'author' })
		expect(await author.getAttribute('aria-expanded')).toBe('true')
		await author.click()
		expect(await author.getAttribute('aria-expanded')).toBe('false')
		await author.click()
		// The arrows work after a click.
		await press('ArrowDown', 'ControlOrMeta+Shift+c')
		await expect.poll(() => window.page.evaluate('navigator.clipboard.readText()')).toBe('author.name')
		await press('ControlOrMeta+c')
		const name = /"name":"([^"]+)"/.exec(await read('4'))?.[1]
		await expect.poll(() => window.page.evaluate('navigator.clipboard.readText()')).toBe(name)
		await press('ArrowLeft', 'ArrowLeft')
		expect(await author.getAttribute('aria-expanded')).toBe('false')
		await panel().getByText('JSON', { exact: true }).click()
	})

	test('closing a tab by keyboard asks about text that is typed in the document', async () => {
		await goBehind('"pages": ')
		await press('Shift+End')
		await window.page.keyboard.type('99,')
		await panel().getByText('Your changes are not staged yet.').waitFor()
		await press('ControlOrMeta+k', 'w')
		const asked = window.page.getByRole('dialog').filter({ hasText: '1 change' })
		await asked.waitFor()
		await press('Escape')
		await asked.waitFor({ state: 'detached' })
		await expect.poll(() => editor().innerText()).toContain('"pages": 99')
		await books.grid.focus()
		await press('ControlOrMeta+z')
		await expect.poll(() => editor().innerText()).not.toContain('"pages": 99')
	})

	test('a document that a filter leaves out stays with its changes, and the panel says so', async () => {
		const note = 'This document is not among the loaded documents now.'
		await choose(0)
		await books.scrollTo('pages')
		await books.edit(0, 'pages', '123')
		await (await books.cell(0, '_id')).click()
		await books.search('_id:4', '1 document')
		await panel().getByText(`${note} Its changes are kept.`).waitFor()
		await expect.poll(() => editor().innerText()).toContain('"pages": 123')
		await books.search('_id:none', 'No documents')
		expect(await editor().innerText()).toContain('"pages": 123')
		await books.save()
		await books.dismissMessage('Saved 1 document.')
		await panel().getByText(note, { exact: true }).waitFor()
		await expect.poll(() => editor().innerText()).toContain('"pages": 123')
		await books.search('_id:4', '1 document')
		await choose(0)
		await panel().getByText(note).waitFor({ state: 'detached' })
		await books.search('', '3,003 documents')
		expect(await panel().getByRole('definition').nth(1).innerText()).toBe('4')
		expect(await panel().getByText(note).count()).toBe(0)
	})

	test('typed text stays while a filter leaves its document out, and a new document says when it is shown', async () => {
		await choose(0)
		await goBehind('"pages": ')
		await window.page.keyboard.type('x')
		await books.search('_id:4', '1 document')
		await panel().getByText('This document is not among the loaded documents now.').waitFor()
		await expect.poll(() => editor().innerText()).toContain('"pages": x')
		await editor().click()
		await press('Escape')
		await books.search('', '3,003 documents')
		await window.page.evaluate(`navigator.clipboard.writeText('new')`)
		await (await books.cell(0, '_id')).click()
		await press('ControlOrMeta+Shift+v')
		await (await books.cell(0, '_id')).click()
		await panel().getByText('A new document is shown here after it is saved.').waitFor()
		await books.root.getByRole('button', { name: 'Discard' }).click()
		await (await books.cell(0, '_id')).click()
		await editor().waitFor()
	})

	test('two documents are shown side by side with their differences', async () => {
		await (await books.cell(0, '_id')).click()
		await press('Shift+ArrowDown')
		await (await books.cell(1, '_id')).click({ button: 'right' })
		await window.page.getByRole('menuitem', { name: 'Compare the two documents' }).click()
		const sheet = window.page.getByRole('dialog', { name: 'Compare two documents' })
		await sheet.getByText(/^\d+ differences$/).waitFor()
		expect(await sheet.getByRole('textbox').count()).toBe(2)
		await sheet.getByRole('button', { name: 'Next difference' }).click()
		expect(await sheet.locator('.cm-changedText').count()).toBeGreaterThan(2)
		await press('Escape')
		await sheet.waitFor({ state: 'detached' })
		expect(window.faults).toEqual([])
	})
})
