import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ArithmeticWindow } from '../support/arithmetic-window.ts'
import { TablePanel } from '../support/window.ts'

/** Common tasks in the grid without a mouse. Tests do not click; each step starts at the focus of the previous one. */
describe('the grid by keyboard only', () => {
	let window: ArithmeticWindow
	let table: TablePanel

	beforeAll(async () => {
		window = await ArithmeticWindow.open()
		table = new TablePanel(window.page.getByRole('tabpanel', { name: 'long' }))
		await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	const press = async (...keys: readonly string[]) => {
		for (const key of keys) await window.page.keyboard.press(key)
	}
	const type = (text: string) => window.page.keyboard.type(text)
	const cell = async (row: number, column: string) => (await table.cell(row, column)).innerText()
	const waitForText = (text: string | RegExp) => table.root.getByText(text, { exact: true }).waitFor()
	const focused = () => table.grid.getAttribute('aria-activedescendant')
	const hasFocus = () => table.grid.evaluate(element => element.matches(':focus'))
	const row = (number: string) => table.root.getByRole('button', { name: `Row ${number}`, exact: true }).waitFor()
	async function open(): Promise<void> {
		await press('ControlOrMeta+p')
		await window.page.getByRole('dialog').getByText('long', { exact: false }).first().waitFor()
		await type('long')
		await press('Enter')
		await table.root.getByRole('gridcell').first().waitFor()
		for (let tries = 0; tries < 6 && !(await hasFocus()); tries++) await press('F6')
		expect(await hasFocus()).toBe(true)
	}

	test('opens a table and moves through its rows: down, to the end, to row 1,500,000 and back', async () => {
		await open()
		await press('ArrowDown', 'ArrowDown', 'PageDown')
		await press('ControlOrMeta+End')
		await row('2,500,000')
		await press('ControlOrMeta+g')
		await type('1500000')
		await press('Enter')
		await row('1,500,000')
		expect(await hasFocus()).toBe(true)
		await expect.poll(() => cell(1_499_999, 'n')).toBe('1499999')
		await press('ControlOrMeta+Home')
		await row('1')
	})

	test('moves through the list of tables with the arrow keys, Home, End and letters; the list is a single tab stop', async () => {
		const lines = window.page.getByRole('list', { name: 'Series' }).getByRole('button')
		const stops = () => lines.evaluateAll(all => all.filter(one => one.tabIndex === 0).length)
		const at = () => window.page.evaluate('document.activeElement.textContent')
		const [first, second, last] = await Promise.all([0, 1, -1].map(index => lines.nth(index).innerText()))
		const isAt = async (text = '') => expect(text.startsWith(String(await at()).slice(0, 4))).toBe(true)
		expect(await stops()).toBe(1)
		await lines.first().focus()
		await press('End')
		await isAt(last)
		await press('Home', 'ArrowDown')
		await isAt(second)
		await press('ArrowUp')
		await isAt(first)
		await type('lon')
		await isAt('long')
		expect(await stops()).toBe(1)
		await press('F6')
	})

	test('changes a cell, undoes and redoes the change, and edits the cell again by F2', async () => {
		for (let tries = 0; tries < 6 && !(await hasFocus()); tries++) await press('F6')
		await press('ArrowRight')
		await type('77')
		await press('Enter')
		await expect.poll(() => cell(0, 'n')).toBe('77')
		await press('ControlOrMeta+z')
		await expect.poll(() => cell(0, 'n')).toBe('0')
		await press('ControlOrMeta+Shift+z')
		await expect.poll(() => cell(0, 'n')).toBe('77')
		await press('F2', 'End')
		await type('5')
		await press('Enter')
		await expect.poll(() => cell(1, 'n')).toMatch(/5$/)
		await press('ControlOrMeta+z', 'ControlOrMeta+z')
		await table.root.getByText('All changes are undone').waitFor()
	})

	test('copies and pastes a block, and undoes the whole paste', async () => {
		await press('ControlOrMeta+Home', 'ArrowRight', 'Shift+ArrowDown', 'Shift+ArrowRight')
		await waitForText('4 cells')
		await press('ControlOrMeta+c')
		const clipboard = () => window.page.evaluate<string>('navigator.clipboard.readText()')
		await expect.poll(clipboard).toBe('0\tvalue 3 of row 0\n1\tvalue 3 of row 1')
		await press('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'ControlOrMeta+v')
		await waitForText('Pasted 4 cells.')
		await waitForText('4 changes not saved')
		await press('ControlOrMeta+z')
		await table.root.getByText('All changes are undone').waitFor()
		// The message closes when the user undoes the changes that it describes.
		await table.root.getByText('Pasted 4 cells.').waitFor({ state: 'detached' })
	})

	test('fills a value down, marks fifty rows for deletion, and removes the marks', async () => {
		await press('ControlOrMeta+Home', 'ArrowRight', 'Shift+ArrowDown', 'Shift+ArrowDown', 'ControlOrMeta+d')
		await waitForText('2 changes not saved')
		await expect.poll(() => cell(2, 'n')).toBe('0')
		await press('ControlOrMeta+z', 'ControlOrMeta+Home')
		for (let step = 1; step < 50; step++) await press('Shift+ArrowDown')
		await press('Delete')
		await waitForText('50 changes not saved')
		await press('Delete')
		await table.nothingStaged()
	})

	test('selects rows, columns and the whole table', async () => {
		await press('ControlOrMeta+Home', 'Shift+Space')
		await waitForText('7 cells')
		await press('ControlOrMeta+Space')
		await waitForText('2,500,000 cells')
		await press('ControlOrMeta+a')
		await waitForText('17,500,000 cells')
	})

	test('sorts by two columns, moves a column and makes it wider', async () => {
		await press('ControlOrMeta+Home', 'ArrowRight', 'ArrowUp', 'Enter', 'ArrowRight', 'Shift+Enter')
		const place = (name: string) => table.header(name).locator('.grid-header-place').innerText()
		await expect.poll(() => place('n')).toBe('1')
		expect(await place('c0')).toBe('2')
		await press('Enter', 'Enter', 'Enter')
		const before = (await table.header('c0').boundingBox())?.width ?? 0
		await press('Alt+ArrowRight', 'Alt+Shift+ArrowRight')
		await expect.poll(() => table.header('c0').getAttribute('aria-colindex')).toBe('4')
		expect((await table.header('c0').boundingBox())?.width).toBe(before + 20)
		await press('Alt+ArrowLeft', 'ArrowDown')
		expect(await focused()).toBe('cell-0-2')
	})

	test('filters rows by a column from its header, and removes the filter', async () => {
		await press('ControlOrMeta+Home', 'ArrowRight', 'ArrowUp', 'Shift+F10')
		const item = window.page.getByRole('menuitem', { name: 'Filter by this column' })
		await item.waitFor()
		for (let step = 0; step < 8 && (await item.getAttribute('data-highlighted')) === null; step++)
			await press('ArrowDown')
		await press('Enter')
		const value = table.root.getByLabel('Value')
		await expect.poll(() => value.evaluate(element => element.matches(':focus'))).toBe(true)
		await type('41')
		await press('Enter')
		await waitForText('1 row')
		await press('Tab', 'Enter')
		await waitForText('2,500,000 rows')
	})

	test('adds and saves a row, closes the tab and reopens it', async () => {
		for (let tries = 0; tries < 6 && !(await hasFocus()); tries++) await press('F6')
		await press('Insert')
		const sheet = window.page.getByRole('dialog', { name: 'New row' })
		const key = sheet.getByLabel('id', { exact: true })
		await key.waitFor()
		for (let step = 0; step < 6 && !(await key.evaluate(element => element.matches(':focus'))); step++) {
			await press('Tab')
		}
		await type('mine')
		await press('Enter')
		await waitForText('1 change not saved')
		await expect.poll(hasFocus).toBe(true)
		await press('ControlOrMeta+Shift+s')
		await waitForText('2,500,001 rows')
		await press('ControlOrMeta+k', 'w')
		await table.root.waitFor({ state: 'detached' })
		await open()
		await waitForText('2,500,001 rows')
		expect(window.faults).toEqual([])
	})
})
