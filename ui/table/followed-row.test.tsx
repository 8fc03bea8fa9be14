import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { FakeTable } from '../testing/fake-tables.ts'
import { type FakeWindow, openWindow, TablePanel } from '../testing/fake-window.tsx'
import { press, type } from '../testing/keys.ts'

/** References between rows, and Back and Forward through the places that the user visited. */

let window: FakeWindow
let orders: TablePanel

beforeEach(async () => {
	const customers = new FakeTable('customers', {
		columns: { id: { kind: 'number' }, name: {}, note: {} },
		rows: Array.from({ length: 20 }, (_, row) => [row + 1, `Customer ${row + 1}`, `note ${row + 1}`]),
	})
	const placed = new FakeTable('orders', {
		columns: { id: { kind: 'number' }, customer: { kind: 'number' } },
		rows: Array.from({ length: 30 }, (_, row) => [row + 1, (row % 20) + 1]),
		references: [{ columns: ['customer'], table: 'customers', to: ['id'] }],
	})
	const staff = new FakeTable('staff', {
		columns: { id: { kind: 'number' }, boss: { kind: 'number' } },
		rows: Array.from({ length: 40 }, (_, row) => [row + 1, Math.floor((row + 1) / 10) || null]),
		references: [{ columns: ['boss'], table: 'staff', to: ['id'] }],
	})
	const others = Array.from({ length: 60 }, (_, n) => new FakeTable(`zz_${n + 1}`, { columns: { id: {} }, rows: [] }))
	window = await openWindow({ tables: [customers, placed, staff, ...others] })
	orders = await window.openTable('orders')
})

const panel = (name: string) => new TablePanel(page.getByRole('tabpanel', { name, exact: true }))
const tabs = () =>
	page
		.getByRole('tab')
		.elements()
		.map(tab => tab.querySelector('.tab-title')?.textContent)
const rows = (name: string, count: string) =>
	expect.element(panel(name).root.getByText(`${count} row${count === '1' ? '' : 's'}`, { exact: true })).toBeVisible()
const sorted = (name: string, column: string) => panel(name).header(column).getAttribute('aria-sort')
/** Waits until the customer with this id is the only row in view. */
const isCustomer = async (id: number) => {
	await rows('customers', '1')
	await expect.poll(() => panel('customers').texts('id')).toEqual([String(id)])
}

/** Goes from a cell of a table to the row that it refers to. */
async function follow(table: TablePanel, row: number, column: string): Promise<void> {
	await table.cell(row, column).click()
	await press('F12')
}
async function back(): Promise<void> {
	await press('Alt+ArrowLeft')
}
async function forward(): Promise<void> {
	await press('Alt+ArrowRight')
}

test('a key opens the row that a cell refers to', async () => {
	await follow(orders, 0, 'customer')
	await isCustomer(1)
	await expect.element(panel('customers').root.getByText('id is 1')).toBeVisible()
})

test('a reference leaves the filters and the order of the user alone', async () => {
	const customers = await window.openTable('customers')
	await customers.cell(2, 'name').click()
	await press('=')
	await rows('customers', '1')
	await page.elementLocator(customers.header('note')).click()
	await window.openTable('orders')
	await follow(orders, 7, 'customer')
	await expect.poll(tabs).toEqual(['orders', 'customers', 'customers (2)'])
	await isCustomer(8)
	await back()
	await rows('orders', '30')
	await back()
	await isCustomer(3)
	expect(sorted('customers', 'note')).toBe('ascending')
})

test('Back returns to the row that the user left, and Forward to the one that it led to', async () => {
	await follow(orders, 7, 'customer')
	await isCustomer(8)
	await back()
	await rows('orders', '30')
	await expect.element(orders.root.getByRole('button', { name: 'Row 8' })).toBeVisible()
	await forward()
	await isCustomer(8)
})

test('the list of tables scrolls to the table that Back shows', async () => {
	await follow(orders, 7, 'customer')
	await isCustomer(8)
	const scroller = document.querySelector('.tables-scroll') ?? expect.unreachable()
	scroller.scrollTo(0, 10_000)
	await expect.element(page.getByRole('button', { name: 'zz_60' })).toBeVisible()
	const listed = page.elementLocator(scroller).getByRole('button', { name: 'orders' })
	await expect.element(listed).not.toBeInTheDocument()
	await back()
	await expect.element(listed).toBeVisible()
})

test('the next reference reuses the tab of the last one', async () => {
	await follow(orders, 7, 'customer')
	await isCustomer(8)
	await back()
	await rows('orders', '30')
	await follow(orders, 8, 'customer')
	await isCustomer(9)
	expect(tabs()).toEqual(['orders', 'customers'])
})

test('a reference opens another tab if something is staged in that of the last one', async () => {
	await follow(orders, 7, 'customer')
	await isCustomer(8)
	await panel('customers').edit(0, 'note', 'staged')
	await panel('customers').isStaged(1)
	await back()
	await rows('orders', '30')
	await follow(orders, 9, 'customer')
	await isCustomer(10)
	expect(tabs()).toEqual(['orders', 'customers', 'customers (2)'])
	await page.getByRole('tab', { name: /^customers(?! \(2\))/ }).click()
	await panel('customers').isStaged(1)
})

test('Back restores the rows and the position of a table that refers to itself, also by a button of the mouse', async () => {
	const staff = await window.openTable('staff')
	await follow(staff, 24, 'boss')
	await rows('staff', '1')
	expect(tabs()).toEqual(['orders', 'staff'])
	await back()
	await rows('staff', '40')
	await expect.element(staff.root.getByRole('button', { name: 'Row 25' })).toBeVisible()
	const mouse = (button: number) =>
		staff.grid.element().dispatchEvent(new MouseEvent('mouseup', { button, bubbles: true, cancelable: true }))
	mouse(4)
	await rows('staff', '1')
	mouse(3)
	await rows('staff', '40')
})

test('the palette lists Back with its key', async () => {
	await follow(orders, 7, 'customer')
	await isCustomer(8)
	await press('ControlOrMeta+Shift+P')
	const option = page.getByRole('dialog').getByRole('option', { name: /^Back/ })
	await expect.element(option.getByText('Alt+Left')).toBeVisible()
})

test('Back leads through the filters and orders of the only tab, each with its row', async () => {
	await orders.cell(5, 'customer').click()
	await press('=')
	const chip = orders.root.getByRole('button', { name: 'customer is 6', exact: true })
	await expect.element(chip).toBeVisible()
	await rows('orders', '2')
	await page.elementLocator(orders.header('customer')).click()
	await expect.poll(() => sorted('orders', 'customer')).toBe('ascending')
	await expect.poll(() => window.host.callsOf('grid.open').at(-1)?.query.sort).toHaveLength(1)
	await back()
	await expect.poll(() => sorted('orders', 'customer')).toBe('none')
	await expect.element(chip).toBeVisible()
	await back()
	await rows('orders', '30')
	await expect.element(chip).not.toBeInTheDocument()
	await expect.element(orders.root.getByRole('button', { name: 'Row 6' })).toBeVisible()
	await forward()
	await expect.element(chip).toBeVisible()
	await forward()
	await expect.poll(() => sorted('orders', 'customer')).toBe('ascending')
})

test('Back keeps text that is typed beside the grid', async () => {
	const staff = await window.openTable('staff')
	await follow(staff, 24, 'boss')
	await rows('staff', '1')
	await press('Space')
	const editor = staff.root.getByRole('textbox', { name: 'Row as JSON' })
	await editor.click()
	await type('typed')
	await back()
	await rows('staff', '40')
	expect(editor.element().textContent).toContain('typed')
})

test('Back goes on from a console, and keeps what was typed there', async () => {
	await page.getByRole('button', { name: 'Console', exact: true }).first().click()
	const text = page.getByRole('textbox', { name: 'Console' })
	await text.click()
	await userEvent.keyboard('select 1')
	await back()
	await rows('orders', '30')
	await forward()
	await expect.element(text).toBeVisible()
	expect(text.element().textContent).toBe('select 1')
})
