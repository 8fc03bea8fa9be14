import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ChangeOutcome, ParamsOf } from '../../../host/api/api.ts'
import { FakeClipboard } from '../../testing/clipboard.ts'
import { FakeTable, tableAnswers } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press } from '../../testing/keys.ts'

/** The review of changes, saves that are refused, and what the grid offers of a table that takes no changes. */

let window: FakeWindow
let customers: FakeTable
let table: TablePanel

const columns = {
	id: { kind: 'number' },
	name: { isNotNull: true },
	note: {},
	born: { kind: 'date', type: 'date' },
} as const
const rows = Array.from({ length: 5 }, (_, row) => [row + 1, `Customer ${row + 1}`, `note ${row + 1}`, '2000-01-01'])

async function open(options: Parameters<typeof openWindow>[0] = {}): Promise<void> {
	customers = new FakeTable('customers', { columns, rows })
	const orders = new FakeTable('orders', { columns: { id: {} }, rows: [['o1']] })
	const cannot = ['insert', 'update', 'delete'].map(kind => [kind, 'A view takes no changes.'])
	const totals = new FakeTable('totals', {
		kind: 'view',
		cannot: Object.fromEntries(cannot),
		columns: { year: {}, orders: { kind: 'number' } },
		rows: [['2026', 3]],
	})
	window = await openWindow({ tables: [customers, orders, totals], ...options })
	table = await window.openTable('customers')
}
beforeEach(() => open())

const dialog = () => page.getByRole('dialog')
const says = (text: string | RegExp) => expect.element(table.root.getByText(text).first()).toBeVisible()
const review = () => table.root.getByRole('button', { name: 'Review and save' }).click()

test('a view offers no new row, no edit and no deletion, and says why', async () => {
	const totals = await window.openTable('totals')
	const insert = totals.root.getByRole('toolbar', { name: 'Grid' }).getByRole('button', { name: 'New row' })
	await expect.element(insert).toBeDisabled()
	expect(insert.element().getAttribute('title')).toBe('A view takes no changes.')
	await totals.cell(0, 'orders').dblClick()
	expect(totals.root.getByLabelText('Edit orders').query()).toBeNull()
	await totals.cell(0, 'orders').click()
	await press('Delete')
	await expect.element(totals.root.getByText('A view takes no changes.')).toBeVisible()
	await totals.isStaged(0)
})

test('the review lies beside the rows, which stay in use: a further edit is reviewed too, and Escape of a cell leaves it', async () => {
	const sheet = () => page.getByRole('dialog', { name: /changes? on Sample$/ })
	const box = (element: Element) => element.getBoundingClientRect()
	await table.edit(0, 'name', 'Ada')
	await review()
	await expect.element(sheet()).toHaveAccessibleName('Save 1 change on Sample')
	expect(box(sheet().element()).left).toBeGreaterThanOrEqual(box(table.grid.element()).right)
	expect(box(sheet().element()).right).toBe(document.documentElement.clientWidth)
	await table.edit(1, 'name', 'Grace')
	await expect.element(sheet()).toHaveAccessibleName('Save 2 changes on Sample')
	await expect.element(sheet().getByText(/Grace/).last()).toBeVisible()
	await table.cell(2, 'name').dblClick()
	await press('Escape')
	await expect.element(sheet()).toBeVisible()
	await sheet()
		.getByRole('button', { name: /^Save \d+ changes?$/ })
		.click()
	await expect.element(sheet()).not.toBeInTheDocument()
	await table.isStaged(0)
})

test('the review of a table leaves the screen with its tab', async () => {
	await table.edit(0, 'name', 'Ada')
	await review()
	await expect.element(dialog()).toBeVisible()
	await window.openListedTable('orders')
	await expect.element(dialog()).not.toBeInTheDocument()
	await page.getByRole('tab', { name: 'customers' }).click()
	await expect.element(dialog()).toBeVisible()
	dialog().getByRole('button', { name: 'Keep editing' }).element().focus()
	await press('Escape')
	await expect.element(dialog()).not.toBeInTheDocument()
})

test('a review copies its statements', async () => {
	const clipboard = new FakeClipboard()
	await table.edit(0, 'name', 'Ada; really')
	await table.cell(1, 'id').click()
	await press('Delete')
	await review()
	await dialog().getByRole('button', { name: 'Copy what is sent' }).click()
	await expect
		.poll(() => clipboard.text.split('\n\n'))
		.toEqual([`update customers set {"name":"Ada; really"} where id = ["1"]`, `delete from customers where id = ["2"]`])
})

test('an error of a save names the row and the column, marks the cell and goes there', async () => {
	const refused: ChangeOutcome = { status: 'failed', message: 'The value is out of range.', column: 'born' }
	window.host.answer({
		'changes.apply': ({ changes }) =>
			changes.map(change => (change.kind === 'update' && 'born' in change.set ? refused : customers.apply(change))),
	})
	await table.edit(1, 'name', 'Other')
	await table.edit(3, 'born', '2024-12-01')
	await table.cell(0, 'id').click()
	await table.save()
	await says('Row id 4, born: The value is out of range.')
	await expect.element(table.cell(3, 'born')).toHaveAttribute('aria-invalid', 'true')
	await expect.element(table.cell(3, 'born')).toHaveClass('current')
	expect(table.root.element().querySelectorAll('.grid-row.faulty')).toHaveLength(1)
})

test('an error of a row that is not shown names it, as the review does', async () => {
	const refused: ChangeOutcome = { status: 'failed', message: 'The value is out of range.', column: 'born' }
	window.host.answer({ 'changes.apply': ({ changes }) => changes.map(() => refused) })
	await table.edit(3, 'born', '2024-12-01')
	await table.cell(0, 'id').click()
	await press('=')
	await expect.element(table.root.getByText('Customer 4')).not.toBeInTheDocument()
	await review()
	await expect.element(dialog().getByText('row 4')).toBeVisible()
	await dialog()
		.getByRole('button', { name: /^Save \d+ changes?$/ })
		.click()
	await says('Row 4 (not shown), born: The value is out of range.')
})

test('an error without a column leads to the row, and to no other cell that was changed', async () => {
	const refused: ChangeOutcome = { status: 'failed', message: 'A value violates a check.' }
	window.host.answer({ 'changes.apply': ({ changes }) => changes.map(() => refused) })
	await table.edit(3, 'name', 'Other')
	await table.edit(3, 'born', '2024-12-01')
	await table.cell(0, 'id').click()
	await table.save()
	await says('Row id 4: A value violates a check.')
	await expect.element(table.cell(3, 'id')).toHaveClass('current')
	expect(table.root.element().querySelectorAll('[aria-invalid=true]')).toHaveLength(0)
})

test('an engine that saves all or nothing says so in the review, and keeps all changes after a conflict', async () => {
	await open({ manifest: { savesWhole: true } })
	window.host.answer({
		'changes.apply': ({ changes }) =>
			changes.map(
				(_, at): ChangeOutcome =>
					at === 1 ? { status: 'conflict', message: 'The row was changed.' } : { status: 'not_sent' },
			),
	})
	await table.edit(0, 'note', 'first')
	await table.edit(1, 'note', 'second')
	await review()
	const words = 'These statements are sent in this order. They are applied together, or not at all.'
	await expect.element(dialog().getByText(words)).toBeVisible()
	await dialog()
		.getByRole('button', { name: /^Save \d+ changes?$/ })
		.click()
	await says(/was changed/)
	await table.isStaged(2)
})

test('the review of a save that waits can be closed, and the save ends by itself', async () => {
	const release = window.host.hold('changes.apply')
	await table.edit(1, 'name', 'Waited')
	await review()
	await dialog()
		.getByRole('button', { name: /^Save \d+ changes?$/ })
		.click()
	await expect.element(dialog().getByRole('button', { name: 'Saving …' })).toBeVisible()
	const close = dialog().element().querySelectorAll('footer button')
	await page
		.elementLocator([...close].find(({ textContent }) => textContent === 'Close') ?? expect.unreachable())
		.click()
	await expect.element(dialog()).not.toBeInTheDocument()
	await says('Saving …')
	await window.openTable('orders')
	release()
	await window.openTable('customers')
	await table.isStaged(0)
	expect(customers.value('["2"]', 'name')).toBe('Waited')
})

test('a save that waits shows its time, is cancelled from its review, the bar or by a key, and nothing is lost', async () => {
	const save = () =>
		dialog()
			.getByRole('button', { name: /^Save \d+ changes?$/ })
			.click()
	const isCancelled = async () => {
		await expect.element(dialog()).not.toBeInTheDocument()
		await says('Nothing was saved. The save was cancelled.')
		await table.isStaged(1)
		await expect.poll(() => document.activeElement?.tagName).not.toBe('BODY')
	}
	const close = async () => {
		await page.elementLocator(closeButton()).click()
		await expect.element(dialog()).not.toBeInTheDocument()
	}
	const closeButton = () =>
		[...dialog().element().querySelectorAll('footer button')].find(({ textContent }) => textContent === 'Close') ??
		expect.unreachable()
	const notSent = ({ changes }: ParamsOf<'changes.apply'>): readonly ChangeOutcome[] =>
		changes.map(() => ({ status: 'not_sent' }))
	window.host.answer({
		'changes.apply': (params, { signal }) =>
			new Promise(resolve => signal?.addEventListener('abort', () => resolve(notSent(params)), { once: true })),
	})
	await table.edit(1, 'name', 'Waited')
	await review()
	await save()
	await expect.element(dialog().getByRole('button', { name: /^Saving … \d+ s$/ })).toBeVisible()
	await dialog().getByRole('button', { name: 'Cancel save' }).click()
	await isCancelled()
	await review()
	await save()
	await expect.element(dialog().getByRole('button', { name: /^Saving …/ })).toBeVisible()
	await close()
	await table.root.getByRole('button', { name: 'Cancel save' }).click()
	await isCancelled()
	await expect.element(table.grid).toHaveFocus()
	await review()
	await save()
	await expect.element(dialog().getByRole('button', { name: /^Saving …/ })).toBeVisible()
	await close()
	await says(/^Saving …/)
	await press('ControlOrMeta+.')
	await isCancelled()
	window.host.answer(tableAnswers([customers]))
	await table.save()
	await table.isStaged(0)
	expect(customers.value('["2"]', 'name')).toBe('Waited')
})

test('null is offered by the menu only where the column takes it', async () => {
	const setNull = page.getByRole('menuitem', { name: 'Set null' })
	const more = page.getByRole('menuitem', { name: 'More', exact: true })
	await table.cell(4, 'note').click({ button: 'right' })
	await more.hover()
	await expect.element(setNull.getByText('Alt+Delete')).toBeVisible()
	await press('Escape')
	await press('Escape')
	await table.cell(4, 'name').click({ button: 'right' })
	await more.hover()
	await expect.element(page.getByRole('menuitem', { name: 'Fill down' })).toBeVisible()
	expect(setNull.query()).toBeNull()
	await press('Escape')
	await press('Escape')
	await table.cell(4, 'name').dblClick()
	await expect.element(table.root.getByLabelText('Edit name')).toBeVisible()
	expect(table.root.getByRole('button', { name: 'Set null' }).query()).toBeNull()
})

test('a key sets null in each selected column that takes it, and says which does not', async () => {
	await table.cell(4, 'name').click()
	await press('Shift+ArrowRight')
	await press('Alt+Delete')
	await says('name was not changed: the value is null, which the column does not take.')
	await table.isStaged(1)
	await expect.poll(() => table.texts('note')[4]).toBe('null')
})

test('values of a column that is gone are shown, and can be discarded alone', async () => {
	await table.edit(0, 'name', 'A long reply')
	await table.edit(0, 'note', 'kept')
	const renamed = new FakeTable('customers', {
		columns: { id: { kind: 'number' }, title: {}, note: {}, born: { kind: 'date' } },
		rows,
	})
	window.host.answer(tableAnswers([renamed]))
	await table.more('Reload')
	const gone = table.root.getByText(
		'1 column with changes that are not saved no longer exists here: name (A long reply).',
	)
	await expect.element(gone).toBeVisible()
	await table.root.getByRole('button', { name: 'Discard these' }).click()
	await expect.element(gone).not.toBeInTheDocument()
	await table.save()
	await expect.poll(() => renamed.value('["1"]', 'note')).toBe('kept')
	expect(renamed.value('["1"]', 'title')).toBe('Customer 1')
})
