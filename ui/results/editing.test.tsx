import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Cell, ConnectionView, ConsoleResult } from '../../host/api/api.ts'
import { violations } from '../testing/axe.ts'
import { fakeBooks } from '../testing/books.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers, rowsBody } from '../testing/fake-console.ts'
import { fakeLanguage } from '../testing/fake-engine.ts'
import { FakeTable } from '../testing/fake-tables.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press, type } from '../testing/keys.ts'

/** Values of a result are edited, reviewed and saved as those of the tables that its rows are from. */

let window: FakeWindow
let books: FakeTable
let authors: FakeTable
let panel: ConsolePanel
let transaction: ConsoleResult['transaction']

const number = { kind: 'number' } as const
const ids = [1, 2, 3, 4]
const stored = (table: FakeTable, id: number, column: string): Cell => table.value(`["${id}"]`, column) ?? null

/** Results by statement. */
const answers: Readonly<Record<string, () => Partial<ConsoleResult>>> = {
	'select books': () => ({
		body: rowsBody(
			{ id: number, name: {}, born: number, 'upper(title)': {} },
			ids.map(id => [
				id,
				stored(books, id, 'title'),
				stored(books, id, 'born'),
				String(stored(books, id, 'title')).toUpperCase(),
			]),
			{
				origins: [
					{ table: 'books', key: [{ column: 'id', at: 0 }], columns: [0, 1, 2], names: ['id', 'title', 'born'] },
				],
			},
		),
	}),
	'select joined': () => ({
		body: rowsBody(
			{ id: number, title: {}, author: number, name: {} },
			ids.map(id => [id, stored(books, id, 'title'), 1, stored(authors, 1, 'name')]),
			{
				origins: [
					{ table: 'books', key: [{ column: 'id', at: 0 }], columns: [0, 1], names: ['id', 'title'] },
					{ table: 'authors', key: [{ column: 'id', at: 2 }], columns: [2, 3], names: ['id', 'name'] },
				],
			},
		),
	}),
	'select count': () => ({ body: rowsBody({ count: number }, [[7]]) }),
	'select begun': () => ({ ...answers['select books']?.(), ...(transaction && { transaction }) }),
}

async function open(connection: Partial<ConnectionView> = {}): Promise<void> {
	transaction = undefined
	books = fakeBooks(12)
	authors = new FakeTable('authors', { columns: { id: number, name: {} }, rows: [[1, 'Ada']] })
	window = await openWindow({
		tables: [books, authors],
		connection,
		manifest: { console: fakeLanguage({ transaction: { commit: 'commit', rollback: 'rollback' } }) },
		answers: consoleAnswers({
			run: text => answers[text]?.() ?? { body: rowsBody({ [text.slice(7)]: number }, [[1]]) },
		}),
	})
	await window.openConnection()
	panel = await ConsolePanel.open()
}
beforeEach(() => open())

const result = () => panel.runs.first()
const cell = (name: string) => result().getByRole('gridcell', { name, exact: true })
const button = (name: string) => result().getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const isSaid = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible()

/** Types another value into a cell. */
async function edit(from: string, to: string): Promise<void> {
	await cell(from).click()
	await press('Enter')
	const field = result().getByRole('textbox', { name: /^Edit / })
	await expect.element(field).toBeVisible()
	await field.fill(to)
	await press('Enter')
	await expect.element(cell(to)).toBeVisible()
}
async function save(): Promise<void> {
	await button('Review and save').click()
	await dialog()
		.getByRole('button', { name: /^Save \d+ changes?$/ })
		.click()
	await expect.element(dialog()).not.toBeInTheDocument()
}

test('a value is typed in its cell, staged, reviewed as a statement and saved with the version of its row', async () => {
	await panel.run('select books')
	await edit('Book 2', 'Dubliners')
	expect(cell('Dubliners').element().classList.contains('staged')).toBe(true)
	expect(stored(books, 2, 'title')).toBe('Book 2')
	await expect.element(result().getByText('1 change not saved')).toBeVisible()
	expect(await violations()).toEqual([])
	await button('Review and save').click()
	await expect.element(dialog().getByText('This statement is sent:')).toBeVisible()
	await expect.element(dialog().getByText('update books set {"title":"Dubliners"} where id = ["2"]')).toBeVisible()
	await dialog()
		.getByRole('button', { name: /^Save \d+ changes?$/ })
		.click()
	await expect.poll(() => stored(books, 2, 'title')).toBe('Dubliners')
	await expect.element(cell('Dubliners')).toBeVisible()
	expect(cell('Dubliners').element().classList.contains('staged')).toBe(false)
	const [sent] = window.host.callsOf('changes.apply')
	expect(sent?.changes).toEqual([{ kind: 'update', rowId: '["2"]', version: '1', set: { title: 'Dubliners' } }])
})

test('a saved value is edited again, and its save is undone', async () => {
	await panel.run('select books')
	await edit('Book 2', 'Dubliners')
	await save()
	await edit('Dubliners', 'Ulysses')
	await save()
	await expect.poll(() => stored(books, 2, 'title')).toBe('Ulysses')
	await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
	await expect.poll(() => stored(books, 2, 'title')).toBe('Dubliners')
	await expect.element(cell('Dubliners')).toBeVisible()
})

test('keys undo, redo and discard what is staged', async () => {
	await panel.run('select books')
	await edit('Book 2', 'Dubliners')
	await cell('Book 3').click()
	await press('ControlOrMeta+z')
	await expect.element(cell('Book 2')).toBeVisible()
	await press('ControlOrMeta+Shift+z')
	await expect.element(cell('Dubliners')).toBeVisible()
	await button('Discard').click()
	await expect.element(cell('Book 2')).toBeVisible()
})

test('typing begins the editor with what was typed while the row was read', async () => {
	await panel.run('select books')
	await cell('Book 2').click()
	const release = window.host.hold('grid.open')
	await type('Emma')
	release()
	await expect.element(result().getByRole('textbox', { name: /^Edit / })).toHaveValue('Emma')
})

test('what is typed to its end while the row was read is kept, and the focus moves on', async () => {
	await panel.run('select books')
	await cell('Book 2').click()
	const release = window.host.hold('grid.open')
	await type('Emma')
	await press('Enter')
	release()
	await expect.element(cell('Emma')).toBeVisible()
	await isSaid('1 change not saved')
	await expect.element(cell('Book 3')).toHaveClass('current')
	const again = window.host.hold('grid.open')
	await type('17')
	await press('Tab')
	again()
	await expect.element(cell('17')).toBeVisible()
	await isSaid('2 changes not saved')
})

test('a row that was changed since the result was read is compared before anything is written', async () => {
	await panel.run('select books')
	books.setValue('["2"]', 'title', 'Emma')
	await edit('Book 2', 'Mine')
	await expect.element(button('Compare')).toBeVisible()
	await button('Review and save').click()
	await isSaid(/Nothing is saved until you compare it/)
	expect(window.host.callsOf('changes.preview')).toEqual([])
	await button('Compare').click()
	await expect.element(dialog().getByText('Emma', { exact: true })).toBeVisible()
	await dialog().getByRole('button', { name: 'Keep mine' }).click()
	await expect.element(button('Compare')).not.toBeInTheDocument()
	// The button that opened the sheet is gone, and the keys are those of the grid beside it, not of the editor.
	await expect.poll(() => document.activeElement?.role).toBe('grid')
	await save()
	await expect.poll(() => stored(books, 2, 'title')).toBe('Mine')
})

test('another value of the row that was changed since is a conflict too, and theirs is shown when it is taken', async () => {
	await panel.run('select books')
	books.setValue('["2"]', 'born', 1801)
	await edit('Book 2', 'Mine')
	await button('Compare').click()
	await expect.element(dialog().getByRole('row', { name: 'born 1930 1801 not changed by you' })).toBeVisible()
	await dialog().getByRole('button', { name: 'Take theirs' }).click()
	await expect.element(cell('1,801').or(cell('1801'))).toBeVisible()
	await expect.element(button('Review and save')).not.toBeInTheDocument()
})

test('a row that changes after it was read here is a conflict of the save', async () => {
	await panel.run('select books')
	await edit('Book 2', 'Mine')
	books.setValue('["2"]', 'title', 'Theirs')
	await save()
	await expect.element(button('Compare')).toBeVisible()
	expect(stored(books, 2, 'title')).toBe('Theirs')
})

test('cells that cannot be edited say why', async () => {
	await panel.run('select books')
	await cell('BOOK 2').click()
	await press('Enter')
	await isSaid('upper(title) is an expression, or the result lacks the whole key of its table, so it cannot be edited.')
	await panel.run('select count')
	await cell('7').click()
	await type('8')
	await isSaid('The result has no whole key of a table, so its values cannot be edited.')
})

test('a read-only connection says why nothing is edited', async () => {
	await open({ safeMode: 'read-only' })
	await panel.run('select books')
	await cell('Book 2').click()
	await press('Enter')
	await isSaid(/read-only/)
	await expect.element(result().getByRole('textbox', { name: /^Edit / })).not.toBeInTheDocument()
})

test('a row that is gone, and an open transaction, say so', async () => {
	await panel.run('select books')
	books.remove('["2"]')
	await cell('Book 2').click()
	await press('Enter')
	await isSaid('The row is not in books any more.')
	transaction = 'open'
	await panel.run('select begun')
	await cell('Book 3').click()
	await press('Enter')
	await isSaid(/^A transaction is open in this console/)
})

test('of joined tables one is changed at a time, and a row that is shown several times changes in all places', async () => {
	await panel.run('select joined')
	await cell('Ada').first().click()
	await press('Enter')
	await result()
		.getByRole('textbox', { name: /^Edit / })
		.fill('Grace')
	await press('Enter')
	await expect.poll(() => cell('Grace').elements().length).toBe(4)
	await cell('Book 2').click()
	await press('Enter')
	await isSaid('One table is changed at a time, and changes of authors are not saved.')
	await save()
	await expect.poll(() => stored(authors, 1, 'name')).toBe('Grace')
	await edit('Book 2', 'Emma')
	await save()
	await expect.poll(() => stored(books, 2, 'title')).toBe('Emma')
})

test('several cells are pasted and set at once', async () => {
	await panel.run('select books')
	await cell('Book 1').click()
	await press('Shift+ArrowDown')
	await press('Alt+Delete')
	await expect.element(result().getByText('2 changes not saved')).toBeVisible()
	const opened = window.host.callsOf('grid.open').at(-1)
	expect(opened?.query.filters).toEqual([{ column: 'id', operator: 'in', values: ['1', '2'] }])
})

test('a result with changes is kept by the next run, and is not closed', async () => {
	await panel.run('select books')
	await edit('Book 2', 'Mine')
	await panel.run('select count')
	await panel.choose('select books')
	await expect.element(cell('Mine')).toBeVisible()
	await page.getByRole('button', { name: 'Close select books' }).click()
	await isSaid('Save or discard the changes in this result first.')
	await expect.element(cell('Mine')).toBeVisible()
})

test('the review of a result takes room only while the result is in front', async () => {
	await panel.run('select books')
	await edit('Book 2', 'Dubliners')
	const widths = [panel.root.element().clientWidth]
	const measure = () => widths.push(panel.root.element().clientWidth)
	await button('Review and save').click()
	await expect.element(dialog()).toBeVisible()
	measure()
	await panel.run('select count')
	await expect.element(dialog()).not.toBeInTheDocument()
	measure()
	const [whole = 0, beside = 0, after] = widths
	expect(beside).toBeLessThan(whole)
	expect(after).toBe(whole)
})

test('production asks before it saves', async () => {
	await open({ isProduction: true, safeMode: 'ask' })
	await panel.run('select books')
	await edit('Book 2', 'Mine')
	await cell('Book 3').click()
	await press('ControlOrMeta+Shift+s')
	await expect.element(dialog()).toBeVisible()
	expect(window.host.callsOf('changes.apply')).toEqual([])
})

test('what is staged survives a reload of the window, and comes back with the result of the statement', async () => {
	await panel.run('select books')
	await edit('Book 2', 'Dubliners')
	await edit('Book 3', 'Ulysses')
	await window.open()
	await isSaid('2 changes in the result of')
	expect(await violations()).toEqual([])
	books.setValue('["3"]', 'id', 33)
	await panel.root.getByRole('button', { name: 'Run it again', exact: true }).click()
	await expect.element(cell('Dubliners')).toBeVisible()
	expect(cell('Dubliners').element().classList.contains('staged')).toBe(true)
	await isSaid('1 change in the result of')
	await save()
	await expect.poll(() => stored(books, 2, 'title')).toBe('Dubliners')
	await panel.root.getByRole('button', { name: 'Discard', exact: true }).click()
	await expect.element(panel.root.getByText('in the result of')).not.toBeInTheDocument()
	await window.open()
	await expect.element(panel.editor).toBeVisible()
	await expect.element(panel.root.getByText('in the result of')).not.toBeInTheDocument()
})

test('what is kept is discarded with an undo', async () => {
	await panel.run('select books')
	await edit('Book 2', 'Dubliners')
	await window.open()
	await isSaid('1 change in the result of')
	await panel.root.getByRole('button', { name: 'Discard', exact: true }).click()
	await expect.element(panel.root.getByText('in the result of')).not.toBeInTheDocument()
	await page.getByRole('button', { name: 'Undo' }).click()
	await panel.root.getByRole('button', { name: 'Run it again', exact: true }).click()
	await expect.element(cell('Dubliners')).toBeVisible()
})

test('each window keeps the changes of its results, and those of a closed one go to the window that gets the focus', async () => {
	const keys = () => Object.keys(window.records).filter(key => key.startsWith('consoleChanges/'))
	const elsewhere = 'consoleChanges/c1/1/elsewhere'
	await panel.run('select books')
	await edit('Book 2', 'Dubliners')
	await expect.poll(keys).toHaveLength(1)
	const theirs = window.records[keys()[0] ?? '']
	window.records[elsewhere] = theirs ?? null
	const closing = Promise.withResolvers<void>()
	const other = navigator.locks.request('window elsewhere', () => closing.promise)
	await window.open()
	await isSaid('1 change in the result of')
	await panel.root.getByRole('button', { name: 'Run it again', exact: true }).click()
	await edit('Book 3', 'Ulysses')
	dispatchEvent(new Event('focus'))
	await expect.poll(keys).toHaveLength(2)
	await expect.element(panel.root.getByText('in the result of')).not.toBeInTheDocument()
	expect(window.records[elsewhere]).toEqual(theirs)
	closing.resolve()
	await other
	dispatchEvent(new Event('focus'))
	await isSaid('1 change in the result of')
	await expect.poll(keys).toHaveLength(1)
	await expect.element(cell('Ulysses')).toBeVisible()
})

test('a console that is closed with its changes discarded does not bring them back', async () => {
	await panel.run('select books')
	await edit('Book 2', 'Dubliners')
	await expect.poll(() => Object.keys(window.records).some(key => key.startsWith('consoleChanges/'))).toBe(true)
	await page
		.getByRole('button', { name: /^Close Console/ })
		.first()
		.click()
	await dialog().getByRole('button', { name: 'Discard 1 change' }).click()
	await expect.poll(() => Object.keys(window.records).some(key => key.startsWith('consoleChanges/'))).toBe(false)
})
