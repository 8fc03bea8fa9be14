import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../testing/books.ts'
import { FakeTable } from '../testing/fake-tables.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'

/** While no tab is open, the main pane offers what is opened most: console, overview and the last tables. */

let window: FakeWindow

beforeEach(async () => {
	const places = new FakeTable('places', { columns: { name: {} }, rows: [['Berlin']] })
	window = await openWindow({ tables: [fakeBooks(), places], manifest: { hasFacts: true } })
	window.host.answer({ 'facts.read': () => [] })
	await page.getByRole('button', { name: 'Sample', exact: true }).click()
})

const steps = () => page.getByRole('list', { name: 'Open in Sample' })
const names = () => [...document.querySelectorAll('.next-step-name')].map(({ textContent }) => textContent)
const tab = (name: string) => page.getByRole('tab', { name })

async function closeTab(name: string): Promise<void> {
	await press('ControlOrMeta+k')
	await press('w')
	await expect.element(tab(name)).not.toBeInTheDocument()
}

test('the empty pane offers the console, the overview and all tables, before a table was opened', async () => {
	await expect.poll(names).toEqual(['Console', 'Overview', 'All tables'])
	for (const [step, title] of [
		['Console', 'Console'],
		['Overview', 'Overview'],
		['All tables', 'Tables'],
	] as const) {
		await steps().getByText(step).click()
		await expect.element(tab(title)).toBeVisible()
		await closeTab(title)
	}
})

test('the empty pane offers the last tables, the latest first, by keys and after a reload of the window', async () => {
	for (const name of ['books', 'places']) {
		await page.getByRole('list', { name: 'Tables' }).getByRole('button', { name }).first().click()
		await expect.element(tab(name)).toBeVisible()
		await closeTab(name)
	}
	await expect.poll(names).toEqual(['Console', 'Overview', 'All tables', 'places', 'books'])
	// The closed tab leaves the focus to the list.
	await press('End')
	await press('Enter')
	await expect.element(tab('books')).toBeVisible()
	await closeTab('books')
	await window.open()
	await page.getByRole('button', { name: 'Sample', exact: true }).click()
	await expect.poll(names).toEqual(['Console', 'Overview', 'All tables', 'books', 'places'])
})

test('the empty pane offers names that are in no list, and keeps the focus when they come', async () => {
	const release = window.host.hold('tables.find')
	window.host.answer({
		'tables.find': ({ text }) => (text === '' ? [{ name: 'logs-web', kind: 'data stream' }] : []),
	})
	await window.open()
	await page.getByRole('button', { name: 'Sample', exact: true }).click()
	const console = steps().getByRole('button', { name: /^Console/ })
	await expect.element(console).toBeVisible()
	console.element().focus()
	release()
	await expect.poll(names).toEqual(['Console', 'Overview', 'All tables', 'logs-web'])
	expect(document.activeElement).toBe(console.element())
	await steps().getByText('logs-web').click()
	await expect.element(tab('logs-web')).toBeVisible()
})
