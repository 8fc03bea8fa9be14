import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ConnectionView } from '../../../host/api/api.ts'
import { fakeBooks } from '../../testing/books.ts'
import { FakeClipboard } from '../../testing/clipboard.ts'
import type { FakeTable } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press, type } from '../../testing/keys.ts'
import { chooseOfConnection } from '../../testing/menu.ts'

/** Changes of rows are free, confirmed or refused, and deletions in production require a typed name. */

let window: FakeWindow
let table: FakeTable
let books: TablePanel

async function open(connection: Partial<ConnectionView> = {}): Promise<void> {
	table = fakeBooks()
	window = await openWindow({ tables: [table], connection })
	books = await window.openTable('books')
}
beforeEach(() => open())

const production = { isProduction: true, safeMode: 'ask' } as const
const sheet = () => page.getByRole('dialog')
const line = () => page.getByRole('region', { name: 'Connection of this tab' })

/** Deletes a row with the key that saves at once. */
async function deleteRow(row: number): Promise<void> {
	await books.cell(row, 'id').click()
	await press('Delete')
	await books.isStaged(1)
	await press('ControlOrMeta+Shift+s')
}

test('a free connection shows what is deleted, without a name to type', async () => {
	await expect.element(line().getByText('Writes without asking', { exact: true })).toBeVisible()
	await deleteRow(8)
	await expect.element(page.getByRole('dialog', { name: 'Save 1 change on Sample' })).toBeVisible()
	await sheet().getByRole('button', { name: 'Delete 1 row' }).click()
	await expect.poll(() => table.value('["9"]', 'id')).toBeUndefined()
})

test('a connection that becomes production asks, and is marked by a word and a colour', async () => {
	await chooseOfConnection('Sample', 'Edit')
	await sheet().getByLabelText('Production').click()
	await expect.element(sheet().getByLabelText('Writes')).toHaveValue('ask')
	await sheet().getByRole('button', { name: 'Save', exact: true }).click()
	await expect.element(sheet()).not.toBeInTheDocument()
	await expect.element(line().getByText('Asks before writes')).toBeVisible()
	await expect.element(line().getByText('Production')).toBeVisible()
	const sidebar = page.getByRole('navigation', { name: 'Connections' })
	await expect.element(sidebar.getByText('PROD', { exact: true })).toBeVisible()
	const bar = document.querySelector('.production-bar')?.getBoundingClientRect()
	expect([bar?.y, bar?.height, bar?.width]).toEqual([0, 3, document.documentElement.clientWidth])
})

test('a production connection requires the name of the table to delete a row', async () => {
	await open(production)
	await deleteRow(8)
	const save = sheet().getByRole('button', { name: 'Delete 1 row' })
	await expect.element(save).toBeDisabled()
	await sheet().getByLabelText('Type books to confirm').fill('book')
	await expect.element(save).toBeDisabled()
	await sheet().getByLabelText('Type books to confirm').fill('books')
	await save.click()
	await expect.poll(() => table.value('["9"]', 'id')).toBeUndefined()
	expect(window.host.callsOf('changes.apply')).toMatchObject([{ typed: 'books', review: expect.any(String) }])
})

test('a connection that asks shows a change before it is sent, also by the key that saves at once', async () => {
	await open({ safeMode: 'ask' })
	await books.edit(3, 'country', 'ZZ')
	books.grid.element().focus()
	await press('ControlOrMeta+Shift+s')
	await expect.element(sheet().getByText('ZZ').last()).toBeVisible()
	await sheet().getByRole('button', { name: 'Keep editing' }).click()
	await books.isStaged(1)
	expect(window.host.callsOf('changes.apply')).toEqual([])
	await books.save()
	await expect.poll(() => table.value('["4"]', 'country')).toBe('ZZ')
})

test('a free connection saves a change at once by its key', async () => {
	await books.edit(3, 'country', 'ZZ')
	books.grid.element().focus()
	await press('ControlOrMeta+Shift+s')
	await expect.poll(() => table.value('["4"]', 'country')).toBe('ZZ')
	expect(sheet().elements()).toEqual([])
})

test('a read-only connection refuses new rows, deletions, pasted rows and edits, and names the setting', async () => {
	await open({ safeMode: 'read-only' })
	await expect.element(line().getByText('Read only')).toBeVisible()
	const insert = books.root.getByRole('toolbar', { name: 'Grid' }).getByRole('button', { name: 'New row' })
	await expect.element(insert).toBeDisabled()
	await expect.element(insert).toHaveAttribute('title', expect.stringContaining('"Sample" is read-only'))
	await books.cell(0, 'id').click()
	await press('Delete')
	await expect.element(books.root.getByText(/"Sample" is read-only/)).toBeVisible()
	new FakeClipboard().text = 'new'
	await press('ControlOrMeta+Shift+v')
	await expect
		.element(books.root.getByText(/^Pasted 0 of 1 cell: 1 is past the last row. "Sample" is read-only/))
		.toBeVisible()
	await books.cell(0, 'country').dblClick()
	await type('XX')
	await books.isStaged(0)
	expect(books.root.getByRole('button', { name: 'Review and save' }).elements()).toEqual([])
})
