import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../../testing/books.ts'
import { FakeClipboard } from '../../testing/clipboard.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press, type } from '../../testing/keys.ts'

/** Saved views of a table, and the rows of a value in another tab. */

let clipboard: FakeClipboard
let window: FakeWindow
let books: TablePanel

beforeEach(async () => {
	clipboard = new FakeClipboard()
	window = await openWindow({ tables: [fakeBooks()] })
	books = await window.openTable('books')
	await books.cell(1, 'country').click()
	await press('=')
	await isFiltered()
	await openMenu()
	await menu().getByLabelText('Name of the view').fill('Nigeria')
	await press('Enter')
	await expect.element(view('Nigeria')).toBeVisible()
})

const menu = () => page.getByRole('dialog', { name: 'Saved views' })
const view = (name: string) => menu().getByRole('button', { name, exact: true })
const openMenu = () => books.root.getByRole('button', { name: 'Saved views' }).click()
const chip = () => books.root.getByRole('button', { name: 'country is NG', exact: true })
const isFiltered = () => expect.element(chip()).toBeVisible()

async function removeFilter(): Promise<void> {
	await press('Escape')
	await expect.element(menu()).not.toBeInTheDocument()
	await books.root.getByRole('button', { name: /^Remove country/ }).click()
	await expect.element(books.root.getByText('60 rows', { exact: true })).toBeVisible()
}

test('a view is applied by a click and by its command', async () => {
	await removeFilter()
	await openMenu()
	await view('Nigeria').click()
	await isFiltered()
	await removeFilter()
	await press('ControlOrMeta+Shift+p')
	await type('View: Nig')
	await press('Enter')
	await isFiltered()
})

test('a view is renamed', async () => {
	await menu().getByRole('button', { name: 'Rename Nigeria' }).click()
	await menu().getByLabelText('New name of Nigeria').fill('From Nigeria')
	await press('Enter')
	await expect.element(view('From Nigeria')).toBeVisible()
	await expect.element(view('Nigeria')).not.toBeInTheDocument()
})

test('a link that is pasted is asked about, and saves nothing', async () => {
	await menu().getByRole('button', { name: 'Copy a link to Nigeria' }).click()
	await expect.poll(() => clipboard.text).toContain('Nigeria')
	await menu().getByRole('button', { name: 'Delete Nigeria' }).click()
	await expect.element(menu().getByText('Save query, filters')).toBeVisible()
	await removeFilter()
	await openMenu()
	await menu().getByLabelText('Name of the view').click()
	clipboard.paste()
	const question = page.getByRole('dialog', { name: 'Open the view “Nigeria”?' })
	await expect.element(question.getByText('country is NG')).toBeVisible()
	await question.getByRole('button', { name: 'Open the view' }).click()
	await isFiltered()
	await openMenu()
	await expect.element(menu().getByText('Save query, filters')).toBeVisible()
})

test.for([
	'open',
	'closed',
] as const)('a view opens from the search of the window while its table is %s', async state => {
	await removeFilter()
	if (state === 'closed') await page.getByRole('button', { name: 'Close books' }).click()
	await press('ControlOrMeta+p')
	await type('Nigeria')
	await expect.element(page.getByRole('option', { name: 'Nigeria, view of books' })).toBeVisible()
	await press('Enter')
	await isFiltered()
	await expect.poll(() => new Set(books.texts('country'))).toEqual(new Set(['NG']))
})

test('a link opens the view after a question that names its connection, table and filters', async () => {
	await menu().getByRole('button', { name: 'Copy a link to Nigeria' }).click()
	await expect.poll(() => clipboard.text).toContain('roundhouse://view/')
	await removeFilter()
	await press('ControlOrMeta+p')
	await page.getByRole('combobox', { name: 'Open' }).fill(clipboard.text)
	await page.getByRole('option', { name: /Open the view “Nigeria”/ }).click()
	const question = page.getByRole('dialog', { name: 'Open the view “Nigeria”?' })
	await expect.element(question.getByText('Sample', { exact: true })).toBeVisible()
	await expect.element(question.getByText('country is NG')).toBeVisible()
	await expect.element(books.root.getByText('60 rows', { exact: true })).toBeInTheDocument()
	await question.getByRole('button', { name: 'Open the view' }).click()
	await isFiltered()
})

test('a link of a connection that is not here says so, and opens nothing', async () => {
	await menu().getByRole('button', { name: 'Copy a link to Nigeria' }).click()
	await expect.poll(() => clipboard.text).toContain('roundhouse://view/')
	clipboard.text = clipboard.text.replace('Sample', 'Elsewhere')
	await removeFilter()
	await press('ControlOrMeta+p')
	await page.getByRole('combobox', { name: 'Open' }).fill(clipboard.text)
	await page.getByRole('option', { name: /Open the view “Nigeria”/ }).click()
	await expect.element(page.getByText(/No connection here is named “Elsewhere”/)).toBeVisible()
	await expect.element(page.getByRole('button', { name: 'Open the view' })).toBeDisabled()
})

test('a link that the system opens is asked about, and a broken one is said to be', async () => {
	await menu().getByRole('button', { name: 'Copy a link to Nigeria' }).click()
	await expect.poll(() => clipboard.text).toContain('roundhouse://view/')
	await removeFilter()
	const waiting = ['roundhouse://view/broken']
	window.host.answer({ 'viewLinks.take': () => waiting.shift() ?? null })
	window.host.emit('viewLinks.changed', null)
	await expect.element(page.getByText('A link to a view was opened that cannot be read.')).toBeVisible()
	waiting.push(clipboard.text)
	window.host.emit('viewLinks.changed', null)
	const question = page.getByRole('dialog', { name: 'Open the view “Nigeria”?' })
	await expect.element(question.getByText('country is NG')).toBeVisible()
	await expect.element(books.root.getByText('60 rows', { exact: true })).toBeInTheDocument()
	await question.getByRole('button', { name: 'Open the view' }).click()
	await isFiltered()
})

test('a link that waits is asked about as soon as a window opens', async () => {
	await menu().getByRole('button', { name: 'Copy a link to Nigeria' }).click()
	await expect.poll(() => clipboard.text).toContain('roundhouse://view/')
	const waiting = [clipboard.text]
	window.host.answer({ 'viewLinks.take': () => waiting.shift() ?? null })
	await window.open()
	await expect.element(page.getByRole('dialog', { name: 'Open the view “Nigeria”?' })).toBeVisible()
	expect(waiting).toEqual([])
})

test('a link to what is shown needs no saved view', async () => {
	await menu().getByRole('button', { name: 'Copy a link to what is shown' }).click()
	await expect.element(page.getByText('Copied a link to what is shown.')).toBeVisible()
	const copied = clipboard.text
	await books.root.getByRole('button', { name: /^Remove country/ }).click()
	await expect.element(books.root.getByText('60 rows', { exact: true })).toBeVisible()
	await press('ControlOrMeta+p')
	await page.getByRole('combobox', { name: 'Open' }).fill(copied)
	await page.getByRole('option', { name: /Open the view “books”/ }).click()
	await page.getByRole('button', { name: 'Open the view' }).click()
	await isFiltered()
})

test('the button that copies a link says so', async () => {
	const copy = menu().getByRole('button', { name: 'Copy a link to Nigeria' })
	await copy.click()
	await expect.element(copy).toHaveAttribute('title', 'Copied')
})
