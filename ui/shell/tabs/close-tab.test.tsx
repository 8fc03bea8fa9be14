import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../../testing/books.ts'
import { FakeTable } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press, type } from '../../testing/keys.ts'

/** No mistake loses staged changes. Closing their tab asks, and closing the window asks until the host has stored them. */

let window: FakeWindow
let books: TablePanel

const places = () => new FakeTable('places', { columns: { name: {} }, rows: [['Berlin']] })

beforeEach(async () => {
	window = await openWindow({ tables: [fakeBooks(), places()] })
	books = await window.openTable('books')
	await books.edit(0, 'country', 'XX')
	await isStaged('1 change not saved')
})

const isStaged = (text: string) => expect.element(books.root.getByText(text)).toBeVisible()
const close = () => page.getByRole('button', { name: 'Close books' })
const sheet = () => page.getByRole('dialog', { name: 'Close books on Sample?' })

test('closing a tab with changes asks, and the tab keeps its changes if it stays open', async () => {
	await close().click()
	await expect.element(sheet().getByText('1 change is not saved.')).toBeVisible()
	await sheet().getByRole('button', { name: 'Keep it open' }).click()
	await isStaged('1 change not saved')
	await close().click()
	await press('Escape')
	await expect.element(sheet()).not.toBeInTheDocument()
	await isStaged('1 change not saved')
})

test('closing a tab discards its changes only after the answer', async () => {
	await close().click()
	await sheet().getByRole('button', { name: 'Discard 1 change' }).click()
	await expect.element(books.root).not.toBeInTheDocument()
	expect(window.host.callsOf('changes.apply')).toEqual([])
})

test('a middle click asks too, and a tab without changes closes without a question', async () => {
	await window.openTable('places')
	await page.getByRole('tab', { name: 'places' }).click({ button: 'middle' })
	await expect.element(page.getByRole('tab', { name: 'places' })).not.toBeInTheDocument()
	await page.getByRole('tab', { name: 'books' }).click({ button: 'middle' })
	await expect.element(sheet()).toBeVisible()
})

/** Returns whether the browser would ask the user before the page is left. */
function asksBeforeLeaving(): boolean {
	const leaving = new Event('beforeunload', { cancelable: true })
	dispatchEvent(leaving)
	return leaving.defaultPrevented
}

test('leaving the page asks nothing when the host has the staged changes, and a new page has them', async () => {
	await expect.poll(() => Object.keys(window.records).some(key => key.includes('books'))).toBe(true)
	await expect.poll(asksBeforeLeaving).toBe(false)
	await window.open()
	await isStaged('1 change not saved')
})

test('leaving the page asks while the host does not have the staged changes', async () => {
	window.host.lose()
	window.host.fail('workspace.write', 'Roundhouse stopped. Start it again.')
	await books.edit(1, 'country', 'YY')
	await isStaged('2 changes not saved')
	expect(asksBeforeLeaving()).toBe(true)
	await isStaged('2 changes not saved')
})

test('leaving the page asks while a text is typed that is not committed, and a click beside its sheet keeps it', async () => {
	await books.cell(0, 'title').dblClick()
	await type('half a title')
	expect(asksBeforeLeaving()).toBe(true)
	await press('Escape')
	await press('Alt+Enter')
	const value = page.getByRole('dialog', { name: 'title' })
	await value.getByRole('textbox').click()
	await type('half a title')
	document.querySelector('.backdrop')?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
	expect(asksBeforeLeaving()).toBe(true)
	await expect.element(value.getByRole('textbox')).toBeVisible()
	expect(value.getByRole('textbox').element().textContent).toContain('half a title')
})
