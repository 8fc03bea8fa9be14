import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../../testing/books.ts'
import { FakeTable } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow } from '../../testing/fake-window.tsx'
import { press, type } from '../../testing/keys.ts'

/** The actions of tabs, tables and connections are in their menus, which open by a right click and by keyboard. */

let window: FakeWindow

const named = (name: string) => new FakeTable(name, { columns: { id: {} }, rows: [['1']] })

beforeEach(async () => {
	const tables = [named('places'), named('events'), fakeBooks()]
	window = await openWindow({ tables, manifest: { hasFacts: true }, answers: { 'facts.read': () => [] } })
	await page.getByRole('button', { name: 'Sample', exact: true }).click()
	for (const name of ['places', 'events', 'books']) await open(name)
})

const list = () => page.getByRole('list', { name: 'Tables' })
const menu = (name: string) => page.getByRole('menu', { name })
const item = (name: string) => page.getByRole('menuitem', { name })
const tab = (name: string) => page.getByRole('tab', { name, exact: true })
const tabs = () =>
	page
		.getByRole('tab')
		.elements()
		.map(({ textContent }) => textContent?.trim())
const isSelected = (name: string) => expect.element(tab(name)).toHaveAttribute('aria-selected', 'true')

async function open(name: string): Promise<void> {
	await list().getByRole('button', { name }).first().click()
	await expect.element(tab(name)).toBeVisible()
}

test('a tab has a menu by right click and by keyboard, which returns the focus', async () => {
	await tab('events').click({ button: 'right' })
	await expect.element(menu('events')).toBeVisible()
	await press('Escape')
	tab('events').element().focus()
	await press('Shift+F10')
	await expect.element(menu('events')).toBeVisible()
	await press('Escape')
	await expect.element(menu('events')).not.toBeInTheDocument()
	await expect.poll(() => document.activeElement?.textContent).toBe('events')
})

test('tabs are closed to the right of one, and the last closed tab opens again', async () => {
	await tab('places').click({ button: 'right' })
	await item('Close to the right').click()
	await expect.poll(tabs).toEqual(['places'])
	await tab('places').click({ button: 'right' })
	await item('Open the last closed tab').click()
	await expect.poll(tabs).toEqual(['places', 'books'])
})

test('arrow keys move along the tabs', async () => {
	await tab('books').click()
	await press('ArrowLeft')
	await isSelected('events')
})

test('the list of all open tabs finds a tab by some of its letters', async () => {
	await page.getByRole('button', { name: 'All open tabs' }).click()
	await expect.element(page.getByRole('dialog').getByRole('option', { name: 'places' })).toBeVisible()
	await type('pls')
	await press('Enter')
	await isSelected('places')
})

test('the active tab of many is in view', async () => {
	await page.viewport(800, 600)
	for (let count = 0; count < 9; count++) {
		await press('ControlOrMeta+k')
		await press('c')
	}
	await expect.poll(() => tabs().length).toBe(12)
	const isInView = (name: string) => {
		const [place, strip] = [tab(name), page.getByRole('tablist', { name: 'Open tables' })].map(one =>
			one.element().getBoundingClientRect(),
		)
		return place !== undefined && strip !== undefined && place.left >= strip.left && place.right <= strip.right + 1
	}
	await expect.poll(() => isInView('Console 9')).toBe(true)
	await press('ControlOrMeta+1')
	await expect.poll(() => isInView('places')).toBe(true)
	await press('ControlOrMeta+k')
	await press('o')
	await expect.poll(tabs).toEqual(['places'])
	await page.viewport(1280, 820)
})

test('the menu of a table opens its facts', async () => {
	await list().getByRole('button', { name: 'places' }).click({ button: 'right' })
	await item('About this table').click()
	await expect.element(page.getByRole('tabpanel', { name: 'About places' })).toBeVisible()
})

test('a connection is disconnected by its menu', async () => {
	const connection = page.getByRole('button', { name: 'Sample', exact: true })
	connection.element().focus()
	await press('Shift+F10')
	await item('Disconnect').click()
	await expect.element(list()).not.toBeInTheDocument()
	expect(window.host.callsOf('connections.close')).toEqual([{ id: 'c1' }])
})

test('removing a connection names what is not saved and asks, and then nothing of it is left', async () => {
	let isRemoved = false
	const before = window.host
	before.answer({
		'connections.remove': () => {
			isRemoved = true
			before.answer({ 'connections.list': () => [] })
			before.emit('connections.changed', null)
			return null
		},
	})
	const books = await window.openListedTable('books')
	await books.edit(0, 'country', 'XX')
	await expect.element(books.root.getByText('1 change not saved')).toBeVisible()
	await page.getByRole('button', { name: 'Sample', exact: true }).click({ button: 'right' })
	await item('Remove').click()
	const sheet = page.getByRole('dialog', { name: 'Remove Sample?' })
	await expect.element(sheet.getByText('1 change not saved')).toBeVisible()
	await sheet.getByRole('button', { name: 'Keep it' }).click()
	await expect.element(books.root.getByText('1 change not saved')).toBeVisible()
	expect(isRemoved).toBe(false)
	await page.getByRole('button', { name: 'Sample', exact: true }).click({ button: 'right' })
	await item('Remove').click()
	await sheet.getByRole('button', { name: 'Remove Sample' }).click()
	await expect.element(page.getByRole('heading', { name: 'Nothing connected yet' })).toBeVisible()
	expect(tabs()).toEqual([])
	await window.open()
	expect(JSON.stringify([window.records, window.preferences])).not.toContain('"c1"')
})

test('the button beside the tabs opens a console of the connection in use', async () => {
	await page.getByRole('button', { name: 'New console' }).click()
	await isSelected('Console')
	await page.getByRole('button', { name: 'New console' }).click()
	await expect.poll(() => tabs().length).toBe(5)
})

test('a tab with a short name keeps it in a narrow window, and the one in front stays in sight', async () => {
	const before = tab('places').element().getBoundingClientRect().width
	await page.viewport(480, 600)
	onTestFinished(() => page.viewport(1280, 820))
	const strip = () => document.querySelector('.tabs')?.getBoundingClientRect() ?? new DOMRect()
	const front = () => tab('books').element().getBoundingClientRect()
	await expect.poll(() => front().right).toBeLessThanOrEqual(strip().right)
	expect(front().left).toBeGreaterThanOrEqual(strip().left)
	await page.viewport(360, 600)
	await expect.poll(() => front().right).toBeLessThanOrEqual(strip().right)
	expect(tab('places').element().getBoundingClientRect().width).toBeGreaterThanOrEqual(before - 4)
})

test('ten tabs show at least six letters of each name, and the one in front is in sight', async () => {
	const names = Array.from({ length: 10 }, (_, at) => `suppliers_of_the_shop_${String.fromCharCode(97 + at)}`)
	window = await openWindow({ tables: names.map(name => named(name)) })
	await page.getByRole('button', { name: 'Sample', exact: true }).click()
	for (const name of names) await open(name)
	await page.viewport(1024, 700)
	onTestFinished(() => page.viewport(1280, 820))
	const strip = () => document.querySelector('.tabs')?.getBoundingClientRect() ?? new DOMRect()
	await expect
		.poll(
			() =>
				tab(names[9] ?? '')
					.element()
					.getBoundingClientRect().right,
		)
		.toBeLessThanOrEqual(strip().right)
	const letters = names.map(name => {
		const title = tab(name).element().querySelector('.tab-title') ?? expect.unreachable()
		const range = document.createRange()
		range.setStart(title.firstChild ?? title, 0)
		range.setEnd(title.firstChild ?? title, 6)
		return title.clientWidth - range.getBoundingClientRect().width
	})
	// What is left is for the sign that there is more.
	expect(Math.min(...letters)).toBeGreaterThan(8)
})

test('of tabs without room for all names the long ones become narrower first', async () => {
	const long = 'a_table_with_a_name_of_many_words'
	window = await openWindow({ tables: [named('places'), named(long), named('events'), fakeBooks()] })
	await page.getByRole('button', { name: 'Sample', exact: true }).click()
	for (const name of ['places', long, 'events', 'books']) await open(name)
	await page.viewport(620, 600)
	onTestFinished(() => page.viewport(1280, 820))
	const isWhole = (name: string) => {
		const title = tab(name).element().querySelector('.tab-title') ?? expect.unreachable()
		return title.scrollWidth <= title.clientWidth
	}
	// The sidebar folds first.
	await expect.poll(() => ['places', long, 'events', 'books'].map(isWhole)).toEqual([true, false, true, true])
	for (const _ of [1, 2, 3]) await page.getByRole('button', { name: 'New console' }).click()
	await isSelected('Console 3')
	const number = tab('Console 2').element().querySelector('.tab-number') ?? expect.unreachable()
	const close = page.getByRole('button', { name: 'Close Console 2' }).element()
	expect(number.getBoundingClientRect().right).toBeLessThanOrEqual(close.getBoundingClientRect().left)
	expect(number.textContent).toBe(' 2')
})
