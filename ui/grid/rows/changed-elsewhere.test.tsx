import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../../testing/books.ts'
import { FakeTable, tableAnswers } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press, type } from '../../testing/keys.ts'

/** What another client changes while a table is open. */

let window: FakeWindow
let table: FakeTable
let books: TablePanel

beforeEach(async () => {
	table = fakeBooks(20)
	window = await openWindow({ tables: [table] })
	books = await window.openTable('books')
})

const reload = () => books.root.getByRole('button', { name: 'Reload', exact: true }).click()
const ids = (count: number) => books.texts('id').slice(0, count)
/** Returns the id of the row with the focused cell. */
const current = () =>
	document.querySelector<HTMLElement>('[role=row]:has([aria-selected=true]) [role=gridcell]')?.innerText

test('the cursor stays on its row when a row above is deleted', async () => {
	await books.cell(5, 'title').click()
	table.remove('["3"]')
	await reload()
	await expect.poll(() => ids(4)).toEqual(['1', '2', '4', '5'])
	await expect.poll(current).toBe('6')
})

test('the cursor is on its row again after a reload of the window', async () => {
	await books.cell(6, 'title').click()
	await expect.poll(() => JSON.stringify(window.records)).toContain(JSON.stringify('["7"]'))
	table.remove('["2"]')
	await window.open()
	await expect.element(books.root).toBeVisible()
	await expect.poll(current).toBe('7')
})

test('keys act on no other row after the row of the cursor is gone', async () => {
	await books.cell(5, 'title').click()
	table.remove('["6"]')
	await reload()
	await expect.poll(() => books.texts('id')).not.toContain('6')
	books.grid.element().focus()
	await type('x')
	const text = 'The selected row is not among the loaded rows any more.'
	await expect.element(books.root.getByText(text)).toBeVisible()
	await press('Delete')
	await books.isStaged(0)
	await press('ArrowDown')
	await type('x')
	await expect.element(books.root.getByRole('textbox', { name: 'Edit title' })).toHaveValue('x')
})

test('columns that another client added appear after a reload of the table or of the window', async () => {
	const wider = (name: string) => new FakeTable('books', { columns: { id: {}, [name]: { type: 'keyword' } }, rows: [] })
	window.host.answer(tableAnswers([wider('added')]))
	await reload()
	await expect.poll(() => books.columns()).toContain('added')
	window.host.answer(tableAnswers([wider('again')]))
	await window.open()
	await expect.element(books.root).toBeVisible()
	await expect.poll(() => books.columns()).toContain('again')
})

test('a sort of a column that cannot be sorted any more stays in view, and can be removed', async () => {
	await page.elementLocator(books.header('title')).click()
	await expect.poll(() => books.header('title').getAttribute('aria-sort')).toBe('ascending')
	const columns = { id: {}, title: { isSortable: false } }
	window.host.answer(tableAnswers([new FakeTable('books', { columns, rows: [['1', 'a']] })]))
	await reload()
	const sorts = books.root.getByRole('list', { name: 'Sorts' })
	await expect.element(sorts.getByText('Not sorted by title')).toBeVisible()
	expect(books.header('title').getAttribute('aria-sort')).not.toBe('ascending')
	await sorts.getByRole('button', { name: 'Remove the sort by title' }).click()
	await expect.element(sorts).not.toBeInTheDocument()
})
