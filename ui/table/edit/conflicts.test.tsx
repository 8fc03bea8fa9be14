import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../../testing/books.ts'
import type { FakeTable } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press } from '../../testing/keys.ts'

/** Conflicts with changes of another client, which the user resolves value by value. */

let window: FakeWindow
let table: FakeTable
let books: TablePanel

beforeEach(async () => {
	table = fakeBooks(12)
	window = await openWindow({ tables: [table] })
	books = await window.openTable('books')
})

const dialog = () => page.getByRole('dialog')
const choice = (name: string) => dialog().getByRole('button', { name })
const compare = () => books.root.getByRole('button', { name: 'Compare' })
const line = (column: string) => dialog().getByRole('row').filter({ hasText: column })
const choices = ['Keep mine', 'Take theirs', 'Use these values']

/** Stages a change of a row that another client has changed, and tries to save it. */
async function conflict(): Promise<void> {
	await books.edit(3, 'country', 'MM')
	table.setValue('["4"]', 'country', 'TT')
	await books.save()
	await expect.element(compare()).toBeVisible()
}

test('a row that another client changed is not overwritten, and the user chooses column by column', async () => {
	await books.edit(3, 'country', 'MM')
	await books.edit(3, 'born', '1801')
	table.setValue('["4"]', 'country', 'TT')
	table.setValue('["4"]', 'born', 1802)
	await books.save()
	await expect.element(books.root.getByText('A row was changed by another client.')).toBeVisible()
	expect(table.value('["4"]', 'country')).toBe('TT')
	await compare().click()
	await expect.element(dialog().getByRole('heading', { name: /^Changed by another client/ })).toBeVisible()
	for (const value of ['MM', 'TT'])
		await expect.element(line('country').getByText(value, { exact: true })).toBeVisible()
	await line('born').getByLabelText('1802').click()
	await choice('Use these values').click()
	await books.save()
	await expect.poll(() => table.value('["4"]', 'country')).toBe('MM')
	expect(table.value('["4"]', 'born')).toBe(1802)
})

test('a comparison lists what else the other client changed', async () => {
	await books.edit(3, 'country', 'MM')
	table.setValue('["4"]', 'born', 1802)
	await books.save()
	await compare().click()
	await expect.element(line('born')).toHaveTextContent('born18671802not changed by you')
	await choice('Keep mine').click()
	await expect.poll(() => [books.texts('country')[3], books.texts('born')[3]]).toEqual(['MM', '1802'])
})

test('a comparison stays beside the rows, and closes when its change is undone', async () => {
	await conflict()
	await compare().click()
	const pane = dialog().element().getBoundingClientRect()
	expect(books.grid.element().getBoundingClientRect().right).toBeLessThanOrEqual(pane.left + 1)
	// One button leads on: that of the pane.
	await expect.element(books.root.getByRole('button', { name: 'Review and save' })).not.toBeInTheDocument()
	await books.root.getByRole('toolbar', { name: 'Changes' }).getByRole('button', { name: 'Undo' }).click()
	await expect.element(dialog()).not.toBeInTheDocument()
})

test('taking their version leaves nothing staged', async () => {
	await conflict()
	await compare().click()
	await choice('Take theirs').click()
	await expect.poll(() => books.texts('country')[3]).toBe('TT')
	await books.isStaged(0)
})

test('a conflict cannot be resolved before their version is loaded', async () => {
	await conflict()
	const release = window.host.hold('rows.read')
	await compare().click()
	await expect.element(dialog().getByText('Reading the current values')).toBeVisible()
	for (const name of choices) await expect.element(choice(name)).toBeDisabled()
	release()
	await expect.element(line('country').getByText('TT', { exact: true })).toBeVisible()
})

test('a change after the one that the user resolved is a conflict again', async () => {
	await conflict()
	await compare().click()
	await choice('Keep mine').click()
	table.setValue('["4"]', 'country', 'UU')
	await books.save()
	await expect.element(compare()).toBeVisible()
	expect(table.value('["4"]', 'country')).toBe('UU')
})

test('a row that another client deleted is reported, and the user can drop the change', async () => {
	await conflict()
	table.remove('["4"]')
	await compare().click()
	await expect.element(dialog().getByRole('alert')).toBeVisible()
	for (const name of choices) await expect.element(choice(name)).toBeDisabled()
	await choice('Try again').click()
	await expect.element(dialog().getByRole('alert')).toBeVisible()
	await choice('Drop mine').click()
	await books.isStaged(0)
})

test.for([
	['Keep the row', 12],
	['Delete it anyway', 11],
] as const)('of a row that the user deletes and another client changed, the user can choose: %s', async ([
	name,
	left,
]) => {
	await books.cell(3, 'id').click()
	await press('Delete')
	table.setValue('["4"]', 'country', 'TT')
	await books.save()
	await compare().click()
	await expect.element(dialog().getByText('You delete this row')).toBeVisible()
	await choice(name).click()
	if (left === 11) await books.save()
	await books.isStaged(0)
	await expect.poll(() => table.size).toBe(left)
})
