import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../../testing/books.ts'
import { FakeTable, tableAnswers } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, TablePanel } from '../../testing/fake-window.tsx'
import { press, type } from '../../testing/keys.ts'
import { chooseEntry, chooseOfConnection } from '../../testing/menu.ts'

/** What another client changes while a table is open. */

let window: FakeWindow
let table: FakeTable
let books: TablePanel

beforeEach(async () => {
	table = fakeBooks(20)
	window = await openWindow({ tables: [table] })
	books = await window.openTable('books')
})

const reload = () => books.more('Reload')
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
	const text = 'The selected row is not among the loaded rows any more.'
	// The menu of the reload gives the focus back when it is gone, perhaps after the rows arrived.
	const typedInGrid = async () => {
		books.grid.element().focus()
		await type('x')
		return books.root.getByText(text).elements().length
	}
	await expect.poll(typedInGrid).toBe(1)
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

test('a time range stays in view, and can be removed, after its column is no date any more', async () => {
	const times = [1, 2, 100, 200].map(hours => new Date(Date.now() - hours * 3_600_000).toISOString())
	const rows = times.map((at, id) => [`n${id}`, at])
	const answer = (kind: 'date' | 'text') =>
		window.host.answer(
			tableAnswers([new FakeTable('books', { columns: { id: {}, at: { kind, isSortable: kind === 'date' } }, rows })]),
		)
	answer('date')
	await reload()
	const time = books.root.getByRole('group', { name: 'Time' })
	await books.root.getByRole('button', { name: 'Filter by time' }).click()
	await time.getByLabelText('Time column').selectOptions('at')
	await time.getByLabelText('Time range').selectOptions('Last 24 hours')
	await expect.element(books.root.getByText('2 rows', { exact: true })).toBeVisible()
	answer('text')
	await reload()
	const column = () => time.getByLabelText('Time column').element()
	await expect.poll(() => column().querySelector(':checked')?.textContent).toBe('at (no date)')
	await time.getByLabelText('Time range').selectOptions('All time')
	await expect.element(books.root.getByText('4 rows', { exact: true })).toBeVisible()
	await expect.element(time).not.toBeInTheDocument()
})

test('a table that leaves the list, because it was dropped, says so beside the rows that were read', async () => {
	const why = 'There is no table books.'
	window.host.answer({ 'tables.list': () => [] })
	window.host.fail('grid.open', why)
	expect(books.root.getByText(why).elements()).toEqual([])
	await chooseOfConnection('Sample', 'Reload')
	await expect.element(books.root.getByText(why)).toBeVisible()
	await expect.element(books.root.getByText('Previous query: 20 rows')).toBeVisible()
})

const editsKey = 'edits/c1/books'

/** Another window saves what is staged here: it tells the rows with their new versions. */
async function saveElsewhere(rowId: string, change: () => void): Promise<void> {
	await expect.poll(() => window.records[editsKey]).toBeDefined()
	const staged = window.records[editsKey] ?? null
	change()
	const tell = (key: string, value: typeof staged) => {
		window.host.emit('workspace.changed', { key, value, writer: 'another window' })
	}
	tell(editsKey, null)
	tell('saved/c1/books', { from: 'another tab', staged, stored: { [rowId]: { version: '2' } }, inserted: 0 })
}

test('what another window saves is shown without a reload', async () => {
	await books.edit(0, 'title', 'Renamed')
	await books.isStaged(1)
	await saveElsewhere('["1"]', () => table.setValue('["1"]', 'title', 'Renamed'))
	await books.isStaged(0)
	await expect.poll(() => books.texts('title')[0]).toBe('Renamed')
})

test('a save of another window leaves what is typed here, and the rows are read again after it', async () => {
	await books.cell(1, 'id').click()
	await press('Delete')
	await books.isStaged(1)
	await expect.poll(() => window.records[editsKey]).toBeDefined()
	await books.cell(3, 'title').dblClick()
	await press('ControlOrMeta+a')
	await type('Typed')
	await saveElsewhere('["2"]', () => table.remove('["2"]'))
	await books.isStaged(0)
	await expect.element(books.root.getByRole('textbox', { name: 'Edit title' })).toHaveValue('Typed')
	await press('Enter')
	await expect.element(books.root.getByText('19 rows', { exact: true })).toBeVisible()
	await expect.poll(() => books.texts('title')).toContain('Typed')
	await books.isStaged(1)
})

test('what one tab saves is shown in another tab of the table', async () => {
	await books.cell(0, 'title').click({ button: 'right' })
	await chooseEntry(/^Only this, in another tab/)
	await expect.element(page.getByRole('tab', { name: 'books (2)' })).toBeVisible()
	books = new TablePanel(page.getByRole('tabpanel', { name: 'books', exact: true }))
	await expect.poll(() => books.texts('title')).toEqual(['Book 1'])
	await page.getByRole('tab', { name: 'books', exact: true }).click()
	await books.edit(0, 'country', 'ZZ')
	await books.save()
	await books.isStaged(0)
	await page.getByRole('tab', { name: 'books (2)' }).click()
	await expect.poll(() => books.texts('country')).toEqual(['ZZ'])
})
