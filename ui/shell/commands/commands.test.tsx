import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../../testing/books.ts'
import { ConsolePanel } from '../../testing/console-panel.ts'
import { consoleAnswers } from '../../testing/fake-console.ts'
import { FakeTable } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press, type } from '../../testing/keys.ts'

/** Every command has a name in the palette, and most have a shortcut. */

let window: FakeWindow
let books: TablePanel
let table: FakeTable

beforeEach(async () => {
	table = fakeBooks()
	const places = new FakeTable('places', { columns: { name: {} }, rows: [['Berlin']] })
	window = await openWindow({ tables: [table, places], answers: consoleAnswers() })
	books = await window.openTable('books')
	await books.cell(0, 'id').click()
	await expect.poll(focused).toBe('books')
})

const palette = () => page.getByRole('dialog', { name: 'Commands' })
const option = (name: string) => palette().getByRole('option', { name, exact: true })
const opener = () => page.getByRole('dialog', { name: 'Open' })
const firstOffered = () => opener().getByRole('option').first().query()?.textContent
const tabs = () =>
	page
		.getByRole('tab')
		.elements()
		.map(({ textContent }) => textContent?.trim())
const active = () => document.querySelector('[role=tab][aria-selected=true]')?.textContent?.trim()
const focused = () => {
	const element = document.activeElement
	return element?.getAttribute('aria-label') ?? element?.getAttribute('role') ?? element?.tagName
}

async function keys(...all: readonly string[]): Promise<void> {
	for (const key of all) await press(key)
}

/** Runs a command by its name. */
async function choose(title: string): Promise<void> {
	await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
	await press('ControlOrMeta+Shift+p')
	await palette().getByRole('combobox').fill(title)
	await press('Enter')
}

async function openPlaces(): Promise<void> {
	await window.openListedTable('places')
	await expect.poll(tabs).toEqual(['books', 'places'])
	await expect.poll(active).toBe('places')
}

test('Ctrl+P finds a column of any table, and opens the table', async () => {
	window.host.answer({
		'columns.find': ({ text }) => (text === 'nam' ? [{ table: 'places', name: 'name', type: 'text' }] : []),
		'tables.find': () => [],
	})
	await press('ControlOrMeta+p')
	await type('nam')
	await opener().getByRole('option', { name: 'name in places' }).click()
	await expect.poll(active).toBe('places')
	expect(window.host.callsOf('columns.find').map(({ text }) => text)).not.toContain('n')
})

test('Ctrl+P finds the tables of the connection in front, also if a reload restored its tab beside another', async () => {
	const other = { name: 'atlas' }
	window = await openWindow({
		tables: [table],
		others: [{ id: 'other', name: 'Other' }],
		answers: consoleAnswers(),
		records: {
			frontTab: 'console/other/1',
			'tab/c1/t': { place: { kind: 'console', connection: 'c1', number: 1 }, at: 1 },
			'tab/other/t': { place: { kind: 'console', connection: 'other', number: 1 }, at: 2 },
		},
	})
	window.host.answer({ 'tables.list': ({ connection }) => (connection === 'c1' ? [{ name: 'books' }] : [other]) })
	await page.getByRole('tab', { name: /Console.*Sample/ }).click()
	await expect.poll(active).toMatch(/Sample/)
	await press('ControlOrMeta+p')
	await type('books')
	await expect.element(opener().getByRole('option', { name: 'books' })).toBeVisible()
	expect(window.host.callsOf('connections.open').map(({ id }) => id)).toEqual(['other', 'c1'])
})

test('the palette finds a command by some of its letters, shows its shortcut, and returns the focus', async () => {
	await press('ControlOrMeta+Shift+p')
	await expect.element(option('Close tab Ctrl+W Ctrl+K W')).toBeInTheDocument()
	const height = () => palette().getByRole('combobox').element().getBoundingClientRect().height
	const besideLong = height()
	await type('nwcon')
	await expect.element(option('New console Ctrl+T Ctrl+K C')).toHaveAttribute('aria-selected', 'true')
	// A long list takes nothing of the field.
	expect(height()).toBe(besideLong)
	await press('Escape')
	await expect.element(palette()).not.toBeInTheDocument()
	await expect.poll(focused).toBe('books')
})

test('the palette lists the commands of the grid with their shortcuts, and none that does nothing now', async () => {
	await press('ControlOrMeta+Shift+p')
	for (const name of [
		'Edit the cell Enter F2',
		'Open the value Alt+Enter',
		'Copy Ctrl+C',
		'Copy as … Ctrl+Shift+C',
		'Paste Ctrl+V',
		'Fill down Ctrl+D',
		'Set null Alt+Delete Alt+Backspace',
		'Delete the rows Delete',
		'Go to row … Ctrl+G',
		'Go to the query Ctrl+L',
		'New row Insert',
		'Go to column … Ctrl+Shift+G',
		'Select whole rows Shift+Space',
		'Select all Ctrl+A',
		'Fit all columns',
	])
		await expect.element(option(name)).toBeInTheDocument()
	expect(option('Undo Ctrl+Z').elements()).toEqual([])
})

test('a command of the palette has the same effect as its key', async () => {
	await choose('Delete the rows')
	await books.isStaged(1)
	await press('ControlOrMeta+Shift+p')
	await expect.element(option('Restore the rows Delete')).toBeInTheDocument()
	await press('Escape')
	await choose('Undo')
	await expect.element(books.root.getByText('All changes are undone')).toBeVisible()
	await choose('Redo')
	await books.isStaged(1)
	await choose('Go to row')
	await expect.poll(focused).toBe('Go to row')
	await press('Escape')
	await expect.poll(focused).toBe('books')
})

test('a hidden column is found by some of its letters and shown again', async () => {
	await page.elementLocator(books.header('title')).click({ button: 'right' })
	await page.getByRole('menuitem', { name: 'Hide column', exact: true }).click()
	await expect.poll(() => books.columns()).not.toContain('title')
	await books.cell(0, 'id').click()
	await press('ControlOrMeta+Shift+g')
	const find = page.getByRole('dialog', { name: 'Go to column' })
	await expect.element(find.getByRole('combobox')).toBeVisible()
	await type('ttl')
	await expect.element(find.getByRole('option', { name: /^title\b/ })).toHaveAttribute('aria-selected', 'true')
	await press('Enter')
	await expect.poll(focused).toBe('books')
	await expect.poll(() => books.columns()).toContain('title')
	const index = Number(books.header('title').getAttribute('aria-colindex')) - 1
	await expect.poll(() => books.grid.element().getAttribute('aria-activedescendant')).toBe(`cell-0-${index}`)
})

test('the command that was used last is first', async () => {
	await choose('Theme: dark')
	await expect.poll(() => document.documentElement.style.colorScheme).toBe('dark')
	await press('F1')
	await expect.element(palette().getByRole('option').first()).toHaveTextContent('Theme: dark')
	await type('no such thing at all')
	await expect.element(palette().getByText('No command matches.')).toBeVisible()
	await press('Escape')
	await choose('Theme: same as the system')
})

test('a table is opened by some of its letters, and the last one is offered first', async () => {
	await press('ControlOrMeta+p')
	await type('plcs')
	await expect.element(opener().getByRole('option', { name: 'places Sample' })).toBeVisible()
	await press('Enter')
	await expect.poll(active).toBe('places')
	await press('ControlOrMeta+p')
	await expect.poll(firstOffered).toMatch(/^places/)
	await expect.element(opener().getByRole('option', { name: 'Sample Connection' })).toBeVisible()
	// Only the detail of tables matches. Each still shows its name.
	await type('sample')
	await expect.element(opener().getByRole('option', { name: 'books Sample' })).toBeVisible()
	await expect.poll(firstOffered).toMatch(/^Sample/)
})

test('keys switch, close and reopen tabs', async () => {
	await openPlaces()
	await press('Control+Shift+Tab')
	await expect.poll(active).toBe('books')
	await press('Control+Tab')
	await expect.poll(active).toBe('places')
	await press('ControlOrMeta+1')
	await expect.poll(active).toBe('books')
	await press('ControlOrMeta+w')
	await expect.poll(tabs).toEqual(['places'])
	await press('ControlOrMeta+Shift+t')
	await expect.poll(active).toBe('books')
})

test('shortcuts that a browser reserves have an alternative in two steps, and the window shows that it waits', async () => {
	await openPlaces()
	await press('ControlOrMeta+k')
	await expect.element(page.getByRole('status').filter({ hasText: 'Ctrl+K, and then?' })).toBeVisible()
	await press('ArrowRight')
	await expect.poll(active).toBe('books')
	await keys('ControlOrMeta+k', 'w')
	await expect.poll(tabs).toEqual(['places'])
	await keys('ControlOrMeta+k', 'r')
	await expect.poll(() => tabs().length).toBe(2)
	await keys('ControlOrMeta+k', '1', 'ControlOrMeta+k', 'o')
	await expect.poll(() => tabs().length).toBe(1)
})

test('a second key without a meaning has no effect', async () => {
	await keys('ControlOrMeta+k', 'Escape', 'w')
	await expect.poll(tabs).toEqual(['books'])
})

test('each press of its shortcut opens another console with a separate title and text', async () => {
	await press('ControlOrMeta+t')
	const [first, second] = [new ConsolePanel(), new ConsolePanel('Console 2')]
	await expect.element(first.editor).toBeVisible()
	await press('ControlOrMeta+t')
	await second.write('select 2')
	await press('ControlOrMeta+Shift+Tab')
	await expect.element(first.editor).toBeVisible()
	expect(first.text()).toBe('')
})

test('F6 cycles through the panes and returns to the first position', async () => {
	await press('F6')
	const first = focused()
	const seen = [first]
	for (let step = 0; step < 6; step++) {
		await press('F6')
		if (focused() === first) break
		seen.push(focused())
	}
	expect(seen).toContain('books')
	books.grid.element().focus()
	await keys('F6', 'Shift+F6')
	expect(focused()).toBe('books')
})

test('F5 reloads the table', async () => {
	await expect.element(books.root.getByText('60 rows', { exact: true })).toBeVisible()
	table.add([61, 'One more', 'AR', 1900, true, '2001-01-01T00:00:00.000Z', null])
	await press('F5')
	await expect.element(books.root.getByText('61 rows', { exact: true })).toBeVisible()
})

test('Ctrl+F finds in the rows, which leads to the query of all rows', async () => {
	await press('ControlOrMeta+f')
	await expect.poll(focused).toBe('Find in the loaded rows')
	await books.root.getByRole('button', { name: 'Search all rows' }).click()
	await expect.poll(focused).toBe('Query')
	// From there it belongs to the field that has the focus.
	await press('ControlOrMeta+f')
	expect(focused()).toBe('Query')
})

test('Ctrl+B folds and unfolds the sidebar', async () => {
	const tables = page.getByRole('list', { name: 'Tables' })
	await press('ControlOrMeta+b')
	await expect.element(tables).not.toBeInTheDocument()
	await press('ControlOrMeta+b')
	await expect.element(tables).toBeVisible()
})

test('Ctrl+L goes to the query, Escape stays there, and the arrow returns to the grid', async () => {
	await press('ControlOrMeta+l')
	await expect.poll(focused).toBe('Query')
	await type('x')
	await keys('Escape', 'Escape')
	expect(focused()).toBe('Query')
	await press('ArrowDown')
	await expect.poll(focused).toBe('books')
})

test('the toolbar of a grid is one tab stop, and arrows move in it', async () => {
	await press('ControlOrMeta+l')
	await expect.poll(focused).toBe('Query')
	for (const [key, expected] of [
		['Tab', 'Filter'],
		['ArrowRight', 'Filter by time'],
		['End', 'More'],
		['ArrowRight', 'Filter'],
		['ArrowLeft', 'More'],
		['Shift+Tab', 'Query'],
		['Tab', 'More'],
	] as const) {
		await press(key)
		expect(focused(), key).toBe(expected)
	}
	await press('Tab')
	expect(document.activeElement?.closest('[role=toolbar]')).toBeNull()
})

test('keys in a sheet do not reach the window behind it', async () => {
	await press('ControlOrMeta+,')
	await expect.element(page.getByRole('dialog', { name: 'Settings' })).toBeVisible()
	await keys('ControlOrMeta+w', 'ControlOrMeta+Shift+p')
	expect(palette().elements()).toEqual([])
	await press('Escape')
	await expect.poll(tabs).toEqual(['books'])
	await expect.poll(focused).toBe('books')
})

test('a list of many tables says how many it leaves out', async () => {
	const names = Array.from({ length: 130 }, (_, at) => `numbered_${at}`)
	window = await openWindow({ tables: names.map(name => new FakeTable(name, { columns: { id: {} }, rows: [] })) })
	await window.openConnection()
	await press('ControlOrMeta+p')
	await expect.element(opener().getByText(/^The first 120 of \d+\. Type more to find the others\.$/)).toBeVisible()
	await opener().getByRole('combobox').fill('numbered')
	await expect.element(opener().getByText('The first 120 of 130. Type more to find the others.')).toBeVisible()
	await opener().getByRole('combobox').fill('numbered_129')
	await expect.element(opener().getByText(/^The first/)).not.toBeInTheDocument()
})

test('the palette has the commands of the active tab before those of the window, each under its heading', async () => {
	// The page is that of the tests which follow.
	onTestFinished(() => void document.documentElement.style.removeProperty('color-scheme'))
	await choose('Theme: dark')
	await expect.element(palette()).not.toBeInTheDocument()
	await press('ControlOrMeta+Shift+p')
	const lines = () => (palette().getByRole('listbox').element() as HTMLElement).innerText.split('\n')
	await expect.poll(() => lines().slice(0, 3)).toEqual(['Last used', 'Theme: dark', 'This tab'])
	expect(lines().indexOf('Export')).toBeLessThan(lines().indexOf('Window'))
	expect(lines().indexOf('New connection')).toBeGreaterThan(lines().indexOf('Window'))
	await palette().getByRole('combobox').fill('export')
	await expect.poll(() => lines()).not.toContain('This tab')
})
