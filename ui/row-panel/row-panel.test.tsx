import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { FakeClipboard } from '../testing/clipboard.ts'
import { FakeTable } from '../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../testing/fake-window.tsx'
import { press, type } from '../testing/keys.ts'
import { emulateMedia } from '../testing/media.ts'

/** A whole row beside the grid can be edited as text, and compared with another one. */

let window: FakeWindow
let table: FakeTable
let books: TablePanel

beforeEach(async () => {
	table = new FakeTable('books', {
		columns: { id: { isReadOnly: 'after_insert' }, pages: { kind: 'number' }, barcode: { kind: 'number' } },
		rows: Array.from({ length: 12 }, (_, row) => [`b${row}`, 10 + row, { number: `1234567890123456789${row}` }]),
	})
	window = await openWindow({ tables: [table] })
	books = await window.openTable('books')
	await books.cell(0, 'id').click()
	await press('Space')
	await shows('"b0"')
})

const panel = () => page.getByRole('complementary', { name: 'Row' })
const editor = () => panel().getByRole('textbox', { name: 'Row as JSON' })
const shows = (text: string) => expect.element(editor().getByText(text)).toBeVisible()
const shownText = () => editor().element().textContent ?? ''
const says = (text: string) => expect.element(panel().getByText(text)).toBeVisible()
const documentOf = (row: number, pages: string) =>
	`{"id": "b${row}", "pages": ${pages}, "barcode": 1234567890123456789${row}}`

async function choose(row: number, id = `b${row}`): Promise<void> {
	await books.cell(row, 'id').click()
	await shows(`"${id}"`)
}

test('a changed document is staged by field, and saved without a change of other digits', async () => {
	await editor().fill(documentOf(0, '77'))
	await says('Your changes are not staged yet.')
	await press('ControlOrMeta+Enter')
	await books.isStaged(1)
	await expect.poll(() => books.texts('pages')[0]).toBe('77')
	await books.save()
	await books.isStaged(0)
	expect(window.host.callsOf('changes.apply').at(-1)?.changes).toMatchObject([{ kind: 'update', set: { pages: 77 } }])
	expect(table.value('["b0"]', 'barcode')).toEqual({ number: '12345678901234567890' })
	// The document is read again after the save.
	await expect.poll(shownText).toContain('"pages": 77')
})

test('invalid JSON is neither staged nor lost when another row is chosen, and Escape reverts it', async () => {
	await editor().fill(documentOf(0, 'x77'))
	await press('ControlOrMeta+Enter')
	await expect.element(panel().getByRole('alert').getByText('This is not JSON')).toBeVisible()
	await books.cell(3, 'id').click()
	await expect.poll(shownText).toContain('"pages": x77')
	await editor().click()
	await press('Escape')
	await shows('"b3"')
})

test('a cell that is staged below typed text is shown when the text is reverted', async () => {
	await editor().fill(documentOf(0, 'x77'))
	await books.edit(0, 'pages', '78')
	expect(shownText()).toContain('"pages": x77')
	await books.cell(0, 'id').click()
	await editor().click()
	await press('Escape')
	await expect.poll(shownText).toContain('"pages": 78')
})

test('text is staged when the editor loses the focus, and undone like every other change', async () => {
	await editor().fill(documentOf(0, '88'))
	await books.cell(3, 'id').click()
	await books.isStaged(1)
	await choose(0)
	await expect.poll(shownText).toContain('"pages": 88')
	books.grid.element().focus()
	await press('ControlOrMeta+z')
	await expect.poll(shownText).not.toContain('"pages": 88')
})

test('closing a tab by keyboard asks about text that is typed in the document', async () => {
	await editor().fill(documentOf(0, '99'))
	await says('Your changes are not staged yet.')
	await press('ControlOrMeta+k')
	await press('w')
	const question = page.getByRole('dialog', { name: 'Close books on Sample?' })
	await expect.element(question).toBeVisible()
	await press('Escape')
	await expect.element(question).not.toBeInTheDocument()
	await expect.poll(shownText).toContain('"pages": 99')
})

const note = 'This row is not among the loaded rows now.'

test('a document that a filter leaves out stays with its changes, and the panel says so', async () => {
	await books.edit(0, 'pages', '123')
	await books.cell(0, 'id').click()
	await books.search('b4', '1 row')
	await says(`${note} Its changes are kept.`)
	await expect.poll(shownText).toContain('"pages": 123')
	await books.search('none', 'No rows')
	expect(shownText()).toContain('"pages": 123')
	await books.save()
	await expect.element(panel().getByText(note, { exact: true })).toBeVisible()
	await expect.poll(shownText).toContain('"pages": 123')
	await books.search('b4', '1 row')
	await choose(0, 'b4')
	await books.search('', '12 rows')
	await shows('"b4"')
	await expect.element(panel().getByText(note)).not.toBeInTheDocument()
})

test('typed text stays while a filter leaves its document out', async () => {
	await editor().fill(documentOf(0, 'x'))
	await books.search('b4', '1 row')
	await says(note)
	await expect.poll(shownText).toContain('"pages": x')
})

test('a new row says when its document is shown', async () => {
	const clipboard = new FakeClipboard()
	clipboard.text = 'new'
	await books.cell(0, 'id').click()
	await press('ControlOrMeta+Shift+v')
	await books.isStaged(1)
	await books.cell(0, 'id').click()
	await says('A new row is shown here after it is saved.')
})

test('two documents are shown side by side with their differences', async () => {
	await books.cell(0, 'id').click()
	await press('Shift+ArrowDown')
	await books.cell(1, 'id').click({ button: 'right' })
	await page.getByRole('menuitem', { name: 'Compare the two rows' }).click()
	const sheet = page.getByRole('dialog', { name: 'Compare two rows' })
	await expect.element(sheet.getByText('1 difference')).toBeVisible()
	expect(sheet.getByRole('textbox').elements()).toHaveLength(2)
	await sheet.getByRole('button', { name: 'Next difference' }).click()
	expect(document.querySelectorAll('.cm-changedText').length).toBeGreaterThan(2)
	await press('Escape')
	await expect.element(sheet).not.toBeInTheDocument()
})

test('the editor keeps the focus when a late answer replaces its document', async () => {
	await choose(1)
	const release = window.host.hold('rows.read')
	await books.cell(2, 'id').click()
	editor().element().focus()
	release()
	await shows('"b2"')
	await expect.element(editor()).toHaveFocus()
})

test('another document keeps the search open, and undo does not return to the one before', async () => {
	await editor().click()
	await press('ControlOrMeta+f')
	await type('barcode')
	const found = panel().getByText('1 of 1', { exact: true })
	await expect.element(found).toBeVisible()
	await choose(3)
	await expect.element(found).toBeVisible()
	await editor().click()
	await press('ControlOrMeta+z')
	expect(shownText()).toContain('"b3"')
})

test('the chosen look has another background than the others in both themes', async () => {
	const colour = (selector: string) =>
		getComputedStyle(document.querySelector(selector) ?? expect.unreachable()).backgroundColor
	for (const theme of ['light', 'dark']) {
		await emulateMedia({ 'prefers-color-scheme': theme, 'prefers-reduced-motion': 'reduce' })
		expect(colour('.segment.active'), theme).not.toBe(colour('.segmented'))
	}
})
