import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../../../testing/books.ts'
import { FakeTable } from '../../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../../testing/fake-window.tsx'
import { press } from '../../../testing/keys.ts'
import { fakeLogs } from '../../../testing/logs.ts'

/** The list of fields at the left of a table in time. */

let window: FakeWindow
let logs: TablePanel

beforeEach(async () => {
	window = await openWindow({ tables: [fakeLogs(), fakeBooks()] })
	logs = await window.openTable('logs-app')
	await expect.element(field('level')).toBeVisible()
})

const list = () => logs.root.getByRole('complementary', { name: 'List of columns' })
const lines = () => list().getByRole('listbox')
const field = (name: string) => lines().getByTitle(new RegExp(`^${name.replaceAll('.', '\\.')} ·`))
const names = () => [...lines().element().querySelectorAll('[data-field]')].map(line => line.getAttribute('data-field'))
const first = ['@timestamp', 'level', 'service.name', 'host.name', 'message']
const columns = () => expect.poll(() => logs.columns())

test('shown fields come first, then the others by how many of the loaded rows have them', async () => {
	expect(names()).toEqual([
		...first,
		...['_id', '_index', 'trace.id', 'labels', 'http.response.status_code', 'service.version', 'error.stack_trace'],
	])
	await expect.element(field('error.stack_trace')).toHaveTextContent('error.stack_trace20 %')
	await expect.element(field('level')).toHaveAttribute('aria-selected', 'true')
	await expect.element(field('service.version')).toHaveAttribute('aria-selected', 'false')
})

test('a click shows a field as a column and hides it, and a search finds fields', async () => {
	await list().getByRole('searchbox').fill('VERSION')
	await expect.poll(names).toEqual(['service.version'])
	await field('service.version').click()
	await columns().toEqual([...first, 'service.version'])
	await field('service.version').click()
	await columns().toEqual(first)
})

test('keys walk the list, show a field, and move one', async () => {
	lines().element().focus()
	await press('ArrowDown')
	await press('Alt+ArrowDown')
	await columns().toEqual(['@timestamp', 'service.name', 'level', 'host.name', 'message'])
	await press('Enter')
	await columns().toEqual(['@timestamp', 'service.name', 'host.name', 'message'])
	await press('Escape')
	expect(document.activeElement).toBe(logs.grid.element())
})

test('a drag moves a shown field, and is no click', async () => {
	const centre = (name: string) => {
		const { left, top, width, height } = field(name).element().getBoundingClientRect()
		return { clientX: left + width / 2, clientY: top + height / 2, buttons: 1, bubbles: true }
	}
	field('level')
		.element()
		.dispatchEvent(new MouseEvent('mousedown', centre('level')))
	dispatchEvent(new MouseEvent('mousemove', centre('host.name')))
	dispatchEvent(new MouseEvent('mouseup', centre('host.name')))
	await columns().toEqual(['@timestamp', 'service.name', 'host.name', 'level', 'message'])
})

test('a field that the pointer rests on shows its top values, which filter', async () => {
	await field('level').hover()
	const card = page.getByRole('region', { name: 'Top values of level' })
	await expect.element(card.getByRole('button', { name: 'INFO 120 40.0 %', exact: true })).toBeVisible()
	await card.getByRole('button', { name: 'ERROR 60' }).click()
	await expect.element(logs.root.getByRole('button', { name: 'level is ERROR', exact: true })).toBeVisible()
	await expect.element(card).not.toBeInTheDocument()
})

test('values by which the engine cannot group are counted in the loaded rows', async () => {
	await lines().element().scrollTo({ top: 1000 })
	await field('error.stack_trace').hover()
	const card = page.getByRole('region', { name: 'Top values of error.stack_trace' })
	await expect.element(card.getByText(/^Counted in the \d+ rows that are loaded\.$/)).toBeVisible()
	await expect.element(card.getByRole('button', { name: /^shop\.CheckoutFailed/ })).toBeVisible()
	expect(
		window.host.callsOf('rows.aggregate').filter(({ query }) => query.groups[0]?.column === 'error.stack_trace'),
	).toEqual([])
})

test('a long name keeps its last part and its beginning', async () => {
	const name = field('http.response.status_code').element()
	const [path, leaf] = ['.dotted-path', '.dotted-leaf'].map(part => name.querySelector<HTMLElement>(part))
	const text = document.createRange()
	text.selectNodeContents(leaf ?? name)
	expect(leaf?.getBoundingClientRect().width).toBeCloseTo(text.getBoundingClientRect().width, 1)
	expect(path?.scrollWidth).toBeGreaterThan(path?.clientWidth ?? 0)
	expect(path?.getBoundingClientRect().left).toBe(
		field('level').element().querySelector('.dotted-name')?.getBoundingClientRect().left,
	)
})

test('one click shows the statistics of a field, which is then no other column than before', async () => {
	await field('service.version').hover()
	const button = () => field('service.version').element().querySelector<HTMLElement>('.field-statistics')
	expect(button()?.checkVisibility()).toBe(true)
	button()?.click()
	await expect.element(page.getByRole('complementary', { name: /^Statistics/ })).toBeVisible()
	await columns().toEqual(first)
	await expect.element(page.getByRole('region', { name: 'Top values of service.version' })).not.toBeInTheDocument()
})

test('the list folds, stays folded after a reload, and other tables have none', async () => {
	await list().getByRole('button', { name: 'Fold the list of columns' }).click()
	await expect.element(list()).not.toBeInTheDocument()
	await window.open()
	logs = await window.openTable('logs-app')
	await logs.root.getByRole('button', { name: 'Unfold the list of columns' }).click()
	await expect.element(list()).toBeVisible()
	const books = await window.openListedTable('books')
	expect(books.root.getByRole('complementary').query()).toBeNull()
})

test('columns that have values, but are too many for the list, are not called empty', async () => {
	const many = Object.fromEntries(Array.from({ length: 310 }, (_, at) => [`f${at}`, { type: 'keyword' }]))
	const table = new FakeTable('logs-many', {
		sort: [{ column: '@timestamp', direction: 'desc' }],
		columns: { '@timestamp': { kind: 'date', type: 'date' }, message: { type: 'text', isSortable: false }, ...many },
		rows: [['2026-11-28T08:29:26.000Z', 'ready', ...Object.keys(many)]],
	})
	window = await openWindow({ tables: [table] })
	logs = await window.openTable('logs-many')
	await expect.element(list().getByText('10 more, to be found by their names')).toBeVisible()
	await expect.element(list().getByText(/empty in the loaded/)).not.toBeInTheDocument()
	await list().getByRole('searchbox').fill('f309')
	await expect.poll(names).toEqual(['f309'])
})
