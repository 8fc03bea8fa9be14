import { beforeEach, expect, test } from 'vitest'
import { violations } from '../../../testing/axe.ts'
import { fakeBooks } from '../../../testing/books.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../../testing/fake-window.tsx'
import { press } from '../../../testing/keys.ts'
import { fakeLogs } from '../../../testing/logs.ts'

/** A row of a log that is unfolded below itself, in the grid. */

let window: FakeWindow
let logs: TablePanel

beforeEach(async () => {
	window = await openWindow({ tables: [fakeLogs(), fakeBooks()] })
	logs = await window.openTable('logs-app')
	await expect.element(logs.cell(1, 'message')).toBeVisible()
})

const fields = () => logs.grid.getByRole('tree', { name: 'Columns of the unfolded row' })
const field = (name: string) => fields().getByRole('treeitem').filter({ hasText: name }).first()
const row = (index: number) => logs.grid.element().querySelector<HTMLElement>(`[data-row="${index}"]`)
const box = (index: number) => row(index)?.getBoundingClientRect() ?? new DOMRect()
const arrow = (index: number) => row(index)?.querySelector<HTMLElement>('.grid-unfold')
const gap = (index: number) => Math.round(box(index + 1).top - box(index).bottom)
const expanded = (index: number) => row(index)?.querySelector('[role=rowheader]')?.getAttribute('aria-expanded')

test('the arrow at the number of a row unfolds its fields below it, and folds them', async () => {
	arrow(1)?.click()
	await expect.element(field('service.name')).toHaveTextContent('service.namecheckout')
	await expect.element(logs.grid.getByRole('region', { name: 'Stack trace' })).toBeVisible()
	await expect.poll(() => gap(1)).toBeGreaterThan(200)
	const shown = fields().element().getBoundingClientRect()
	expect(shown.top).toBeGreaterThanOrEqual(box(1).bottom)
	expect(shown.bottom).toBeLessThanOrEqual(box(2).top)
	expect([expanded(0), expanded(1)]).toEqual(['false', 'true'])
	arrow(1)?.click()
	await expect.poll(() => gap(1)).toBe(0)
	await expect.element(fields()).not.toBeInTheDocument()
})

test('a key unfolds the current row, arrows go on in the grid, and another row takes the place', async () => {
	await logs.cell(0, 'message').click()
	await press('Shift+Enter')
	await expect.element(field('service.name')).toHaveTextContent('service.namecatalog')
	expect(document.activeElement).toBe(logs.grid.element())
	await press('ArrowDown')
	await press('Shift+Enter')
	await expect.element(field('service.name')).toHaveTextContent('service.namecheckout')
	await expect.poll(() => gap(0)).toBe(0)
	await press('Shift+Enter')
	await expect.element(fields()).not.toBeInTheDocument()
})

test('keys in the fields are theirs, a value filters, and Escape leads back to the rows', async () => {
	arrow(1)?.click()
	await field('service.name').click()
	await press('ArrowDown')
	expect(document.activeElement).toBe(fields().element())
	await press('Escape')
	expect(document.activeElement).toBe(logs.grid.element())
	await field('service.name').click()
	await press('=')
	await expect.element(logs.root.getByRole('button', { name: 'service.name is checkout', exact: true })).toBeVisible()
})

test('rows below an unfolded one are hit and revealed where they stand, and the last one stays in reach', async () => {
	arrow(1)?.click()
	await expect.poll(() => gap(1)).toBeGreaterThan(200)
	await logs.cell(0, 'message').click()
	await press('ControlOrMeta+End')
	await expect.poll(() => row(299)?.classList.contains('current')).toBe(true)
	const grid = logs.grid.element().getBoundingClientRect()
	await expect.poll(() => Math.round(box(299).bottom)).toBeLessThanOrEqual(Math.round(grid.bottom))
	expect(grid.bottom - box(299).bottom).toBeLessThan(20)
	await press('ControlOrMeta+Home')
	await expect.poll(() => gap(1)).toBeGreaterThan(200)
})

test('an unfolded row has no violation of the rules for everyone', async () => {
	arrow(1)?.click()
	await expect.poll(() => gap(1)).toBeGreaterThan(200)
	expect(await violations()).toEqual([])
})

test('what unfolds at the lower edge comes into view, with its row', async () => {
	const grid = logs.grid.element()
	const edge = () => grid.getBoundingClientRect().bottom
	const rows = [...grid.querySelectorAll<HTMLElement>('[data-row]')].filter(
		row => row.getBoundingClientRect().bottom < edge(),
	)
	const last = Math.max(...rows.map(row => Number(row.dataset.row)))
	arrow(last)?.click()
	await expect.poll(() => gap(last)).toBeGreaterThan(200)
	const isInView = () => box(last).top >= grid.getBoundingClientRect().top + 32 && box(last + 1).top <= edge() + 1
	await expect.poll(isInView).toBe(true)
})

test('rows of other tables do not unfold', async () => {
	const books = await window.openListedTable('books')
	await expect.element(books.cell(0, 'title')).toBeVisible()
	expect(books.grid.element().querySelector('.grid-unfold')).toBeNull()
	expect(books.grid.element().querySelector('[aria-expanded]')).toBeNull()
})

test('rows of a table of two thousand millions unfold where they stand, and the wheel goes on from row to row', async () => {
	const [many, base] = [2_000_000_000, fakeLogs().select({})]
	const pageOf = ({ offset, limit }: { readonly offset: number; readonly limit: number }) => ({
		columns: fakeLogs().columns,
		rows: Array.from({ length: Math.max(0, Math.min(limit, many - offset)) }, (_, at) => ({
			id: `r${offset + at}`,
			cells: base[(offset + at) % base.length]?.cells ?? [],
		})),
		total: { value: many, isExact: true },
		tookMs: 1,
		request: '',
		notices: [],
	})
	window = await openWindow({
		tables: [fakeLogs()],
		answers: {
			'grid.open': pageOf,
			'grid.page': pageOf,
			'rows.read': ({ rowId }) => ({
				id: rowId,
				meta: {},
				raw: new TextEncoder().encode(`{"row":"${rowId}","a":1,"b":2}`),
			}),
		},
	})
	logs = await window.openTable('logs-app')
	await logs.cell(0, 'message').click()
	await press('ControlOrMeta+g')
	await logs.root.getByRole('spinbutton', { name: 'Go to row' }).fill('1500000001')
	await press('Enter')
	const far = 1_500_000_000
	await expect.poll(() => row(far)?.classList.contains('current')).toBe(true)
	const wheel = (deltaY: number) =>
		logs.grid.element().dispatchEvent(new WheelEvent('wheel', { deltaY, bubbles: true, cancelable: true }))
	// Away from the lower edge, where the fields would be moved into view.
	const edge = box(far).top
	wheel(196)
	await expect.poll(() => Math.round(edge - box(far).top)).toBe(196)
	const top = box(far).top
	await press('Shift+Enter')
	await expect.element(field('row')).toHaveTextContent(`rowr${far}`)
	await expect.poll(() => gap(far)).toBeGreaterThan(80)
	expect(Math.round(box(far).top)).toBe(Math.round(top))
	const shown = fields().element().getBoundingClientRect()
	expect([shown.top >= box(far).bottom - 1, shown.bottom <= box(far + 1).top + 1]).toEqual([true, true])
	wheel(56)
	await expect.poll(() => Math.round(top - box(far).top)).toBe(56)
	await press('Shift+Enter')
	await expect.poll(() => gap(far)).toBe(0)
	expect(Math.round(top - box(far).top)).toBe(56)
})
