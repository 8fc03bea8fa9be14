import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../testing/books.ts'
import type { FakeTable } from '../testing/fake-tables.ts'
import { openWindow, type TablePanel } from '../testing/fake-window.tsx'
import { press, type } from '../testing/keys.ts'

/** Keys of input methods and characters of AltGr belong to the text that is typed, in every field of the window. */

let table: FakeTable
let books: TablePanel

beforeEach(async () => {
	table = fakeBooks()
	books = await (await openWindow({ tables: [table] })).openTable('books')
})

/** Sends the Enter that ends a composition, once as Chromium reports it and once as Safari does. */
function composeEnter(): void {
	const focused = document.activeElement
	for (const how of [{ isComposing: true }, { keyCode: 229 }])
		focused?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...how }))
}

test('Enter of an input method does not commit a cell', async () => {
	await books.cell(0, 'title').dblClick()
	await press('ControlOrMeta+a')
	await type('にほん')
	composeEnter()
	await expect.element(books.root.getByRole('textbox', { name: 'title' })).toHaveValue('にほん')
	await press('Enter')
	await books.isStaged(1)
})

test('Enter of an input method opens nothing from a search', async () => {
	await press('ControlOrMeta+p')
	await type('books')
	const picker = page.getByRole('dialog')
	await expect.element(picker).toBeVisible()
	composeEnter()
	await expect.element(picker).toBeVisible()
	await press('Escape')
})

test('a character of AltGr runs no command, and begins the edit of a cell', async () => {
	await books.cell(0, 'country').click()
	const event = new KeyboardEvent('keydown', {
		key: '@',
		code: 'KeyQ',
		ctrlKey: true,
		altKey: true,
		modifierAltGraph: true,
		bubbles: true,
		cancelable: true,
	})
	document.activeElement?.dispatchEvent(event)
	await expect.element(books.root.getByRole('textbox', { name: 'country' })).toHaveValue('@')
})
