import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SampleWindow, TablePanel } from '../../support/window.ts'

/** The palette lists every command by name, with its shortcut. */
describe('commands', () => {
	let window: SampleWindow
	beforeAll(async () => {
		window = await SampleWindow.open()
		await window.openTable('books')
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	const press = async (...keys: readonly string[]) => {
		for (const key of keys) await window.page.keyboard.press(key)
	}
	const palette = () => window.page.getByRole('dialog', { name: 'Commands' })
	const opener = () => window.page.getByRole('dialog', { name: 'Open' })
	const tabs = () => window.page.getByRole('tab').allInnerTexts()
	const active = () => window.page.getByRole('tab', { selected: true }).innerText()
	const focused = () =>
		window.page.evaluate<string>(
			'document.activeElement.getAttribute("aria-label") ?? document.activeElement.getAttribute("role") ?? document.activeElement.tagName',
		)

	beforeEach(async () => {
		await window.page.getByRole('tab', { name: 'books' }).click()
		await window.page.getByRole('grid', { name: 'books' }).focus()
	})

	test('the palette finds a command by some of its letters, shows its shortcut, and returns the focus', async () => {
		await press('ControlOrMeta+Shift+p')
		await palette().getByRole('combobox', { name: 'Commands' }).waitFor()
		await palette().getByRole('option', { name: 'Close tab Ctrl+W Ctrl+K W' }).waitFor()
		await window.page.keyboard.type('nwcon')
		await palette().getByRole('option', { name: 'New console', selected: true }).waitFor()
		await press('Escape')
		await palette().waitFor({ state: 'detached' })
		await expect.poll(focused).toBe('books')
	})

	test('the palette lists commands of the grid, which have the same effect as their keys', async () => {
		await press('ControlOrMeta+Shift+p')
		const all = [
			...[
				'Edit the cell Enter F2',
				'Open the value Alt+Enter',
				'Copy Ctrl+C',
				'Copy as … Ctrl+Shift+C',
				'Paste Ctrl+V',
			],
			...[
				'Fill down Ctrl+D',
				'Set null Alt+Delete Alt+Backspace',
				'Delete or restore the documents Delete',
				'Go to row … Ctrl+G',
			],
			...['Go to the query Ctrl+L', 'New document Insert', 'Go to column … Ctrl+Shift+G'],
			...['Select whole rows Shift+Space', 'Select all Ctrl+A', 'Fit all columns'],
		]
		for (const name of all) await palette().getByRole('option', { name, exact: true }).waitFor()
		expect(await palette().getByRole('option', { name: 'Undo' }).count()).toBe(0)
		await press('Escape')
		const choose = async (title: string) => {
			await palette().waitFor({ state: 'detached' })
			await press('ControlOrMeta+Shift+p')
			await palette().getByRole('combobox').fill(title)
			await press('Enter')
		}
		const books = window.page.getByRole('tabpanel', { name: 'books' })
		await choose('Delete or restore the documents')
		await books.getByText('1 change not saved').waitFor()
		await choose('Undo')
		await books.getByText('All changes are undone').waitFor()
		await choose('Redo')
		await books.getByText('1 change not saved').waitFor()
		await choose('Delete or restore the documents')
		await books.getByText('not saved').waitFor({ state: 'detached' })
		await choose('Go to row')
		await expect.poll(focused).toBe('Go to row')
		await press('Escape')
		await expect.poll(focused).toBe('books')
	})

	test('a column is found by some of its letters, and a hidden one is shown again', async () => {
		const books = new TablePanel(window.page.getByRole('tabpanel', { name: 'books' }))
		const find = window.page.getByRole('dialog', { name: 'Go to column' })
		await books.header('title').click({ button: 'right' })
		await window.page.getByRole('menuitem', { name: 'Hide', exact: true }).click()
		await books.header('title').waitFor({ state: 'detached' })
		await books.grid.focus()
		await press('ControlOrMeta+Shift+g')
		await find.getByRole('combobox').waitFor()
		await window.page.keyboard.type('ttl')
		await find.getByRole('option', { name: /^title\b/, selected: true }).waitFor()
		await press('Enter')
		await expect.poll(focused).toBe('books')
		const column = await books.header('title').getAttribute('aria-colindex')
		await expect.poll(() => books.root.locator('.grid-cell.current').getAttribute('aria-colindex')).toBe(column)
	})

	test('the command that was used last is first', async () => {
		await press('ControlOrMeta+Shift+p')
		await window.page.keyboard.type('Theme: dark')
		await press('Enter')
		await expect.poll(() => window.page.evaluate<string>('document.documentElement.style.colorScheme')).toBe('dark')
		await press('F1')
		expect(await palette().getByRole('option').first().innerText()).toBe('Theme: dark')
		await window.page.keyboard.type('no such thing at all')
		await palette().getByText('No command matches.').waitFor()
		await press('Escape')
	})

	test('a table is opened by some of its letters, and a connection by its name', async () => {
		await press('ControlOrMeta+p')
		await window.page.keyboard.type('plcs')
		await opener().getByRole('option', { name: 'places Sample' }).waitFor()
		await press('Enter')
		await window.page.getByRole('tabpanel', { name: 'places' }).getByRole('gridcell').first().waitFor()
		await press('ControlOrMeta+p')
		await opener().getByRole('option', { name: 'Sample Connection' }).waitFor()
		// Only the detail of tables matches. Each still shows its name.
		await window.page.keyboard.type('sample')
		await opener().getByRole('option', { name: 'books Sample' }).waitFor()
		expect(await opener().getByRole('option').first().innerText()).toMatch(/^Sample/)
		await opener().getByRole('combobox').fill('')
		// The last one that was opened here is first.
		expect(await opener().getByRole('option').first().innerText()).toContain('places')
		await press('Escape')
	})

	test('keys switch, close and reopen tabs', async () => {
		expect(await tabs()).toEqual(['books', 'places'])
		await press('Control+Tab')
		expect(await active()).toBe('places')
		await press('Control+Shift+Tab')
		expect(await active()).toBe('books')
		await press('ControlOrMeta+2')
		expect(await active()).toBe('places')
		await press('ControlOrMeta+w')
		expect(await tabs()).toEqual(['books'])
		await press('ControlOrMeta+Shift+t')
		expect(await active()).toBe('places')
	})

	test('shortcuts that a browser reserves have an alternative in two steps, and the window shows that it waits', async () => {
		await press('ControlOrMeta+k')
		await window.page.getByRole('status').filter({ hasText: 'Ctrl+K, and then?' }).waitFor()
		await press('ArrowRight')
		expect(await active()).toBe('places')
		await press('ControlOrMeta+k', 'w')
		expect(await tabs()).toEqual(['books'])
		await press('ControlOrMeta+k', 'r')
		expect(await tabs()).toEqual(['books', 'places'])
		await press('ControlOrMeta+k', '1', 'ControlOrMeta+k', 'o')
		expect(await tabs()).toEqual(['books'])
		// A second key without a meaning has no effect.
		await press('ControlOrMeta+k', 'Escape', 'w')
		expect(await tabs()).toEqual(['books'])
		await press('Escape')
	})

	test('each press of its shortcut opens another console with a separate title', async () => {
		await press('ControlOrMeta+t')
		await window.page.getByRole('tabpanel', { name: 'Console', exact: true }).waitFor()
		await press('ControlOrMeta+t')
		await window.page.getByRole('tabpanel', { name: 'Console 2' }).waitFor()
		await window.page.keyboard.insertText('GET /_cat/indices')
		await press('ControlOrMeta+Shift+Tab')
		expect(await window.page.getByRole('tabpanel', { name: 'Console', exact: true }).getByText('_cat').count()).toBe(0)
		await press('ControlOrMeta+k', 'w', 'ControlOrMeta+k', 'w')
	})

	test('F6 cycles through the panes and returns to the first position', async () => {
		await press('F6')
		const first = await focused()
		const seen = [first]
		for (let step = 0; step < 6; step++) {
			await press('F6')
			const next = await focused()
			if (next === first) break
			seen.push(next)
		}
		expect(seen).toContain('books')
		await press('Shift+F6')
		await window.page.getByRole('grid', { name: 'books' }).focus()
		await press('F6', 'Shift+F6')
		expect(await focused()).toBe('books')
	})

	test('F5 reloads the table, Ctrl+F finds in its rows, Ctrl+B folds the sidebar', async () => {
		const panel = window.page.getByRole('tabpanel', { name: 'books' })
		await panel.getByText(/^3,0\d\d documents$/).waitFor()
		await window.cluster('/books/_doc/one-more?refresh=true', { method: 'PUT', body: { title: 'One more' } })
		const before = await panel.getByText(/^3,0\d\d documents$/).innerText()
		await press('F5')
		await expect.poll(() => panel.getByText(/^3,0\d\d documents$/).innerText()).not.toBe(before)
		await press('ControlOrMeta+f')
		expect(await focused()).toBe('Find in the loaded documents')
		await panel.getByRole('button', { name: 'Search all documents' }).click()
		expect(await focused()).toBe('Query')
		// From there it belongs to the field that has the focus.
		await press('ControlOrMeta+f')
		expect(await focused()).toBe('Query')
		await panel.getByRole('button', { name: 'Close the search' }).click()
		await press('ControlOrMeta+b')
		await window.page.getByRole('navigation', { name: 'Connections' }).waitFor({ state: 'hidden' })
		await press('ControlOrMeta+b')
		await window.page.getByRole('navigation', { name: 'Connections' }).waitFor()
		expect(window.faults).toEqual([])
	})

	test('Ctrl+L goes to the query, Escape stays there, and the arrow returns to the grid', async () => {
		await press('ControlOrMeta+l')
		expect(await focused()).toBe('Query')
		await window.page.keyboard.type('x')
		await press('Escape', 'Escape')
		expect(await focused()).toBe('Query')
		await press('ArrowDown')
		await expect.poll(focused).toBe('books')
		await press('ControlOrMeta+l', 'ControlOrMeta+a', 'Delete', 'Escape', 'ArrowDown')
		await expect.poll(focused).toBe('books')
	})

	test('the toolbar of a grid is one tab stop, and arrows move in it', async () => {
		await press('ControlOrMeta+l', 'Tab')
		expect(await focused()).toBe('Filter')
		await press('ArrowRight')
		expect(await focused()).toBe('New document')
		await press('End')
		expect(await focused()).toBe('Document')
		await press('ArrowRight')
		expect(await focused()).toBe('Filter')
		await press('ArrowLeft')
		expect(await focused()).toBe('Document')
		await press('Shift+Tab')
		expect(await focused()).toBe('Query')
		await press('Tab')
		expect(await focused()).toBe('Document')
		await press('Tab')
		expect(await window.page.evaluate('document.activeElement.closest("[role=toolbar]")')).toBe(null)
	})

	test('keys in a sheet do not reach the window behind it', async () => {
		await press('ControlOrMeta+,')
		await window.page.getByRole('dialog', { name: 'Settings' }).waitFor()
		await press('ControlOrMeta+w', 'ControlOrMeta+Shift+p')
		expect(await palette().count()).toBe(0)
		await press('Escape')
		await expect.poll(tabs).toEqual(['books'])
		// The previous element has the focus again.
		await expect.poll(focused).toBe('books')
	})
})
