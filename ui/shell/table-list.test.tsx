import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Table } from '../../host/api/api.ts'
import { violations } from '../testing/axe.ts'
import { fakeBooks } from '../testing/books.ts'
import { fakeConnection } from '../testing/fake-engine.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press, type } from '../testing/keys.ts'
import { chooseOfConnection } from '../testing/menu.ts'

/** The list of tables in the sidebar: levels, kinds, the search, and names beyond the list. */

let window: FakeWindow

const inShop = (title: string, rest: Partial<Table> = {}): Table => ({
	name: `shop.public.${title}`,
	title,
	path: ['shop', 'public'],
	...rest,
})
const listed = [
	inShop('customers', { rowCount: 1 }),
	inShop('orders', { rowCount: 2, isRowCountEstimated: true }),
	inShop('totals', { kind: 'view' }),
]

beforeEach(async () => {
	window = await openWindow({ tables: [fakeBooks()], answers: { 'tables.list': () => listed } })
	await open()
})

const tables = () => page.getByRole('list', { name: 'Tables' })
const line = (name: string) => tables().getByRole('button', { name: new RegExp(`^${name}`) })
const lines = () =>
	[...tables().element().querySelectorAll<HTMLElement>('button.table-name')].map(line => {
		const text = line.innerText.replaceAll('\n', ' ')
		// The two parts of a long name are one word.
		const whole = line.querySelector('.table-text')?.ariaLabel
		return whole ? text.replace(/^\S+ \S+/, whole) : text
	})
/** Clicks the arrow beside a line, which is for the mouse alone. */
const unfold = (name: string) =>
	line(name).element().parentElement?.querySelector<HTMLElement>('.table-unfold')?.click()
const search = () => page.getByRole('searchbox', { name: 'Search tables' })
const found = () => page.getByRole('list', { name: 'Found by name' }).getByRole('button')
const open = () => page.getByRole('button', { name: 'Sample', exact: true }).click()

test('tables are listed below their levels, with kinds and estimates', async () => {
	await expect.poll(lines).toEqual(['shop 3', 'public 3', 'customers 1', 'orders ≈ 2', 'totals view'])
})

test('a connection whose tables are listed has a dot only while it does not answer', async () => {
	await expect.poll(lines).toHaveLength(5)
	const dot = () => document.querySelector('.connection-name > .state')?.className
	expect(dot()).toBeUndefined()
	window.changeConnection('c1', {
		state: { status: 'connected', since: '2026-01-01T00:00:00.000Z', trouble: 'timed out' },
	})
	await expect.poll(dot).toBe('state state-failed')
})

test('the list is as high as its lines, and scrolls in a low window', async () => {
	await expect.poll(lines).toHaveLength(5)
	const list = () => document.querySelector('.tables-scroll') ?? expect.unreachable()
	expect(list().clientHeight).toBe(5 * 28)
	await page.viewport(1280, 240)
	onTestFinished(() => page.viewport(1280, 820))
	await expect.poll(() => list().clientHeight).toBeLessThan(5 * 28)
	expect(list().scrollHeight).toBe(5 * 28)
})

test('a click closes a level, and a search opens all levels and finds a kind', async () => {
	await line('public').click()
	await expect.poll(lines).toEqual(['shop 3', 'public 3'])
	await search().fill('view')
	await expect.element(line('totals')).toBeVisible()
	await search().fill('')
	await expect.poll(lines).toEqual(['shop 3', 'public 3'])
})

test('the menu of a level folds the others beside it', async () => {
	window.host.answer({
		'tables.list': () => ['crm', 'hr', 'shop'].map(name => ({ name: `${name}.people`, title: 'people', path: [name] })),
	})
	await window.open()
	await open()
	await expect.poll(lines).toHaveLength(6)
	await line('hr').click({ button: 'right' })
	await page.getByRole('menuitem', { name: 'Fold the others' }).click()
	await expect.poll(lines).toEqual(['crm 1', 'hr 1', 'people', 'shop 1'])
})

test('more than a hundred tables in several levels begin folded, and a table that is opened shows its level', async () => {
	const many = ['crm', 'hr'].flatMap(path =>
		Array.from({ length: 60 }, (_, at) => ({ name: `${path}.t${at}`, title: `t${at}`, path: [path] })),
	)
	window = await openWindow({ tables: [fakeBooks()], answers: { 'tables.list': () => many } })
	await open()
	await expect.poll(lines).toEqual(['crm 60', 'hr 60'])
	await press('ControlOrMeta+p')
	await type('hr.t57')
	await press('Enter')
	await expect.element(line('t57')).toBeInViewport()
	const scroller = tables().element().closest('.tables-scroll')
	scroller?.scrollTo(0, 0)
	await expect.poll(() => lines()[0]).toBe('crm 60')
	await line('hr').click()
	await line('crm').click()
	await line('crm').click()
	await expect.poll(lines).toEqual(['crm 60', 'hr 60'])
})

test('a level stays closed or open after a reload of the window', async () => {
	await line('public').click()
	await expect.poll(lines).toHaveLength(2)
	await window.open()
	await open()
	await expect.poll(lines).toHaveLength(2)
	line('public').element().focus()
	await press('ArrowRight')
	await expect.element(line('orders')).toBeVisible()
	await window.open()
	await open()
	await expect.element(line('orders')).toBeVisible()
})

test('the name of a table keeps its width beside a long kind', async () => {
	window.host.answer({
		'tables.list': () => [inShop('readings_of_2026_on', { kind: 'partition of a table with a very long name' })],
	})
	await chooseOfConnection('Sample', 'Reload')
	await expect.element(line('readings_of_2026_on')).toBeVisible()
	const isCut = (part: string) => {
		const element = line('readings_of_2026_on').element().querySelector(part)
		return element ? element.scrollWidth > element.clientWidth : undefined
	}
	expect([isCut('.table-text'), isCut('.table-kind')]).toEqual([false, true])
})

test('a reloaded list keeps the text of its search and the focus', async () => {
	await search().fill('ord')
	window.host.answer({ 'connections.list': () => [fakeConnection({ name: 'By another window' })] })
	window.host.emit('connections.changed', null)
	await expect.element(page.getByRole('button', { name: 'By another window', exact: true })).toBeVisible()
	await expect.element(search()).toHaveValue('ord')
	await expect.element(search()).toHaveFocus()
})

test('Enter in the search opens the first hit, and arrows lead to the hits and back', async () => {
	await search().fill('cust')
	await press('ArrowDown')
	await expect.poll(() => document.activeElement?.textContent).toMatch(/^(shop|customers)/)
	await press('ArrowUp')
	window.host.answer({ 'tables.list': () => [{ name: 'books' }] })
	await chooseOfConnection('Sample', 'Reload')
	await search().fill('boo')
	await press('Enter')
	await expect.element(page.getByRole('tabpanel', { name: 'books', exact: true })).toBeVisible()
})

test('a name beyond the list is found by the search, and opens by a click or by Enter', async () => {
	window.host.answer({
		'tables.find': ({ text }) => (text.startsWith('boo') ? [{ name: 'books', kind: 'alias', detail: '1 table' }] : []),
	})
	await search().fill('boo')
	await expect.element(found().getByText('1 table')).toBeVisible()
	await press('ArrowDown')
	await expect.element(found()).toHaveFocus()
	await press('ArrowUp')
	await expect.element(search()).toHaveFocus()
	await press('Enter')
	await expect.element(page.getByRole('tabpanel', { name: 'books', exact: true })).toBeVisible()
	await search().fill('nothing')
	await expect.element(page.getByText('Nothing matches.')).toBeVisible()
})

test('a name beyond the list opens from the search of the window', async () => {
	window.host.answer({ 'tables.find': () => [{ name: 'books', kind: 'alias', detail: '1 table' }] })
	await press('ControlOrMeta+p')
	await type('boo')
	await page
		.getByRole('dialog', { name: 'Open' })
		.getByRole('option', { name: /^Open books/ })
		.click()
	await expect.element(page.getByRole('tabpanel', { name: 'books', exact: true })).toBeVisible()
})

test('a table unfolds to its columns and indexes by the arrow or a click, and folds again', async () => {
	const id = { name: 'id', type: 'int', kind: 'number', isKey: true, isReadOnly: false, isSortable: true } as const
	window.host.answer({
		'tables.describe': ({ table }) => {
			if (table.endsWith('totals')) throw new Error('You may not read it.')
			return {
				name: table,
				columns: [id, { ...id, name: 'email', type: 'text', isKey: false }],
				indexes: ['btree (email)'],
			}
		},
	})
	line('customers').element().focus()
	await press('ArrowRight')
	await expect
		.poll(lines)
		.toEqual([
			'shop 3',
			'public 3',
			'customers 1',
			'id int',
			'email text',
			'btree (email)',
			'orders ≈ 2',
			'totals view',
		])
	expect(await violations()).toEqual([])
	await press('ArrowDown')
	await expect.poll(() => document.activeElement?.textContent).toContain('id')
	await press('ArrowUp')
	await press('ArrowLeft')
	await expect.poll(lines).toHaveLength(5)
	unfold('totals')
	await expect.element(tables().getByText('You may not read it.')).toBeVisible()
})

test('partitions stand below their table, and kinds have their icons', async () => {
	window.host.answer({
		'tables.list': () => [
			inShop('events', { kind: 'partitioned table' }),
			inShop('events_2026', { kind: 'partition of events', partitionOf: 'shop.public.events' }),
			inShop('totals', { kind: 'view' }),
		],
		'tables.describe': ({ table }) => ({ name: table, columns: [] }),
	})
	await chooseOfConnection('Sample', 'Reload')
	await expect.poll(lines).toEqual(['shop 2', 'public 2', 'events partitioned table', 'totals view'])
	unfold('events')
	await expect.poll(lines).toContain('events_2026')
	const icon = (name: string) => line(name).element().querySelector('svg')?.getAttribute('class')
	expect(icon('totals view')).not.toBe(icon('events partitioned table'))
})

test('the connection that was open before keeps its tables in the sidebar, until its arrow folds it', async () => {
	window = await openWindow({
		tables: [fakeBooks()],
		others: [{ id: 'other', name: 'Other' }],
		answers: { 'tables.list': () => listed },
	})
	const connection = (name: string) => page.getByRole('button', { name, exact: true })
	await open()
	await expect.poll(lines).toHaveLength(5)
	await connection('Other').click()
	const before = page.getByRole('list', { name: 'Sample' })
	await expect.element(before.getByRole('button', { name: /^orders/ })).toBeVisible()
	await expect.poll(lines).toHaveLength(5)
	expect(page.getByRole('searchbox').elements()).toHaveLength(1)
	await before.getByRole('button', { name: /^orders/ }).click()
	await expect.element(page.getByRole('tab', { name: 'orders' })).toBeVisible()
	connection('Sample')
		.element()
		.querySelector('.chevron')
		?.dispatchEvent(new MouseEvent('click', { bubbles: true }))
	await expect.element(before).not.toBeInTheDocument()
	await expect.element(tables()).toBeVisible()
})

test('two open connections with many tables have as much of the height', async () => {
	const many = Array.from({ length: 60 }, (_, index) => inShop(`t${index}`))
	window = await openWindow({
		tables: [fakeBooks()],
		others: [{ id: 'other', name: 'Other' }],
		answers: { 'tables.list': ({ connection }) => (connection === 'other' ? many : many.slice(0, 24)) },
	})
	await open()
	await page.getByRole('button', { name: 'Other', exact: true }).click()
	const heights = () => [...document.querySelectorAll('.connection.open')].map(({ clientHeight }) => clientHeight)
	await expect.poll(() => heights()[1]).toBeGreaterThan(150)
	const [first = 0, second = 0] = heights()
	expect(Math.abs(first - second)).toBeLessThanOrEqual(1)
})

test('tables that differ by a day have a line above them, which opens all of them and folds them', async () => {
	const days = ['28', '29', '30'].map(day => ({ name: `logs-app-2026.11.${day}`, rowCount: 5 }))
	const asked: string[] = []
	window.host.answer({
		'tables.list': () => [{ name: 'books' }, ...days, { name: 'events_2025' }, { name: 'events_2026' }],
		'tables.describe': ({ table }) => ({ name: table, columns: [] }),
		'tables.find': ({ text }) => {
			asked.push(text)
			return text === 'logs-app-*' ? [{ name: text, kind: 'pattern', detail: '3 indices' }] : []
		},
	})
	await chooseOfConnection('Sample', 'Reload')
	await expect
		.poll(lines)
		.toEqual(['books', 'logs-app-* 3 indices', ...days.map(({ name }) => `${name} 5`), 'events_2025', 'events_2026'])
	expect(new Set(asked)).toEqual(new Set(['logs-app-*', 'events_*']))
	unfold('logs-app-\\*')
	await expect.poll(lines).toEqual(['books', 'logs-app-* 3 indices', 'events_2025', 'events_2026'])
	await search().fill('11.29')
	await expect.poll(lines).toEqual(['logs-app-2026.11.29 5'])
	await search().fill('')
	await line('logs-app-\\*').click()
	await expect.element(page.getByRole('tab', { name: 'logs-app-*' })).toBeVisible()
	await press('ControlOrMeta+p')
	await type('logs-app')
	await expect.element(page.getByRole('option', { name: /^Open logs-app-\*/ })).toBeVisible()
})
