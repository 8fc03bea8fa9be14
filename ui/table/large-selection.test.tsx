import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { FakeClipboard } from '../testing/clipboard.ts'
import { FakeTable } from '../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'

/** An action applies to all selected rows, also to those that are not loaded, or is refused with their number. */

let window: FakeWindow
let clipboard: FakeClipboard
let stored: FakeTable
let events: TablePanel

beforeEach(async () => {
	clipboard = new FakeClipboard()
	clipboard.text = 'before'
	stored = new FakeTable('events', {
		columns: { id: {}, level: {} },
		rows: Array.from({ length: 12_000 }, (_, row) => [`ev-${row}`, 'info']),
	})
	window = await openWindow({ tables: [stored] })
	events = await window.openTable('events')
})

const says = (text: string) => expect.element(events.root.getByText(text)).toBeVisible()
const ids = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, row) => `ev-${first + row}`)

/** Scrolls a row into view and clicks its id. Rows count from 0. */
async function clickRow(row: number, options: { readonly modifiers?: 'Shift'[] } = {}): Promise<void> {
	events.grid.element().scrollTo(0, Math.max(0, row - 3) * 28)
	await expect.poll(() => events.texts('id')).toContain(`ev-${row}`)
	await events.cell(row, 'id').click(options)
}
async function select(first: number, last: number): Promise<void> {
	await clickRow(first)
	await clickRow(last, { modifiers: ['Shift'] })
}

test('10,000 rows are copied completely and in order', async () => {
	await select(2_000, 11_999)
	await press('ControlOrMeta+c')
	await says('Copied 10,000 rows.')
	expect(clipboard.text.split('\n')).toEqual(ids(2_000, 11_999))
})

test('10,001 rows are refused with the number, and the clipboard does not change', async () => {
	await select(0, 10_000)
	await press('ControlOrMeta+c')
	await says('10,001 rows are selected, and at most 10,000 can be copied at once.')
	expect(clipboard.text).toBe('before')
	await press('Delete')
	await says('at most 10,000 can be deleted at once')
	await events.isStaged(0)
})

test('3,000 rows are deleted as one step, and saved', async () => {
	await select(0, 2_999)
	await press('Delete')
	await events.isStaged(3_000)
	await press('ControlOrMeta+z')
	await says('All changes are undone')
	await press('ControlOrMeta+Shift+z')
	await events.isStaged(3_000)
	await events.save()
	await expect.element(page.getByText('Deleted 3,000 rows.')).toBeVisible()
	expect(stored.size).toBe(9_000)
	await says('9,000 rows')
})

test.for([
	['the selected rows', false, ids(0, 499)],
	['all rows without their ids, also if they are more than 10,000', true, undefined],
] as const)('an export of a selection has %s', async ([, isAll, rowIds]) => {
	window.host.fail('exports.begin', 'The disk is full.')
	await select(0, 499)
	if (isAll) await press('ControlOrMeta+a')
	await events.more('Export')
	await page.getByRole('dialog').getByLabelText('Rows').selectOptions('selection')
	await page
		.getByRole('dialog')
		.getByRole('button', { name: /^Export/ })
		.click()
	await expect
		.poll(() => window.host.callsOf('exports.begin').map(({ options }) => options.rowIds))
		.toEqual([rowIds?.map(id => JSON.stringify([id]))])
	await expect.element(page.getByRole('dialog').getByText('The disk is full.')).toBeVisible()
})

test('reading the selected rows shows progress, and Cancel leaves the clipboard unchanged', async () => {
	await select(0, 9_000)
	const release = window.host.hold('grid.page')
	await press('ControlOrMeta+c')
	const bar = events.root.getByRole('status', { name: 'Reading the selected rows' })
	await expect.element(bar.getByText(/of 9,001 rows/)).toBeVisible()
	await bar.getByRole('button', { name: 'Cancel' }).click()
	await expect.element(bar).not.toBeInTheDocument()
	release()
	expect(clipboard.text).toBe('before')
})
