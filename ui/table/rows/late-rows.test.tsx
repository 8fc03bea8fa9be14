import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { FakeTable } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press } from '../../testing/keys.ts'

/** Keys while rows are loading: they act on the rows that the user sees, or wait for those that were meant. */

let window: FakeWindow
let table: TablePanel

beforeEach(async () => {
	const small = new FakeTable('small', {
		columns: { id: {}, n: { kind: 'number' }, c0: {} },
		rows: Array.from({ length: 1000 }, (_, row) => [`r${row}`, row, `text ${row}`]),
	})
	window = await openWindow({ tables: [small] })
	table = await window.openTable('small')
})

const says = (text: string | RegExp) => expect.element(table.root.getByText(text)).toBeVisible()
const rowOf = (row: number) => table.root.element().querySelector(`[role=row][aria-rowindex="${row + 2}"]`)

test('an action on the rows in view does not apply to the rows that replace them', async () => {
	await table.cell(0, 'c0').click()
	// The host answers a page after its grid is open.
	const releases = [window.host.hold('grid.open'), window.host.hold('grid.page')]
	await page.elementLocator(table.header('n')).click({ button: 'right' })
	await page.getByRole('menuitem', { name: 'Sort descending' }).click()
	expect(table.texts('id')[0]).toBe('r0')
	await table.cell(0, 'c0').click()
	await press('Delete')
	for (const release of releases) release()
	await says(/The selected rows are being replaced|The rows were reloaded/)
	await expect.poll(() => table.texts('id')[0]).toBe('r999')
	await table.isStaged(0)
	await table.cell(0, 'c0').click()
	await press('Delete')
	await table.isStaged(1)
	expect(rowOf(0)?.classList.contains('deleted')).toBe(true)
})

test('keys that follow an action whose rows are still loading run after it, and none is lost', async () => {
	const release = window.host.hold('grid.page')
	await table.cell(0, 'c0').click()
	await press('ControlOrMeta+Space')
	await press('Delete')
	await press('ControlOrMeta+z')
	release()
	await says('All changes are undone')
	await press('ControlOrMeta+Shift+z')
	await table.isStaged(1000)
})

test('a row that is still loading cannot be edited, and a message says so', async () => {
	const release = window.host.hold('grid.page')
	await table.cell(0, 'n').click()
	await press('ControlOrMeta+End')
	await press('F2')
	await says('This row is still loading.')
	release()
})

test('a filter by a row that is still loading follows as soon as the row is there', async () => {
	const release = window.host.hold('grid.page')
	await table.cell(0, 'id').click()
	await press('ControlOrMeta+End')
	await press('Home')
	await press('=')
	release()
	await says('id is r999')
})
