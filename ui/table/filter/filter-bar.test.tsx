import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../../testing/books.ts'
import { FakeClipboard } from '../../testing/clipboard.ts'
import { FakeTable, tableAnswers } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press, type } from '../../testing/keys.ts'
import { chooseEntry } from '../../testing/menu.ts'

/** Filters by clicks, by keys and by the form of a filter. */

let window: FakeWindow
let books: TablePanel

beforeEach(async () => {
	window = await openWindow({ tables: [fakeBooks()] })
	books = await window.openTable('books')
})
afterEach(() => expect([...window.host.unanswered]).toEqual([]))

const chips = () => books.root.getByRole('list', { name: 'Filters' })
const chip = (name: string) => chips().getByRole('button', { name, exact: true })
const countries = () => [...new Set(books.texts('country'))].toSorted()
const count = (text: string) => expect.element(books.root.getByText(text, { exact: true }).first()).toBeVisible()
const filterOf = (condition: string) => expect.element(chip(condition)).toBeVisible()

test('the focus stays in the table when a filter is removed by a key', async () => {
	await books.cell(0, 'country').click()
	await press('=')
	const remove = chips().getByRole('button', { name: /^Remove/ })
	await expect.element(remove).toBeVisible()
	remove.element().focus()
	await press('Enter')
	await count('60 rows')
	await expect.poll(() => document.activeElement?.closest('main')).not.toBeNull()
})

test('the menu of a cell filters for its value, and filters it out', async () => {
	await books.cell(1, 'country').click({ button: 'right' })
	await page.getByRole('menuitem', { name: /^Filter for this/ }).click()
	await filterOf('country is NG')
	await expect.poll(countries).toEqual(['NG'])
	await books.cell(0, 'born').click({ button: 'right' })
	await page.getByRole('menuitem', { name: /^Filter out/ }).click()
	await filterOf('born is not 1930')
	await expect.poll(() => books.texts('born')).not.toContain('1,930')
})

test('keys filter by the focused cell', async () => {
	await books.cell(2, 'country').click()
	await press('=')
	await filterOf('country is AT')
	await expect.poll(countries).toEqual(['AT'])
	await press('-')
	await filterOf('country is not AT')
	// Not both: no row could fit.
	await expect.element(chip('country is AT')).not.toBeInTheDocument()
	await expect.poll(countries).not.toContain('AT')
	expect(countries().length).toBeGreaterThan(0)
})

test('a minus sign begins a number, and Alt with it filters the number out', async () => {
	await books.cell(1, 'born').click()
	await press('-')
	await expect.element(books.root.getByRole('textbox', { name: 'Edit born' })).toHaveValue('-')
	await press('Escape')
	await press('Alt+-')
	await filterOf('born is not 1930')
})

test('a filter is changed in place, inverted and removed', async () => {
	await books.cell(1, 'country').click()
	await press('=')
	await chip('country is NG').click()
	const fields = chips().getByRole('form', { name: 'Change country is NG' })
	await fields.getByLabelText('Value').fill('DE')
	await press('Enter')
	await filterOf('country is DE')
	await chip('country is DE').click()
	await press('Escape')
	await chip('country is DE').click({ modifiers: ['Alt'] })
	await filterOf('country is not DE')
	chip('country is not DE').element().focus()
	await press('Delete')
	await count('60 rows')
})

test('a list of values completes each value, and leaves out those that it has', async () => {
	const form = books.root.getByRole('form', { name: 'Filters' })
	await books.root.getByRole('button', { name: 'Filter', exact: true }).click()
	await form.getByLabelText('Column').selectOptions('country')
	await form.getByLabelText('Operator').selectOptions('is one of')
	const list = form.getByLabelText('Value')
	const options = form.getByRole('listbox', { name: 'Completions' }).getByRole('option')
	await list.click()
	await type('N')
	await expect.element(options).toHaveTextContent('NG')
	await press('Tab')
	await expect.element(list).toHaveValue('NG')
	await type(', ')
	await expect.poll(() => options.elements().length).toBe(4)
	expect(options.elements().map(({ textContent }) => textContent)).not.toContain('NG')
	await type('A')
	await options.getByText('AT', { exact: true }).click()
	await expect.element(list).toHaveValue('NG, AT')
	await press('Enter')
	await expect.poll(countries).toEqual(['AT', 'NG'])
})

test('lines that are pasted into a list are one value each', async () => {
	const form = books.root.getByRole('form', { name: 'Filters' })
	await books.root.getByRole('button', { name: 'Filter', exact: true }).click()
	await form.getByLabelText('Column').selectOptions('country')
	await form.getByLabelText('Operator').selectOptions('is one of')
	await form.getByLabelText('Value').fill('NG\nAT\n')
	await form.getByRole('button', { name: 'Apply' }).click()
	await expect.poll(countries).toEqual(['AT', 'NG'])
})

test('a boolean offers its values, and a range of dates has two ends', async () => {
	const form = books.root.getByRole('form', { name: 'Filters' })
	await books.root.getByRole('button', { name: 'Filter', exact: true }).click()
	await form.getByLabelText('Column').selectOptions('in_print')
	await form.getByLabelText('Value').selectOptions('true')
	await form.getByRole('button', { name: 'Apply' }).click()
	await count('30 rows')
	await form.getByLabelText('Column').selectOptions('published')
	await form.getByLabelText('Operator').selectOptions('is between')
	await form.getByLabelText('From', { exact: true }).fill('2001-01-01')
	await form.getByLabelText('To', { exact: true }).fill('2003-12-31')
	await press('Enter')
	await books.root.getByRole('button', { name: 'Filter', exact: true }).click()
	await filterOf('published is between 2001-01-01 and 2003-12-31')
	await expect
		.poll(() => window.host.callsOf('grid.open').at(-1)?.query.filters)
		.toEqual([{ column: 'published', operator: 'between', values: ['2001-01-01', '2003-12-31'] }])
})

test('the bar closes, and its applied filter stays visible', async () => {
	const form = books.root.getByRole('form', { name: 'Filters' })
	const button = books.root.getByRole('button', { name: 'Filter', exact: true })
	await button.click()
	await form.getByLabelText('Column').selectOptions('country')
	await form.getByLabelText('Operator').selectOptions('equals')
	await form.getByLabelText('Value').fill('NG')
	await form.getByRole('button', { name: 'Apply' }).click()
	await expect.poll(countries).toEqual(['NG'])
	// The answer had new columns, and the bar still shows its filtered column.
	await expect.element(form.getByLabelText('Column', { exact: true })).toHaveValue('country')
	await button.click()
	await expect.element(form).not.toBeInTheDocument()
	await filterOf('country is NG')
	await chips().getByRole('button', { name: 'Remove country is NG' }).click()
	await count('60 rows')
})

test('filters without a match show a message, and a click removes them', async () => {
	await books.cell(1, 'country').click()
	await press('=')
	await filterOf('country is NG')
	await books.root.getByRole('searchbox', { name: 'Query' }).fill('nowhere')
	await press('Enter')
	await expect.element(books.root.getByText('No row matches.')).toBeVisible()
	await books.root.getByRole('searchbox', { name: 'Query' }).fill('')
	await chip('country is NG').click()
	await chips().getByRole('form', { name: 'Change country is NG' }).getByLabelText('Value').fill('XX')
	await press('Enter')
	await expect.element(books.root.getByText('No row matches.')).toBeVisible()
	await books.root.getByRole('button', { name: 'Clear the filters' }).click()
	await count('60 rows')
})

test('a filter can use a field below a column, or a key that the user enters', async () => {
	const filterFields = [
		{ name: 'labels.whole', kind: 'text' as const },
		{ name: 'labels.', kind: 'text' as const, takesKey: true },
	]
	const table = new FakeTable('books', { columns: { id: {}, labels: { filterFields } }, rows: [['1', 'a']] })
	window.host.answer(tableAnswers([table]))
	await books.more('Reload')
	await expect.poll(() => books.columns()).toContain('labels')
	const form = books.root.getByRole('form', { name: 'Filters' })
	await books.root.getByRole('button', { name: 'Filter', exact: true }).click()
	await form.getByLabelText('Column', { exact: true }).selectOptions('labels.<key>')
	await form.getByLabelText('Key').fill('team')
	await page.viewport(900, 820)
	await expect.poll(() => form.getByLabelText('Value').element().getBoundingClientRect().width).toBeGreaterThan(100)
	await page.viewport(1280, 820)
	await form.getByLabelText('Operator').selectOptions('equals')
	await form.getByLabelText('Value').fill('red')
	await form.getByRole('button', { name: 'Apply' }).click()
	const sent = () => window.host.callsOf('grid.open').at(-1)?.query.filters
	await expect.poll(sent).toEqual([{ column: 'labels.team', operator: 'equals', values: ['red'] }])
	await form.getByLabelText('Column', { exact: true }).selectOptions('labels.whole')
	await form.getByRole('button', { name: 'Apply' }).click()
	await expect.poll(sent).toEqual([{ column: 'labels.whole', operator: 'equals', values: ['red'] }])
})

test.for([
	['Has no value', 'in_print has no value', '15 rows'],
	['Has a value', 'in_print has a value', '45 rows'],
] as const)('the menu of a cell filters by its presence: %s', async ([name, condition, rows]) => {
	await books.cell(0, 'in_print').click({ button: 'right' })
	await chooseEntry(name)
	await filterOf(condition)
	await count(rows)
})

test('the menu of a cell copies its value as a filter in the language of the engine', async () => {
	const clipboard = new FakeClipboard()
	window.host.answer({ 'rows.filterText': ({ query }) => `country:${query.filters[0]?.values.join()}` })
	await books.cell(1, 'country').click({ button: 'right' })
	await chooseEntry('Copy as filter')
	await expect.poll(() => clipboard.text).toBe('country:NG')
	await expect.element(books.root.getByText('Copied country:NG')).toBeVisible()
})

test('a filter that the driver cannot write is not copied, and a message says so', async () => {
	const clipboard = new FakeClipboard()
	await books.cell(1, 'country').click({ button: 'right' })
	await chooseEntry('Copy as filter')
	await expect.element(books.root.getByText('This driver has no text for filters.')).toBeVisible()
	expect(clipboard.text).toBe('')
})

test('a filter has room for its value in a small window and at double size', async () => {
	await books.root.getByRole('toolbar').getByRole('button', { name: 'Filter', exact: true }).click()
	const value = books.root.getByLabelText('Value')
	for (const width of [800, 720]) {
		await page.viewport(width, 600)
		await expect.poll(() => value.query()?.getBoundingClientRect().width).toBeGreaterThan(85)
	}
	await page.viewport(1280, 820)
})

test('a failed query does not show the message for no matches', async () => {
	await books.root.getByRole('searchbox', { name: 'Query' }).fill('nowhere')
	await press('Enter')
	await expect.element(books.root.getByText('No row matches.')).toBeVisible()
	window.host.fail('grid.open', 'Syntax error at character 3')
	await books.root.getByRole('searchbox', { name: 'Query' }).fill('(((')
	await press('Enter')
	await expect.element(books.root.getByText('Syntax error at character 3')).toBeVisible()
	await expect.element(books.root.getByText('No row matches.')).not.toBeInTheDocument()
})

test('one filter and its buttons have one line', async () => {
	await books.root.getByRole('button', { name: 'Filter', exact: true }).click()
	await expect.element(books.root.getByRole('button', { name: 'Apply' })).toBeVisible()
	const middle = (part: string) => {
		const { top, height } = books.root.element().querySelector(part)?.getBoundingClientRect() ?? expect.unreachable()
		return top + height / 2
	}
	expect(Math.abs(middle('.filters > .filter') - middle('.filters-foot'))).toBeLessThan(2)
})
