import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../testing/books.ts'
import { type FakeWindow, openWindow, TablePanel } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'
import { fakeLogs } from '../testing/logs.ts'
import { chooseEntry } from '../testing/menu.ts'

/** The rows with one value open in another tab, with the columns of the first one. */

let window: FakeWindow
let books: TablePanel

beforeEach(async () => {
	window = await openWindow({ tables: [fakeBooks()] })
	await window.openTable('books')
	// Of the two tabs, the one in view.
	books = new TablePanel(page.getByRole('tabpanel', { name: 'books', exact: true }))
	await hide('title')
	await books.cell(1, 'country').click()
	await press('=')
	await expect.element(chip('country is NG')).toBeVisible()
	await books.cell(0, 'born').click({ button: 'right' })
	await chooseEntry(/^Only this, in another tab/)
	await expect.element(chip('born is 1930')).toBeVisible()
})

const chip = (name: string) => books.root.getByRole('button', { name, exact: true })
const tab = (name: string) => page.getByRole('tab', { name, exact: true })

async function hide(column: string): Promise<void> {
	await page.elementLocator(books.header(column)).click({ button: 'right' })
	await page.getByRole('menuitem', { name: 'Hide column', exact: true }).click()
	await expect.poll(() => books.columns()).not.toContain(column)
}

test('the other tab has the value alone, without the filters of the first one', async () => {
	await expect.element(chip('country is NG')).not.toBeInTheDocument()
	await expect.element(tab('books (2)')).toHaveAttribute('aria-selected', 'true')
	expect(books.columns()).not.toContain('title')
	await press('ControlOrMeta+w')
	await expect.element(chip('country is NG')).toBeVisible()
})

test('each tab has its own columns from then on, also after a reload of the window', async () => {
	await hide('country')
	await tab('books').click()
	await expect.poll(() => books.columns()).toContain('country')
	await window.open()
	await tab('books (2)').click()
	await expect.poll(() => books.columns()).toContain('born')
	expect(books.columns()).not.toContain('country')
})

test('a tab that gets other rows while it is hidden shows them from the first one', async () => {
	window = await openWindow({ tables: [fakeLogs()] })
	await window.openTable('logs-app')
	const logs = new TablePanel(page.getByRole('tabpanel', { name: 'logs-app', exact: true }))
	await logs.cell(1, 'message').click()
	await press('Alt+Shift+A')
	await expect.element(tab('logs-app (2)')).toHaveAttribute('aria-selected', 'true')
	await expect.element(logs.grid).toBeVisible()
	await press('ControlOrMeta+End')
	await expect.poll(() => logs.grid.element().scrollTop).toBeGreaterThan(1_000)
	await tab('logs-app').click()
	await logs.cell(1, 'service.name').click()
	await press('Alt+Shift+O')
	await expect.element(logs.root.getByRole('button', { name: 'service.name is checkout', exact: true })).toBeVisible()
	await expect.poll(() => logs.grid.element().scrollTop).toBe(0)
	await expect.poll(() => new Set(logs.texts('service.name'))).toEqual(new Set(['checkout']))
})

test('a tab of the same table says what it shows, and follows its filters', async () => {
	const about = () => tab('books (2)').element().querySelector('.tab-about')?.textContent
	await expect.poll(about).toBe('1930')
	await books.root.getByRole('button', { name: /^Remove born/ }).click()
	await expect.poll(about).toBeUndefined()
})

test('the words of a range leave the name of the tab and its Close in sight', async () => {
	window = await openWindow({ tables: [fakeLogs()] })
	const logs = await window.openTable('logs-app')
	await logs.cell(1, 'message').click()
	await press('Alt+Shift+A')
	const strip = tab('logs-app (2)').element()
	await expect.poll(() => strip.querySelector('.tab-about')?.textContent).toMatch(/^08:28:25 – 08:30:2\d$/)
	expect(strip.querySelector('.tab-title')?.scrollWidth).toBe(strip.querySelector('.tab-title')?.clientWidth)
	expect(strip.scrollWidth).toBe(strip.clientWidth)
})
