import type { Locator } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ArithmeticWindow } from '../support/arithmetic-window.ts'
import type { TablePanel } from '../support/window.ts'

/**
 * Common tasks in the grid by mouse. Keys are used only for texts: a value, a filter, a row number. A button or a click
 * then commits the text.
 */
describe('the grid by mouse only', () => {
	let window: ArithmeticWindow
	let table: TablePanel

	beforeAll(async () => {
		window = await ArithmeticWindow.open()
		await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
		table = await window.openTable('long')
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	const type = (text: string) => window.page.keyboard.type(text)
	const cell = (row: number, column: string) => table.cell(row, column)
	const text = async (row: number, column: string) => (await cell(row, column)).innerText()
	const says = (words: string | RegExp) => table.root.getByText(words, { exact: true }).waitFor()
	const rowNumber = (row: number) => table.root.locator(`[role=row][aria-rowindex="${row + 1}"] > [role=rowheader]`)
	const button = (name: string) => table.root.getByRole('button', { name, exact: true })
	const staged = (name: string) =>
		table.root.getByRole('toolbar', { name: 'Changes that are not saved' }).getByRole('button', { name })

	/** Chooses from the menu of a cell, a row's number or a header. */
	async function choose(of: Locator, name: string | RegExp): Promise<void> {
		await of.click({ button: 'right' })
		const entry = window.page.getByRole('menuitem', { name, exact: false })
		const more = window.page.getByRole('menuitem', { name: 'More', exact: true })
		await window.page.getByRole('menuitem').first().waitFor()
		if ((await entry.count()) === 0) await more.hover()
		await entry.click()
		await window.page.getByRole('menu').first().waitFor({ state: 'detached' })
	}

	/** Drags from the centre of one element to the centre of another. */
	async function draw(from: Locator, to: Locator): Promise<void> {
		await from.hover()
		await window.page.mouse.down()
		const box = await to.boundingBox()
		if (!box) throw new Error('There is nothing to draw to.')
		await window.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 5 })
		await window.page.mouse.up()
	}

	test('changes a cell, and undoes and redoes the change by the toolbar', async () => {
		await (await cell(0, 'n')).dblclick()
		await window.page.keyboard.press('ControlOrMeta+a')
		await type('77')
		await (await cell(3, 'c0')).click()
		await expect.poll(() => text(0, 'n')).toBe('77')
		// The click that ends the editing also selects that cell.
		await button('Row 4').waitFor()
		await staged('Undo').click()
		await expect.poll(() => text(0, 'n')).toBe('0')
		await staged('Redo').click()
		await expect.poll(() => text(0, 'n')).toBe('77')
		await staged('Discard').click()
		await table.nothingStaged()
	})

	test('moves to row 1,500,000 from the status line, and to row 2,000,000 from the menu', async () => {
		await button('Row 4').click()
		await type('1500000')
		await window.page.keyboard.press('Enter')
		await button('Row 1,500,000').waitFor()
		await expect.poll(() => text(1_499_999, 'n')).toBe('1499999')
		await choose(await cell(1_499_999, 'n'), 'Go to row')
		await type('2000000')
		await window.page.keyboard.press('Enter')
		await button('Row 2,000,000').waitFor()
		await expect.poll(() => text(1_999_999, 'n')).toBe('1999999')
		await choose(await cell(1_999_999, 'n'), 'Go to row')
		await type('1')
		await window.page.keyboard.press('Enter')
		await button('Row 1').waitFor()
	})

	test('an invalid value stays in its open editor, and a click elsewhere does not lose it', async () => {
		await (await cell(0, 'n')).dblclick()
		await window.page.keyboard.press('ControlOrMeta+a')
		await type('many')
		await (await cell(2, 'c0')).click()
		await table.root.getByText('This is', { exact: false }).waitFor()
		await button('Row 1').waitFor()
		await window.page.keyboard.press('ControlOrMeta+a')
		await type('0')
		await (await cell(2, 'c0')).click()
		await button('Row 3').waitFor()
		expect(await table.root.getByText('not saved').count()).toBe(0)
	})

	test('copies a block by dragging over it, and pastes it from the menu', async () => {
		await draw(await cell(0, 'n'), await cell(1, 'c0'))
		await says('4 cells')
		await choose(await cell(1, 'c0'), 'Copy as TSV')
		const clipboard = () => window.page.evaluate<string>('navigator.clipboard.readText()')
		await expect.poll(clipboard).toBe('0\tvalue 3 of row 0\n1\tvalue 3 of row 1')
		await choose(await cell(4, 'n'), /^Paste (?!as)/)
		await says('4 changes not saved')
		await expect.poll(() => text(5, 'c0')).toBe('value 3 of row 1')
		await staged('Undo').click()
		await says('All changes are undone')
	})

	test('fills a value down, sets it to null, and opens it in a sheet', async () => {
		await draw(await cell(0, 'n'), await cell(2, 'n'))
		await choose(await cell(1, 'n'), 'Fill down')
		await says('2 changes not saved')
		await choose(await cell(1, 'n'), 'Set null')
		await says('3 changes not saved')
		await staged('Undo').click()
		await staged('Undo').click()
		await choose(await cell(1, 'c0'), 'Open value')
		const sheet = window.page.getByRole('dialog', { name: 'c0' })
		await sheet.getByText('value 3 of row 1').waitFor()
		await sheet.getByRole('button', { name: 'Cancel' }).click()
		await sheet.waitFor({ state: 'detached' })
	})

	test('marks fifty rows for deletion by their numbers, and removes the marks', async () => {
		await rowNumber(1).click()
		await choose(await cell(0, 'n'), 'Go to row')
		await type('50')
		await window.page.keyboard.press('Enter')
		await button('Row 50').waitFor()
		const first = await rowNumber(50).boundingBox()
		const head = await table.header('id').boundingBox()
		if (!first || !head) throw new Error('The row and the header are in view.')
		await rowNumber(50).hover()
		await window.page.mouse.down()
		// While the pointer is above the edge, the table scrolls.
		await window.page.mouse.move(first.x + 5, head.y - 20, { steps: 5 })
		await says('350 cells')
		await window.page.mouse.up()
		await choose(rowNumber(3), 'Delete 50 rows')
		await says('50 changes not saved')
		await choose(rowNumber(3), 'Restore 50 rows')
		await table.nothingStaged()
	})

	test('sorts by two columns, with Shift for the second', async () => {
		const place = (name: string) => table.header(name).locator('.grid-header-place').innerText()
		await table.header('n').click()
		await table.header('c0').click({ modifiers: ['Shift'] })
		await expect.poll(() => place('n')).toBe('1')
		expect(await place('c0')).toBe('2')
		await choose(table.header('c0'), 'Remove from the sort')
		await choose(table.header('n'), 'Remove from the sort')
		await expect.poll(() => table.header('n').getAttribute('aria-sort')).toBe('none')
	})

	test('moves, pins, fits and widens a column, and unfolds columns with one value', async () => {
		const index = (name: string) => table.header(name).getAttribute('aria-colindex')
		const width = async (name: string) => (await table.header(name).boundingBox())?.width ?? 0
		const before = Number(await index('c0'))
		await draw(table.header('c0'), table.header('c1'))
		await expect.poll(() => index('c0')).toBe(String(before + 1))
		await choose(table.header('c0'), 'Pin to the left')
		await expect.poll(() => index('c0')).toBe('2')
		await choose(table.header('c0'), 'Unpin')
		await expect.poll(() => index('c0')).not.toBe('2')
		const wide = await width('c0')
		const edge = await table.header('c0').locator('.grid-resizer').boundingBox()
		if (!edge) throw new Error('A header has an edge.')
		await table.header('c0').locator('.grid-resizer').hover()
		await window.page.mouse.down()
		await window.page.mouse.move(edge.x + edge.width / 2 + 40, edge.y + 5, { steps: 4 })
		await window.page.mouse.up()
		await expect.poll(() => width('c0')).toBe(wide + 40)
		await table.header('c0').locator('.grid-resizer').dblclick()
		await expect.poll(() => width('c0')).toBeLessThan(wide + 40)
		await button('Hidden: 1 column with one value').click()
		await table.header('source').waitFor()
		await button('Shown: 1 column with one value').click()
		await table.header('source').waitFor({ state: 'detached' })
	})

	test('filters rows by a column from its header, and removes the filter', async () => {
		await choose(table.header('n'), 'Filter by this column')
		const value = table.root.getByLabel('Value')
		await expect.poll(() => value.evaluate(element => element.matches(':focus'))).toBe(true)
		await type('41')
		await button('Apply').click()
		await says('1 row')
		await button('Remove filter').click()
		await says('2,500,000 rows')
	})

	test('adds and saves a row, closes the tab and reopens it', async () => {
		await button('New row').click()
		const sheet = window.page.getByRole('dialog', { name: 'New row' })
		await sheet.getByLabel('id', { exact: true }).click()
		await type('mine')
		await sheet.getByRole('button', { name: 'Add', exact: true }).click()
		await says('1 change not saved')
		await table.save()
		await says('2,500,001 rows')
		await (await cell(0, 'n')).dblclick()
		await window.page.keyboard.press('ControlOrMeta+a')
		await type('5')
		await (await cell(2, 'n')).click()
		await table.save()
		const messages = window.page.getByRole('region', { name: 'Messages' })
		const saved = messages.getByRole('listitem').filter({ hasText: 'Saved 1 row.' })
		await saved.getByRole('button', { name: 'Undo' }).click()
		await expect.poll(() => text(0, 'n')).toBe('0')
		// The change is staged immediately and saved a moment later. A tab with staged changes asks before it closes.
		await table.nothingStaged()
		await window.page.getByRole('button', { name: 'Close long', exact: false }).click()
		await table.root.waitFor({ state: 'detached' })
		table = await window.openTable('long')
		await says('2,500,001 rows')
		expect(window.faults).toEqual([])
	})
})
