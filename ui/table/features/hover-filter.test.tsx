import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../../testing/books.ts'
import { FakeTable } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../testing/fake-window.tsx'

/** The two buttons in the cell under the pointer of a table in time. */

let window: FakeWindow
let events: TablePanel

beforeEach(async () => {
	const levels = ['info', 'warn', 'error']
	const table = new FakeTable('events', {
		columns: { id: {}, '@timestamp': { kind: 'date' }, level: {} },
		sort: [{ column: '@timestamp', direction: 'desc' }],
		rows: Array.from({ length: 30 }, (_, at) => [
			`ev-${at}`,
			new Date(Date.UTC(2024, 0, 1, at)).toISOString(),
			levels[at % 3] ?? '',
		]),
	})
	window = await openWindow({ tables: [table, fakeBooks()] })
	events = await window.openTable('events')
})

const button = (use: 'for' | 'out') =>
	page.elementLocator(document.querySelector(`[data-filter=${use}]`) ?? document.body)
const shown = () => document.querySelector('.hover-filter')

test('the buttons at the pointer filter for a value and filter it out, and chips say so', async () => {
	await events.cell(0, 'level').hover()
	await expect.poll(shown).not.toBeNull()
	await button('for').click()
	await expect.element(events.root.getByRole('button', { name: /^level is error$/ })).toBeVisible()
	await expect.poll(shown).toBeNull()
	await events.cell(1, 'id').hover()
	await expect.poll(shown).not.toBeNull()
	await button('out').click()
	await expect.element(events.root.getByRole('button', { name: /^id is not ev-26$/ })).toBeVisible()
})

test('the middle of a narrow cell is free for the click that selects it', async () => {
	const cell = events.cell(1, 'level')
	await cell.hover()
	await expect.poll(shown).not.toBeNull()
	const { left, right } = cell.element().getBoundingClientRect()
	expect(right - left).toBeLessThan(100)
	expect(shown()?.getBoundingClientRect().left).toBeGreaterThan((left + right) / 2)
})

test('a table without a time has no buttons at the pointer, which is for editing there', async () => {
	const books = await window.openListedTable('books')
	await books.cell(0, 'title').hover()
	await books.cell(1, 'title').hover()
	expect(shown()).toBeNull()
})
