import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../testing/axe.ts'
import { FakeDownloads } from '../testing/downloads.ts'
import { FakeTable } from '../testing/fake-tables.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'
import { type LayoutQuestion, laidOut } from './layout.ts'

/** The diagram of a schema and around a table, opened, found in, drawn larger and saved. */

/** The built window has the layout in a worker, which this page has not. The layout is the real one. */
class LayoutHere extends EventTarget {
	postMessage(question: LayoutQuestion): void {
		queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data: { layout: laidOut(question) } })))
	}
	terminate(): void {}
}

const key = { type: 'bigint', kind: 'number', isKey: true } as const
const text = { type: 'text', kind: 'text' } as const
const number = { type: 'bigint', kind: 'number' } as const
const to = (table: string, column: string) => ({ columns: [column], table, to: ['id'] })
const from = (table: string, column: string) => ({ columns: ['id'], table, to: [column] })
const inShop = { path: ['shop'], rows: [] }

const tables = [
	new FakeTable('shop.customers', {
		...inShop,
		title: 'customers',
		columns: { id: key, name: text },
		referrers: [from('shop.orders', 'customer_id')],
	}),
	new FakeTable('shop.orders', {
		...inShop,
		title: 'orders',
		columns: { id: key, customer_id: number, region_id: number, placed_at: { type: 'timestamptz', kind: 'date' } },
		references: [to('shop.customers', 'customer_id'), to('world.regions', 'region_id')],
		referrers: [from('shop.lines', 'order_id')],
	}),
	new FakeTable('shop.lines', {
		...inShop,
		title: 'lines',
		columns: { id: key, order_id: number },
		references: [to('shop.orders', 'order_id')],
	}),
	new FakeTable('shop.orders_2026', {
		...inShop,
		title: 'orders_2026',
		partitionOf: 'shop.orders',
		columns: { id: key },
	}),
	new FakeTable('shop.report', { ...inShop, title: 'report', columns: { total: { ...number, isKey: false } } }),
	new FakeTable('world.regions', { path: ['world'], rows: [], title: 'regions', columns: { id: key } }),
]

let window: FakeWindow
beforeEach(async () => {
	vi.stubGlobal('Worker', LayoutHere)
	onTestFinished(() => void vi.unstubAllGlobals())
	window = await openWindow({ tables, manifest: { hasReferences: true } })
	await window.openConnection()
})

const tab = () => page.getByRole('tabpanel', { name: /, diagram$/ })
const card = (name: string) => tab().getByRole('list', { name: 'Tables' }).getByRole('button', { name, exact: false })
const columns = () => [...tab().element().querySelectorAll('.diagram-column bdi')].map(one => one.textContent)
async function askForSchema(): Promise<void> {
	await page
		.getByRole('list', { name: 'Tables' })
		.getByRole('button', { name: 'shop' })
		.first()
		.click({ button: 'right' })
	await page.getByRole('menuitem', { name: 'Diagram' }).click()
}
async function openSchema(): Promise<void> {
	await askForSchema()
	await expect.element(card('orders')).toBeVisible()
}

test('a schema is drawn with its keys, and a table elsewhere by name', async () => {
	await openSchema()
	await expect.element(tab().getByText('4 tables, 3 foreign keys, 1 more without a key')).toBeVisible()
	expect(tab().element().querySelectorAll('.diagram-lines path')).toHaveLength(3)
	expect(tab().element().querySelectorAll('.diagram-table.outside')).toHaveLength(1)
	expect(columns()).toContain('placed_at')
	await tab().getByText('Keys', { exact: true }).click()
	await expect.poll(columns).not.toContain('placed_at')
	expect(columns()).toContain('customer_id')
	expect(await violations()).toEqual([])
})

/** Lays out all tables far below the upper left corner. */
class LayoutBelow extends LayoutHere {
	override postMessage(question: LayoutQuestion): void {
		const { boxes, size, ...layout } = laidOut(question)
		const below = new Map([...boxes].map(([name, box]) => [name, { ...box, y: box.y + 3000 }]))
		const data = { layout: { ...layout, boxes: below, size: { ...size, height: size.height + 3000 } } }
		queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data })))
	}
}

test('a diagram begins at a table, also if its upper left corner has none', async () => {
	vi.stubGlobal('Worker', LayoutBelow)
	await openSchema()
	await expect.element(card('customers')).toBeInViewport()
})

test('a diagram that was laid out behind another tab begins at a table too', async () => {
	vi.stubGlobal('Worker', LayoutBelow)
	const release = window.host.hold('tables.describe')
	await askForSchema()
	await expect.element(page.getByRole('tab', { name: /, diagram/ })).toBeVisible()
	await page.getByRole('button', { name: 'New console' }).click()
	release()
	await expect.poll(() => document.querySelectorAll('.diagram-table').length).toBeGreaterThan(3)
	await page.getByRole('tab', { name: /, diagram/ }).click()
	await expect.element(card('customers')).toBeInViewport()
})

test('a name is found, chosen with its keys, and opened', async () => {
	await openSchema()
	await tab().getByRole('searchbox', { name: 'Find in the diagram' }).fill('order')
	await expect.element(tab().getByText('2 found')).toBeVisible()
	expect(tab().element().querySelectorAll('.diagram-table.dimmed')).toHaveLength(2)
	await press('Enter')
	await expect.element(tab().getByText(/foreign keys? out, 1 in/)).toBeVisible()
	expect(tab().element().querySelectorAll('.diagram-lines path.related').length).toBeGreaterThan(0)
	await card('orders').click()
	await expect.element(page.getByRole('tabpanel', { name: 'shop.orders', exact: true })).toBeVisible()
})

test('arrows go from table to table, and keys change the size', async () => {
	await openSchema()
	await card('customers').element().focus()
	await press('ArrowRight')
	await expect.element(card('orders')).toHaveFocus()
	await press('-')
	await expect.element(tab().getByText('80 %')).toBeVisible()
	await press('+')
	await expect.element(tab().getByText('100 %')).toBeVisible()
})

test('around a table, as far as the user says', async () => {
	await page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'customers' }).click({ button: 'right' })
	await page.getByRole('menuitem', { name: 'Diagram' }).click()
	await expect.element(tab().getByText(/^2 tables, 1 foreign key/)).toBeVisible()
	await tab().getByText('2 steps').click()
	await expect.element(tab().getByText(/^4 tables, 3 foreign keys/)).toBeVisible()
})

test('the diagram is saved as SVG', async () => {
	await openSchema()
	const downloads = new FakeDownloads()
	await tab().getByRole('button', { name: 'Save as SVG' }).click()
	await expect.poll(() => downloads.names).toEqual(['shop, diagram.svg'])
	const file = await downloads.text()
	const parsed = new DOMParser().parseFromString(file, 'image/svg+xml')
	expect(parsed.querySelector('parsererror')).toBeNull()
	expect([...parsed.querySelectorAll('g title')].map(({ textContent }) => textContent).sort()).toEqual([
		'shop.customers',
		'shop.lines',
		'shop.orders',
		'world.regions',
	])
})

test('what the engine refuses is said, and can be read again', async () => {
	window.host.fail('tables.describe', 'The server ended the connection.')
	await askForSchema()
	await expect.element(tab().getByText('The server ended the connection.').first()).toBeVisible()
})

test('a window that starts again shows the diagram', async () => {
	await openSchema()
	await window.open()
	await expect.element(card('orders')).toBeVisible()
	await userEvent.keyboard('{F5}')
	await expect.element(card('lines')).toBeVisible()
})
