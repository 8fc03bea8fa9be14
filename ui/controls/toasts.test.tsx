import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeBooks } from '../testing/books.ts'
import type { FakeTable } from '../testing/fake-tables.ts'
import { openWindow, type TablePanel } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'

/** Messages of the window: one line at the right of the status line, with an undo button if possible. */

let table: FakeTable
let books: TablePanel

beforeEach(async () => {
	table = fakeBooks()
	books = await (await openWindow({ tables: [table], messagesPass: true })).openTable('books')
})
afterEach(() => vi.useRealTimers())

const messages = () => page.getByRole('region', { name: 'Messages' })
const lines = () => messages().getByRole('listitem')

async function saveCountry(): Promise<void> {
	await books.edit(0, 'country', 'QQ')
	await books.save()
	await expect.element(lines().getByText('Saved 1 row.')).toBeVisible()
	await books.isStaged(0)
}

test('a save is announced politely, moves nothing, and can be undone from its message by keyboard', async () => {
	const height = () => books.grid.element().getBoundingClientRect().height
	const before = height()
	await saveCountry()
	await expect.element(messages().getByRole('list')).toHaveAttribute('aria-live', 'polite')
	expect(height()).toBe(before)
	expect(table.value('["1"]', 'country')).toBe('QQ')
	lines().getByRole('button', { name: 'Undo' }).element().focus()
	await press('Enter')
	await expect.poll(() => table.value('["1"]', 'country')).toBe('AR')
	await expect.poll(() => books.texts('country')[0]).toBe('AR')
	await expect.element(lines().getByText('Undid the changes of 1 row.')).toBeVisible()
})

test('a message stays while it has the pointer', async () => {
	await saveCountry()
	await userEvent.hover(lines())
	vi.useFakeTimers()
	vi.advanceTimersByTime(60_000)
	expect(lines().elements()).toHaveLength(1)
})

test('a message stays while it has the focus, and Escape closes it and returns the focus to the grid', async () => {
	await saveCountry()
	books.grid.element().focus()
	lines().getByRole('button', { name: 'Dismiss' }).element().focus()
	vi.useFakeTimers()
	vi.advanceTimersByTime(60_000)
	expect(lines().elements()).toHaveLength(1)
	vi.useRealTimers()
	await press('Escape')
	await expect.poll(() => lines().elements()).toHaveLength(0)
	expect(document.activeElement?.getAttribute('role')).toBe('grid')
})

test('an untouched message disappears by itself', async () => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
	await books.edit(0, 'country', 'QQ')
	await books.save()
	await vi.waitUntil(() => lines().elements().length === 1)
	vi.advanceTimersByTime(11_000)
	await vi.waitUntil(() => lines().elements().length === 0)
})
