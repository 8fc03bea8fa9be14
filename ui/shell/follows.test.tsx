import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../testing/books.ts'
import { FakeClipboard } from '../testing/clipboard.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers } from '../testing/fake-console.ts'
import { FakeTable, tableAnswers } from '../testing/fake-tables.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'
import { chooseMore, chooseOfConnection } from '../testing/menu.ts'

/** The window shows changes without a reload, and the focus follows what the user opens. */

let window: FakeWindow
let clipboard: FakeClipboard

const named = (name: string) => new FakeTable(name, { columns: { id: {} }, rows: [['1']] })

beforeEach(async () => {
	clipboard = new FakeClipboard()
	window = await openWindow({ tables: [named('a_first'), named('places'), fakeBooks()], answers: consoleAnswers() })
	await window.openConnection()
	await expect.element(line('books')).toBeVisible()
})

const list = () => page.getByRole('list', { name: 'Tables' })
const line = (name: string) => list().getByRole('button', { name })
const reload = () => chooseOfConnection('Sample', 'Reload')
const focused = () => document.activeElement?.getAttribute('aria-label')

test('the start page shows what is open, and the next step', async () => {
	await expect.element(page.getByRole('heading', { name: 'Sample is open' })).toBeVisible()
	await expect.element(page.getByText('Choose a table on the left')).toBeVisible()
})

test('the focus moves to an opened table, and returns when a sheet closes', async () => {
	line('books').element().focus()
	await press('Enter')
	await expect.poll(focused).toBe('books')
	await chooseMore(page, 'Export')
	await expect.element(page.getByRole('dialog')).toBeVisible()
	await press('Escape')
	await expect.poll(focused).toBe('books')
})

test('a connection that is renamed while its table is open has its new name, and its rows go on', async () => {
	const books = await window.openListedTable('books')
	await chooseOfConnection('Sample', 'Edit')
	const sheet = page.getByRole('dialog', { name: 'Edit Sample' })
	await sheet.getByLabelText('Name', { exact: true }).fill('Renamed')
	await sheet.getByRole('button', { name: 'Save' }).click()
	await expect.element(sheet).not.toBeInTheDocument()
	await expect.element(page.getByRole('button', { name: 'Renamed', exact: true })).toBeVisible()
	await expect.element(page.getByRole('tab', { name: 'books' })).toHaveAttribute('title', 'books · Renamed')
	await books.cell(0, 'country').click()
	await press('=')
	await expect.element(books.root.getByRole('button', { name: 'country is AR', exact: true })).toBeVisible()
})

test('a menu stays with the item it was opened on while the list is reloaded', async () => {
	const release = window.host.hold('tables.list')
	await reload()
	await line('places').click({ button: 'right' })
	await expect.element(page.getByRole('menu', { name: 'places' })).toBeVisible()
	window.host.answer(tableAnswers([named('places'), fakeBooks()]))
	release()
	await expect.element(line('a_first')).not.toBeInTheDocument()
	await page.getByRole('menuitem', { name: 'Copy name' }).click()
	await expect.poll(() => clipboard.text).toBe('places')
})

test('a console is duplicated with its text', async () => {
	const console = await ConsolePanel.open()
	await console.write('select 1')
	await page.getByRole('tab', { name: 'Console' }).click({ button: 'right' })
	await page.getByRole('menuitem', { name: 'Duplicate' }).click()
	await expect.element(page.getByRole('tabpanel', { name: 'Console 2' }).getByText('select 1')).toBeVisible()
})

test('the menu of a result copies its statement, and removes it', async () => {
	const console = await ConsolePanel.open()
	await console.run('select 1')
	const run = console.root.getByRole('article', { name: 'select 1' })
	await run.getByText('select 1').click({ button: 'right' })
	await page.getByRole('menuitem', { name: 'Copy the statement', exact: true }).click()
	await expect.poll(() => clipboard.text).toBe('select 1')
	await run.getByText('select 1').click({ button: 'right' })
	await page.getByRole('menuitem', { name: 'Remove' }).click()
	await expect.element(run).not.toBeInTheDocument()
})
