import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ChangeOutcome } from '../../../host/api/api.ts'
import { violations } from '../../testing/axe.ts'
import { fakeLanguage } from '../../testing/fake-engine.ts'
import { FakeTable } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press } from '../../testing/keys.ts'

/** Staged changes are visible in their place, and the grid explains why rows are missing. */

let window: FakeWindow
let small: FakeTable
let table: TablePanel

async function openSmall(): Promise<void> {
	small = new FakeTable('small', {
		columns: { id: {}, n: { kind: 'number' }, c0: {} },
		rows: Array.from({ length: 200 }, (_, row) => [`r${row}`, row, `text ${row}`]),
	})
	const empty = new FakeTable('empty', { columns: { id: {} }, rows: [] })
	window = await openWindow({ tables: [small, empty] })
	table = await window.openTable('small')
}

const dialog = () => page.getByRole('dialog')
const rowOf = (row: number) => table.root.element().querySelector(`[role=row][aria-rowindex="${row + 2}"]`)
const isMarked = (row: number, mark: string) => expect.poll(() => rowOf(row)?.classList.contains(mark)).toBe(true)
const undo = () => table.root.getByRole('button', { name: 'Undo', exact: true })
const redo = () => table.root.getByRole('button', { name: 'Redo', exact: true })

test('a new row is at the top until it is saved, keeps every digit, and is removed by undo', async () => {
	await openSmall()
	await table.root.getByRole('button', { name: 'New row' }).click()
	await dialog().getByLabelText('id', { exact: true }).fill('mine')
	await dialog().getByLabelText('Row as JSON').fill('{"id": "mine", "n": 90071992547409931, "c0": "hello"}')
	await dialog().getByRole('button', { name: 'Add', exact: true }).click()
	await isMarked(0, 'new')
	await expect.poll(() => table.texts('n')[0]).toBe('90071992547409931')
	expect(table.texts('id')[1]).toBe('r0')
	await table.edit(0, 'c0', 'changed')
	await expect.poll(() => table.texts('c0')[0]).toBe('changed')
	await undo().click()
	await expect.poll(() => table.texts('c0')[0]).toBe('hello')
	await undo().click()
	await expect.poll(() => table.texts('id')[0]).toBe('r0')
	await redo().click()
	await redo().click()
	await table.save()
	await expect.element(table.root.getByText('201 rows')).toBeVisible()
	expect(window.host.callsOf('changes.apply').at(-1)?.changes).toEqual([
		{ kind: 'insert', values: { id: 'mine', n: { number: '90071992547409931' }, c0: 'changed' } },
	])
})

test('changed, deleted and failed rows have different styles, and a failed row has its reason as title', async () => {
	await openSmall()
	const failed: ChangeOutcome = { status: 'failed', message: 'The word "refused" is refused.' }
	window.host.answer({
		'changes.apply': ({ changes }) => changes.map(change => (change.kind === 'update' ? failed : small.apply(change))),
	})
	await table.edit(1, 'c0', 'refused')
	await table.cell(3, 'id').click()
	await press('Delete')
	await isMarked(1, 'changed')
	await isMarked(3, 'deleted')
	await table.save()
	await expect.element(table.root.getByText(/^Saved 1 of 2\. Row id r1: The word "refused" is refused\./)).toBeVisible()
	await isMarked(1, 'faulty')
	expect(rowOf(1)?.getAttribute('title')).toBe('The word "refused" is refused.')
})

test('one key marks fifty rows for deletion, and the same key removes the marks', async () => {
	await openSmall()
	await table.cell(0, 'id').click()
	for (let step = 0; step < 49; step++) await press('Shift+ArrowDown')
	await press('Delete')
	await expect.element(table.root.getByText('50 changes not saved', { exact: true })).toBeVisible()
	await press('Delete')
	await expect.element(table.root.getByText(/not saved/)).not.toBeInTheDocument()
})

test('a table without rows shows a message, and offers a new row', async () => {
	await openSmall()
	await page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'empty' }).click()
	const empty = page.getByRole('tabpanel', { name: 'empty' })
	await expect.element(empty.getByText('This table has no rows.')).toBeVisible()
	await empty.getByRole('status').getByRole('button', { name: 'New row' }).click()
	await expect.element(dialog().getByLabelText('id', { exact: true })).toBeVisible()
})

test('rows that take long show their waiting time, keep the rows before, and can be cancelled and retried', async () => {
	await openSmall()
	const release = window.host.hold('grid.open')
	await page.elementLocator(table.header('n')).click()
	await expect.element(table.root.getByText(/^Loading … [1-9] s$/)).toBeVisible()
	expect(table.texts('id').length).toBeGreaterThan(0)
	await table.root.getByRole('status').getByRole('button', { name: 'Cancel' }).click()
	await expect.element(table.root.getByRole('status').getByText('You cancelled the search.')).toBeVisible()
	await expect.element(table.grid).toHaveClass('outdated')
	release()
	await table.root.getByRole('button', { name: 'Try again' }).click()
	await expect.element(table.root.getByRole('alert')).not.toBeInTheDocument()
	await expect.element(table.grid).not.toHaveClass('outdated')
})

test('a review lists what is changed by row, with the old values struck through', async () => {
	await openSmall()
	await table.edit(1, 'c0', 'changed')
	await table.root.getByRole('button', { name: 'Review and save' }).click()
	const list = dialog().getByRole('list', { name: 'Changes' })
	await expect.element(list.getByRole('listitem')).toHaveTextContent('row r1c0 text 1 changed')
	expect(list.element().querySelector('del')?.textContent).toBe('text 1')
	expect(list.element().querySelector('ins')?.textContent).toBe('changed')
	expect(document.activeElement?.getAttribute('aria-label')).not.toBe('Close')
})

test('a review names a row by its first text too, unless that is what changes', async () => {
	const people = new FakeTable('people', {
		columns: { id: { isKey: true }, name: {}, city: {} },
		rows: [
			['1', 'Ada', 'Riga'],
			['2', 'Bo', 'Oslo'],
		],
	})
	window = await openWindow({ tables: [people] })
	table = await window.openTable('people')
	await table.edit(0, 'city', 'Bonn')
	await table.edit(1, 'name', 'Bob')
	await table.root.getByRole('button', { name: 'Review and save' }).click()
	const lines = dialog().getByRole('list', { name: 'Changes' }).getByRole('listitem')
	await expect.element(lines.first()).toHaveTextContent('row 1Adacity Riga Bonn')
	await expect.element(lines.last()).toHaveTextContent('row 2Osloname Bo Bob')
})

test('each change of a review is undone alone, also a new row and a deletion', async () => {
	await openSmall()
	await table.edit(1, 'c0', 'changed')
	await table.edit(2, 'c0', 'stays')
	await table.cell(3, 'id').click()
	await press('Delete')
	await table.root.getByRole('button', { name: 'New row' }).click()
	await dialog().getByLabelText('id', { exact: true }).fill('mine')
	await dialog().getByRole('button', { name: 'Add', exact: true }).click()
	await table.root.getByRole('button', { name: 'Review and save' }).click()
	const list = dialog().getByRole('list', { name: 'Changes' })
	const lines = () => list.getByRole('listitem').elements().length
	await expect.poll(lines).toBe(4)
	for (const name of ['row r1', 'row r3', 'new row']) await list.getByRole('button', { name: `Undo ${name}` }).click()
	await expect.poll(lines).toBe(1)
	await expect.poll(() => window.host.callsOf('changes.preview').at(-1)?.changes.length).toBe(1)
	await list.getByRole('button', { name: 'Undo row r2' }).click()
	await expect.element(dialog()).not.toBeInTheDocument()
	await table.cell(0, 'id').click()
	await press('ControlOrMeta+z')
	await expect.poll(() => table.texts('c0')[2]).toBe('stays')
})

test('a review tries its statements, adds up what they do in each table, and says why one was not tried', async () => {
	small = new FakeTable('small', {
		columns: { id: {}, c0: {} },
		rows: Array.from({ length: 20 }, (_, row) => [`r${row}`, `text ${row}`]),
	})
	const tables = [
		{ table: 'small', inserted: 0, updated: 1, deleted: 0 },
		{ table: 'audit', inserted: 1, updated: 0, deleted: 0 },
	]
	window = await openWindow({
		tables: [small],
		manifest: { console: fakeLanguage({ canRehearse: true }) },
		answers: { 'console.try': () => ({ effect: { place: '', tables } }) },
	})
	table = await window.openTable('small')
	await table.edit(1, 'c0', 'one')
	await table.edit(2, 'c0', 'two')
	await table.root.getByRole('button', { name: 'Review and save' }).click()
	await dialog().getByRole('button', { name: 'Try', exact: true }).click()
	await expect.element(dialog().getByRole('row', { name: 'small 0 2 0' })).toBeVisible()
	await expect.element(dialog().getByRole('row', { name: 'audit 2 0 0' })).toBeVisible()
	expect(window.host.callsOf('changes.apply')).toEqual([])
	window.host.answer({ 'console.try': () => ({ unrehearsed: 'It calls mail.' }) })
	await dialog().getByRole('button', { name: 'Try again' }).click()
	await expect.element(dialog().getByText('It calls mail.')).toBeVisible()
	expect(await violations()).toEqual([])
	// What was tried were other statements.
	await dialog().getByRole('button', { name: 'Undo row r1' }).click()
	await expect.element(dialog().getByText('It calls mail.')).not.toBeInTheDocument()
})

test('what goes with a deletion is a red line of the review, and its button counts it', async () => {
	const parents = new FakeTable('parents', { columns: { id: {} }, rows: [['p1'], ['p2']] })
	const tables = [
		{ table: 'parents', inserted: 0, updated: 0, deleted: 1 },
		{ table: 'children', inserted: 0, updated: 0, deleted: 3 },
	]
	window = await openWindow({
		tables: [parents],
		manifest: { console: fakeLanguage({ canRehearse: true, lineComments: ['--'] }) },
		answers: {
			'changes.preview': () => ({
				review: 'reviewed',
				requests: ['delete from parents\n-- This also deletes 3 rows of children.'],
			}),
			'console.try': () => ({ effect: { place: '', tables } }),
		},
	})
	table = await window.openTable('parents')
	await table.cell(0, 'id').click()
	await press('Delete')
	await table.root.getByRole('button', { name: 'Review and save' }).click()
	await expect.element(dialog().getByRole('alert')).toHaveTextContent('This also deletes 3 rows of children.')
	await expect.element(dialog().getByRole('button', { name: 'Delete 4 rows, 3 by cascade' })).toBeVisible()
	expect(dialog().element().querySelector('.code-box')?.textContent).toBe('delete from parents')
	expect(window.host.callsOf('console.try').map(({ statement }) => statement.text)).toEqual(['delete from parents'])
})

test('a conflict that holds back other changes is said in one line, until it is resolved', async () => {
	await openSmall()
	window.host.answer({
		'changes.apply': () => [{ status: 'conflict', message: 'The row was changed meanwhile.' }, { status: 'not_sent' }],
	})
	await table.edit(1, 'c0', 'mine')
	await table.edit(2, 'c0', 'other')
	small.setValue('["r1"]', 'c0', 'theirs')
	await table.save()
	await expect.element(table.root.getByText('Compare row r1, then save again.')).toBeVisible()
	expect(table.root.element().querySelectorAll('.notice')).toHaveLength(1)
	await table.root.getByRole('button', { name: 'Compare' }).click()
	await dialog().getByRole('button', { name: 'Take theirs' }).click()
	await expect.poll(() => table.root.element().querySelectorAll('.notice').length).toBe(0)
	await table.isStaged(1)
})

test('a review takes the place of the row beside the grid, which is there again after it', async () => {
	await openSmall()
	await table.edit(1, 'c0', 'changed')
	await press('Space')
	const row = page.getByRole('complementary', { name: 'Row' })
	await expect.element(row).toBeVisible()
	await table.root.getByRole('button', { name: 'Review and save' }).click()
	await expect.element(dialog()).toBeVisible()
	await expect.element(page.elementLocator(document.querySelector('.row-panel') as Element)).not.toBeVisible()
	await dialog().getByRole('button', { name: 'Keep editing' }).click()
	await expect.element(row).toBeVisible()
})
