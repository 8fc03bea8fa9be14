import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { FakeTable } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press, type } from '../../testing/keys.ts'

/** The form for a new row. */

let window: FakeWindow
let orders: TablePanel

beforeEach(async () => {
	const customers = new FakeTable('customers', {
		columns: { id: { kind: 'number', isRequired: true }, name: {}, note: {} },
		rows: [
			[1, 'Customer 1', 'line one\nline two'],
			...Array.from({ length: 59 }, (_, index) => [index + 2, `Customer ${index + 2}`, `note ${index + 2}`]),
		],
	})
	window = await openWindow({
		tables: [
			customers,
			new FakeTable('orders', {
				columns: {
					id: { kind: 'number', generated: 'default' },
					customer: { kind: 'number', isRequired: true },
					placed: { kind: 'date', default: 'now()' },
				},
				rows: [[1, 2, '2026-01-01T00:00:00Z']],
				references: [{ columns: ['customer'], table: 'customers', to: ['id'] }],
			}),
			new FakeTable('notes', { columns: { what: { isKey: false }, at: { kind: 'date' } }, rows: [] }),
		],
	})
	orders = await window.openTable('orders')
})
afterEach(() => expect([...window.host.unanswered]).toEqual([]))

const form = () => page.getByRole('dialog', { name: 'New row' })
const field = (name: string) => form().getByLabelText(name, { exact: true })
const hasFocus = (name: string) => expect.element(field(name)).toHaveFocus()

async function open(name: string): Promise<TablePanel> {
	await page.getByRole('list', { name: 'Tables' }).getByRole('button', { name }).first().click()
	const panel = page.getByRole('tabpanel', { name, exact: true })
	await expect.element(panel).toBeVisible()
	return { root: panel } as TablePanel
}

/** Returns what a field suggests, as value and label. */
function suggestions(input: HTMLElement | SVGElement): readonly string[] {
	if (!(input instanceof HTMLInputElement)) throw new Error('the field suggests nothing')
	return [...(input.list?.options ?? [])].map(({ value, label }) => `${value} ${label}`)
}

test('Insert opens the form in its first field, and Tab goes from field to field', async () => {
	const customers = await window.openTable('customers')
	await customers.cell(0, 'name').click()
	await press('Insert')
	await hasFocus('id')
	await press('Tab')
	await hasFocus('name')
	await press('Tab')
	await hasFocus('note')
	await press('Escape')
	await expect.element(form()).not.toBeInTheDocument()
})

test('the form of a table without a key begins in its first field', async () => {
	const notes = await open('notes')
	await notes.root.getByRole('status').getByRole('button', { name: 'New row' }).click()
	await form().getByText('By column').click()
	await press('Escape')
	await expect.element(form()).not.toBeInTheDocument()
	await notes.root.getByRole('status').getByRole('button', { name: 'New row' }).click()
	await hasFocus('what')
})

test('required columns are marked, and columns with a default are not', async () => {
	await orders.cell(0, 'customer').click()
	await press('Insert')
	await expect.element(field('customer')).toBeVisible()
	const star = (name: string) => {
		const label = [...document.querySelectorAll('.insert-fields label')].find(({ textContent }) => textContent === name)
		return label ? getComputedStyle(label, '::after').content : 'no such label'
	}
	expect(star('customer')).toContain('*')
	expect(star('placed')).toBe('none')
})

test('a reference offers the rows of its table, in the form and in a cell', async () => {
	await orders.cell(0, 'customer').click()
	await press('Insert')
	await field('customer').click()
	await expect.poll(() => suggestions(field('customer').element())).toContain('2 Customer 2, note 2')
	await field('customer').fill('Customer 41')
	await expect.poll(() => suggestions(field('customer').element())).toEqual(['41 Customer 41, note 41'])
	await press('Escape')
	await form().getByRole('button', { name: 'Discard' }).click()
	await expect.element(orders.root).toBeVisible()
	await orders.cell(0, 'customer').click()
	await press('Enter')
	const editor = page.getByLabelText('Edit customer', { exact: true })
	await editor.fill('17')
	await expect.poll(() => suggestions(editor.element())).toEqual(['17 Customer 17, note 17'])
})

test('Escape asks before it discards what was typed, also in a duplicated row', async () => {
	const customers = await window.openTable('customers')
	await customers.cell(0, 'name').click()
	await press('ControlOrMeta+Shift+D')
	await expect.element(field('name')).toBeVisible()
	await press('Escape')
	await expect.element(form()).not.toBeInTheDocument()
	await press('ControlOrMeta+Shift+D')
	await field('note').fill('copied')
	await press('Escape')
	await expect.element(form().getByText('Discard what you entered?')).toBeVisible()
	await press('Enter')
	await expect.element(field('note')).toHaveValue('copied')
	await press('Escape')
	await form().getByRole('button', { name: 'Discard' }).click()
	await expect.element(form()).not.toBeInTheDocument()
	expect(window.host.callsOf('changes.preview')).toEqual([])
})

test('a text of several lines keeps its line breaks in a cell and in a new row', async () => {
	const customers = await window.openTable('customers')
	await customers.cell(0, 'note').click()
	await press('Enter')
	const editor = customers.root.getByLabelText('Edit note')
	await expect.element(editor).toHaveValue('line one\nline two')
	await press('ControlOrMeta+End')
	await type('.')
	await press('ControlOrMeta+Enter')
	await expect.element(editor).not.toBeInTheDocument()
	await press('Insert')
	await field('id').fill('99')
	await field('name').fill('x\ny')
	await form().getByRole('button', { name: 'Add', exact: true }).click()
	await customers.save()
	await expect
		.poll(() => window.host.callsOf('changes.apply').at(-1)?.changes)
		.toEqual([
			{ kind: 'update', rowId: '["1"]', version: '1', set: { note: 'line one\nline two.' } },
			{ kind: 'insert', values: { id: 99, name: 'x y' } },
		])
})

test('a new row needs what the engine has no value for, and shows what the engine fills in', async () => {
	await orders.cell(0, 'customer').click()
	await press('Insert')
	expect(field('id').element().getAttribute('placeholder')).toContain('generates')
	expect(field('placed').element().getAttribute('placeholder')).toContain('now()')
	await form().getByRole('button', { name: 'Add', exact: true }).click()
	await expect.element(form().getByText('customer is required.')).toBeVisible()
	await field('customer').fill('1')
	await form().getByRole('button', { name: 'Add', exact: true }).click()
	await orders.isStaged(1)
})

test('a row is duplicated without its key, and saved as a new one that the list of tables counts', async () => {
	await orders.cell(0, 'customer').click()
	await press('ControlOrMeta+Shift+d')
	await expect.element(field('customer')).toHaveValue('2')
	await expect.element(field('id')).toHaveValue('')
	await field('id').fill('7')
	await form().getByRole('button', { name: 'Add', exact: true }).click()
	await orders.save()
	const listed = page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'orders' })
	await expect.element(listed.getByText('2', { exact: true })).toBeVisible()
	await expect
		.poll(() => window.host.callsOf('changes.apply').at(-1)?.changes)
		.toEqual([{ kind: 'insert', values: { id: 7, customer: 2, placed: '2026-01-01T00:00:00Z' } }])
})

test('a text that is not JSON is refused with a reason, and stays in the form', async () => {
	await orders.cell(0, 'customer').click()
	await press('Insert')
	await form().getByText('As JSON').click()
	await form().getByLabelText('Row as JSON').fill('{"customer": }')
	await form().getByRole('button', { name: 'Add', exact: true }).click()
	await expect.element(form().getByRole('alert')).toBeVisible()
	await expect.element(form().getByLabelText('Row as JSON')).toHaveValue('{"customer": }')
})

test('the fields of a new row refuse what cannot be read, and its JSON follows them with every digit', async () => {
	await orders.cell(0, 'customer').click()
	await press('Insert')
	await field('customer').fill('many')
	await form().getByRole('button', { name: 'Add', exact: true }).click()
	await expect.element(form().getByText('customer cannot be read.')).toBeVisible()
	await field('customer').fill('9223372036854775807')
	await form().getByText('As JSON').click()
	const json = form().getByLabelText('Row as JSON')
	await expect.element(json).toBeVisible()
	const text = json.element()
	expect(text instanceof HTMLTextAreaElement && text.value).toContain('"customer": 9223372036854775807')
})

test('a new row begins empty after one was added, left or discarded', async () => {
	const json = form().getByLabelText('Row as JSON')
	const insert = async () => {
		await expect.element(orders.root).toBeVisible()
		await orders.cell(0, 'customer').click()
		await press('Insert')
		await expect.element(form()).toBeVisible()
		if (json.elements().length === 0) await form().getByText('As JSON').click()
		await expect.element(json).toBeVisible()
		const { value } = json.element() as HTMLTextAreaElement
		await json.fill('{"customer": 7}')
		return value
	}
	const begun = await insert()
	await press('Escape')
	await form().getByRole('button', { name: 'Keep editing' }).click()
	await expect.element(json).toHaveValue('{"customer": 7}')
	await press('Escape')
	await form().getByRole('button', { name: 'Discard' }).click()
	await expect.element(form()).not.toBeInTheDocument()
	expect(await insert()).toBe(begun)
	await form().getByRole('button', { name: 'Add', exact: true }).click()
	await expect.element(form()).not.toBeInTheDocument()
	expect(await insert()).toBe(begun)
	await form().getByRole('button', { name: 'Cancel' }).click()
	await expect.element(form()).not.toBeInTheDocument()
	expect(await insert()).toBe(begun)
})
