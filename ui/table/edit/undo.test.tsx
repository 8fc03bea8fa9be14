import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../../testing/books.ts'
import type { FakeTable } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press } from '../../testing/keys.ts'

/** Undo of what was discarded, saved or deleted. */

let window: FakeWindow
let table: FakeTable
let books: TablePanel

beforeEach(async () => {
	table = fakeBooks(12)
	window = await openWindow({ tables: [table] })
	books = await window.openTable('books')
})

const messages = () => page.getByRole('region', { name: 'Messages' })
const message = (text: string) => messages().getByRole('listitem').filter({ hasText: text })
const undo = (text: string) => message(text).getByRole('button', { name: 'Undo' }).first()
const discard = () => books.root.getByRole('button', { name: 'Discard' }).click()
const column = (name: string) => books.texts(name)

async function stageThree(): Promise<void> {
	await books.edit(0, 'country', 'XX')
	await books.edit(0, 'born', '1801')
	await books.edit(1, 'country', 'YY')
	await books.isStaged(3)
}

test('the key for undo restores what was discarded, and the message goes', async () => {
	await stageThree()
	await discard()
	await expect.element(message('Discarded 3 changes.')).toBeVisible()
	await books.isStaged(0)
	await press('ControlOrMeta+z')
	await books.isStaged(3)
	await expect.element(message('Discarded 3 changes.')).not.toBeInTheDocument()
})

test('a message restores what was discarded beside later changes, and covers neither the bar nor the status', async () => {
	await stageThree()
	await discard()
	await books.edit(2, 'country', 'ZZ')
	await books.isStaged(1)
	const box = (element: Element | null) => element?.getBoundingClientRect() ?? expect.unreachable()
	const { top, left } = box(messages().element())
	const bar = books.root.getByRole('toolbar', { name: 'Changes that are not saved' })
	expect(top).toBeGreaterThan(box(bar.element()).bottom)
	expect(left).toBeGreaterThanOrEqual(box(books.root.element().querySelector('.grid-status')).right)
	await undo('Discarded 3 changes.').click()
	await books.isStaged(4)
	expect(column('country').slice(0, 3)).toEqual(['XX', 'YY', 'ZZ'])
})

test('the undo of a save stays possible after a later save', async () => {
	await books.edit(5, 'country', 'SS')
	await books.save()
	await expect.element(message('Saved 1 row.')).toBeVisible()
	await books.edit(5, 'born', '1700')
	await books.save()
	await expect.poll(() => message('Saved 1 row.').elements().length).toBe(2)
	await undo('Saved 1 row.').click()
	await expect.poll(() => table.value('["6"]', 'country')).toBe('DE')
	expect(table.value('["6"]', 'born')).toBe(1700)
})

test('changes of a save that failed can be undone one by one after a reload of the window', async () => {
	await books.edit(5, 'country', 'FF')
	await books.edit(5, 'born', '1701')
	table.setValue('["6"]', 'born', 1)
	await books.save()
	await expect.element(books.root.getByRole('button', { name: 'Compare' })).toBeVisible()
	const release = window.host.hold('grid.open')
	await window.open()
	// Staged changes are there before the rows.
	await books.isStaged(2)
	release()
	await expect.element(books.root.getByRole('gridcell').first()).toBeVisible()
	await books.cell(5, 'id').click()
	await press('ControlOrMeta+z')
	await books.isStaged(1)
	await press('ControlOrMeta+z')
	await expect.element(books.root.getByText('All changes are undone')).toBeVisible()
})

test('a deleted row stays until it is saved, and an undo recreates it with all of its values', async () => {
	const before = table.select({ raw: 'Book 9' })[0]?.cells
	await books.cell(8, 'id').click()
	await press('Delete')
	await books.isStaged(1)
	expect(table.size).toBe(12)
	await books.save()
	await expect.poll(() => table.size).toBe(11)
	await undo('Deleted 1 row.').click()
	await expect.element(message('Recreated 1 row. Without a sort, the engine chooses the place.')).toBeVisible()
	expect(table.select({ raw: 'Book 9' })[0]?.cells).toEqual(before)
})

test('a deletion without an undo says why', async () => {
	window.host.answer({ 'rows.read': ({ rowId }) => ({ id: rowId, meta: {}, raw: new TextEncoder().encode('{}') }) })
	await books.cell(8, 'id').click()
	await press('Delete')
	await books.save()
	const text = 'Deleted 1 row. There is no undo: this row cannot be inserted again as it was.'
	await expect.element(message(text)).toBeVisible()
})

test('a recreated row is where the sort puts it', async () => {
	await page.elementLocator(books.header('title')).click()
	await expect.poll(() => column('title').slice(0, 3)).toEqual(['Book 1', 'Book 10', 'Book 11'])
	await books.cell(1, 'title').click()
	await press('Delete')
	await books.save()
	await expect.poll(() => column('title').slice(0, 2)).toEqual(['Book 1', 'Book 11'])
	await undo('Deleted 1 row.').click()
	await expect.poll(() => column('title').slice(0, 3)).toEqual(['Book 1', 'Book 10', 'Book 11'])
	const text = 'Recreated 1 row. Among equal values of the sort, the engine chooses the place.'
	await expect.element(message(text)).toBeVisible()
})

test('a recreated row is new at the top while other changes are staged', async () => {
	await books.cell(2, 'id').click()
	await press('Delete')
	await books.save()
	await expect.element(message('Deleted 1 row.')).toBeVisible()
	await books.edit(4, 'title', 'Renamed')
	await undo('Deleted 1 row.').click()
	await expect.element(page.getByText('with your other changes, 1 row as new at the top.')).toBeVisible()
	await books.isStaged(2)
	await books.save()
	await expect.poll(() => table.size).toBe(12)
})

test('saved new rows are deleted again by an undo, after its review', async () => {
	table.remove('["12"]')
	for (const id of ['13', '14']) {
		await books.cell(0, 'id').click()
		await press('Insert')
		const form = page.getByRole('dialog', { name: 'New row' })
		await form.getByLabelText('id', { exact: true }).fill(id)
		await form.getByRole('button', { name: 'Add' }).click()
	}
	await books.save()
	await undo('Saved 2 rows.').click()
	await page.getByRole('dialog').getByRole('button', { name: 'Delete 2 rows' }).click()
	await expect.element(message('Deleted 2 rows.')).toBeVisible()
	expect(table.size).toBe(11)
})
