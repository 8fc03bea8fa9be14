import { beforeEach, expect, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { violations } from '../testing/axe.ts'
import { FakeTable } from '../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../testing/fake-window.tsx'
import { press, type } from '../testing/keys.ts'
import { fakeLogs } from '../testing/logs.ts'

/** axe finds no violation in any state of the grid, its bars, sheets and menus, in the light and in the dark theme. */

let window: FakeWindow
let table: FakeTable
let books: TablePanel

beforeEach(async () => {
	const countries = ['NG', 'PE', 'DE']
	table = new FakeTable('books', {
		columns: {
			id: { kind: 'number' },
			title: {},
			country: {},
			born: { kind: 'number' },
			published: { kind: 'date' },
			summary: {},
			details: { kind: 'json', isSortable: false },
		},
		rows: Array.from({ length: 40 }, (_, row) => [
			row + 1,
			`Book ${row + 1}`,
			countries[row % 3] ?? '',
			row % 4 === 0 ? null : 1900 + row,
			new Date(Date.UTC(2024, 0, 1 + row)).toISOString(),
			`a long summary ${'word '.repeat(60)}`,
			{ json: '{"pages":100}' },
		]),
	})
	window = await openWindow({
		tables: [table, fakeLogs(20)],
		connection: { isProduction: true },
		answers: {
			'rows.readRaw': ({ offset }) => ({
				completions: { from: offset, options: [{ label: 'country', kind: 'column' }] },
				understood: 'Words in all columns.',
				correction: 'meant',
			}),
		},
	})
	books = await window.openTable('books')
})

const seen = (locator: Locator) => expect.element(locator.first()).toBeVisible()
const dialog = () => page.getByRole('dialog')
/** A closing dialog hides the window from screen readers until it is gone. */
const isClosed = () => expect.poll(() => document.querySelector('[role=dialog], .app[aria-hidden]')).toBeNull()
const button = (name: string) => books.root.getByRole('button', { name, exact: true })
const menu = () => seen(page.getByRole('menuitem'))
const query = () => books.root.getByRole('searchbox', { name: 'Query' })
const documentText = () => page.getByRole('textbox', { name: 'Row as JSON' })

async function find(): Promise<void> {
	await press('ControlOrMeta+f')
	await type('a')
	await seen(page.getByText(/^1 of/))
}
async function openRow(): Promise<void> {
	await books.cell(0, 'id').click()
	await press('Space')
	await seen(documentText().getByText('"Book 1"'))
}
async function openValue(): Promise<void> {
	await books.cell(0, 'title').click()
	await press('Alt+Enter')
	await expect.poll(() => document.activeElement?.matches('[role=dialog] .cm-content')).toBe(true)
}
async function filterByCountry(): Promise<void> {
	await books.cell(1, 'country').click()
	await press('=')
	await seen(button('country is PE'))
}
async function openFilters(): Promise<void> {
	await button('Filter').click()
	await seen(books.root.getByRole('form', { name: 'Filters' }))
}
async function newRow(look: string): Promise<void> {
	await button('New row').click()
	await dialog().getByText(look).click()
}
/** Stages a change that another client makes a conflict. */
async function conflict(): Promise<void> {
	await books.edit(1, 'country', 'XX')
	await books.isStaged(1)
	table.setValue('["2"]', 'country', 'TT')
	await books.save()
	await seen(button('Compare'))
	await isClosed()
}
async function fail(): Promise<void> {
	window.host.fail('grid.open', 'The query is not closed.')
	await query().fill('(')
	await press('Alt+Enter')
	await seen(books.root.getByRole('alert'))
}

test.for([
	['rows', async () => {}],
	[
		'selected cells',
		async () => {
			await books.cell(1, 'id').click()
			await press('Shift+ArrowDown')
			await press('Shift+ArrowRight')
		},
	],
	[
		'the whole text of a cell',
		async () => {
			// A column begins beside the pinned ones at the end, so that nothing moves under the pointer.
			books.grid.element().scrollTo({ left: books.grid.element().scrollWidth })
			await books.cell(0, 'summary').hover()
			await seen(page.getByRole('tooltip'))
		},
	],
	[
		'a cell that is edited',
		async () => {
			await books.cell(0, 'country').dblClick()
			await seen(books.root.getByRole('textbox', { name: 'Edit country' }))
		},
	],
	[
		'an invalid value in a cell',
		async () => {
			await books.cell(1, 'born').dblClick()
			await press('ControlOrMeta+a')
			await type('never')
			await press('Enter')
			await expect.poll(() => document.querySelector('.cell-editor-hint.fault')).not.toBeNull()
		},
	],
	[
		'the statistics of a column, and a filter that is changed in place',
		async () => {
			await filterByCountry()
			await press('Alt+t')
			await seen(books.root.getByText('Different values', { exact: true }))
			await button('country is PE').click()
			await seen(books.root.getByRole('form', { name: /^Change country/ }))
		},
	],
	['the sheet of a value', openValue],
	[
		'Find in a value',
		async () => {
			await openValue()
			await press('ControlOrMeta+f')
			await type('B')
			await seen(page.getByText('1 of 1'))
		},
	],
	[
		'a new row as JSON',
		async () => {
			await newRow('As JSON')
			await seen(dialog().getByLabelText('Row as JSON'))
		},
	],
	[
		'a new row by column',
		async () => {
			await newRow('By column')
			await seen(dialog().getByLabelText('title', { exact: true }))
		},
	],
	[
		'rows that are new, changed and deleted',
		async () => {
			await books.edit(0, 'country', 'XX')
			await books.cell(1, 'id').click()
			await press('Delete')
			await newRow('As JSON')
			await dialog().getByLabelText('id', { exact: true }).fill('99')
			await dialog().getByRole('button', { name: 'Add', exact: true }).click()
			await books.isStaged(3)
			await isClosed()
		},
	],
	[
		'the review before a save',
		async () => {
			await books.edit(0, 'country', 'XX')
			await button('Review and save').click()
			await seen(dialog().getByRole('button', { name: /^Save/ }))
		},
	],
	['a conflict', conflict],
	[
		'mine beside theirs',
		async () => {
			await conflict()
			await button('Compare').click()
			await seen(dialog().getByText('TT', { exact: true }))
		},
	],
	[
		'a range of time with its histogram, and a query with completions',
		async () => {
			const time = books.root.getByRole('group', { name: 'Time' })
			await button('Filter by time').click()
			await time.getByLabelText('Time range').selectOptions('From … to …')
			const histogram = time.getByRole('button', { name: 'Histogram of time' })
			if (!books.root.getByRole('slider').query()) await histogram.click()
			await seen(books.root.getByRole('slider'))
			await query().fill('count')
			await seen(books.root.getByRole('listbox', { name: 'Completions' }))
		},
	],
	[
		'saved views',
		async () => {
			await button('Saved views').click()
			await page.getByLabelText('Name of the view').fill('All books')
			await press('Enter')
			await seen(page.getByRole('button', { name: 'Rename All books' }))
		},
	],
	[
		'the filter bar',
		async () => {
			await openFilters()
			const form = books.root.getByRole('form', { name: 'Filters' })
			await form.getByLabelText('Column').selectOptions('country')
			await form.getByLabelText('Value').fill('PE')
			await form.getByRole('button', { name: 'Apply' }).click()
		},
	],
	['filters as chips', filterByCountry],
	[
		'nothing found, and what a query was read as',
		async () => {
			await query().fill('nowhere')
			await press('Enter')
			await seen(button('Search as typed'))
			await seen(books.root.getByText('No rows', { exact: true }))
		},
	],
	['the rows before a query that failed', fail],
	[
		'the question before a tab with changes is closed',
		async () => {
			await books.edit(0, 'country', 'XX')
			await books.isStaged(1)
			await page.getByRole('button', { name: 'Close books' }).click()
			await seen(dialog())
		},
	],
	[
		'the list of columns',
		async () => {
			await button('Columns').click()
			await seen(page.getByLabelText('Search columns'))
		},
	],
	['a row beside the grid', openRow],
	[
		'Find in a row',
		async () => {
			await openRow()
			documentText().element().focus()
			await find()
		},
	],
	[
		'a row with invalid JSON',
		async () => {
			await openRow()
			await documentText().fill('x')
			await press('ControlOrMeta+Enter')
			await seen(page.getByRole('alert').getByText('This is not JSON'))
		},
	],
	[
		'a row as a tree',
		async () => {
			await openRow()
			await page.getByText('Tree', { exact: true }).click()
			await page.getByRole('treeitem').filter({ hasText: 'country' }).click()
		},
	],
	[
		'a log with the top values of a field',
		async () => {
			const logs = await window.openListedTable('logs-app')
			await logs.root
				.getByRole('listbox', { name: 'Shown columns' })
				.getByTitle(/^level ·/)
				.hover()
			await seen(page.getByRole('region', { name: 'Top values of level' }).getByText('ERROR'))
		},
	],
	[
		'the groups of similar messages',
		async () => {
			const logs = await window.openListedTable('logs-app')
			await logs.root.getByRole('button', { name: 'Group similar messages', exact: true }).click()
			await logs.root
				.getByRole('region', { name: 'Similar messages' })
				.getByRole('button', { name: /Read timed/ })
				.click()
			await seen(logs.root.getByText(/of similar messages/))
		},
	],
	[
		'a row of a log as fields',
		async () => {
			const logs = await window.openListedTable('logs-app')
			await logs.cell(1, 'message').click()
			await press('Space')
			await seen(page.getByRole('region', { name: 'Stack trace' }))
			await page.getByRole('tree', { name: 'Columns of the row' }).getByText('service.name').click()
		},
	],
	[
		'two rows side by side',
		async () => {
			await books.cell(0, 'id').click()
			await press('Shift+ArrowDown')
			await books.cell(0, 'id').click({ button: 'right' })
			await page.getByRole('menuitem', { name: 'Compare the two rows' }).click()
			await seen(dialog().getByText(/^\d+ differences?$/))
		},
	],
	['the menu of a cell', () => books.cell(0, 'title').click({ button: 'right' }).then(menu)],
	['the menu of a column', () => page.elementLocator(books.header('title')).click({ button: 'right' }).then(menu)],
	[
		'an export',
		async () => {
			await books.more('Export')
			await seen(dialog().getByRole('button', { name: 'Export' }))
		},
	],
	[
		'a copy in another format',
		async () => {
			await books.cell(0, 'title').click()
			await press('ControlOrMeta+Shift+c')
			await seen(dialog())
		},
	],
	[
		'the message of a save',
		async () => {
			await books.edit(0, 'country', 'YY')
			await books.save()
			await seen(page.getByRole('region', { name: 'Messages' }).getByText('Saved 1 row.'))
			await isClosed()
		},
	],
] as const)('%s: no violation', async ([, show]) => {
	await show()
	expect(await violations()).toEqual([])
})
