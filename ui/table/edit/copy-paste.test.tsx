import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { FakeClipboard } from '../../testing/clipboard.ts'
import { FakeTable } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press } from '../../testing/keys.ts'

/** Copying uses exactly the selection, and a pasted block of a spreadsheet is staged cell by cell. */

let window: FakeWindow
let clipboard: FakeClipboard
let small: FakeTable
let table: TablePanel

beforeEach(async () => {
	clipboard = new FakeClipboard()
	small = new FakeTable('small', {
		columns: { id: { isReadOnly: 'after_insert' }, n: { kind: 'number' }, c0: {}, c1: { kind: 'number' } },
		rows: Array.from({ length: 60 }, (_, row) => [`r${row}`, row, `text ${row}`, 100 + row]),
	})
	const lines = new FakeTable('lines', {
		columns: { id: {}, from: {}, to: {} },
		rows: [
			['1', 'one\r\ntwo', 'first'],
			['2', null, 'second'],
		],
	})
	const blank = new FakeTable('blank', { columns: { id: { generated: 'default' }, title: {} }, rows: [] })
	window = await openWindow({ tables: [small, lines, blank] })
	table = await window.openTable('small')
})

const status = (text: string) =>
	expect
		.element(
			page.elementLocator(table.root.element().querySelector('.grid-status') ?? expect.unreachable()).getByText(text),
		)
		.toBeVisible()
const says = (text: string) => expect.element(table.root.getByText(text)).toBeVisible()

/** Selects from one cell to another. */
async function select(from: readonly [number, string], to: readonly [number, string]): Promise<void> {
	await table.cell(...from).click()
	await table.cell(...to).click({ modifiers: ['Shift'] })
}
async function pasteAt(row: number, column: string, text: string): Promise<void> {
	await table.cell(row, column).click()
	clipboard.paste(text)
}

test('a block is copied as text and as a table, without other cells', async () => {
	await select([1, 'n'], [2, 'c1'])
	await status('6 cells')
	await press('ControlOrMeta+c')
	await expect.poll(() => clipboard.text).toBe('1\ttext 1\t101\n2\ttext 2\t102')
	expect(clipboard.html.replaceAll(/<td[^>]*>/g, '<td>')).toContain('<td>1</td><td>text 1</td><td>101</td>')
	expect(getSelection()?.toString()).toBe('')
	expect(table.root.element().querySelectorAll('.grid-cell.selected')).toHaveLength(6)
})

test('Shift with an arrow key extends the selection, and keys select whole rows, columns and the table', async () => {
	await table.cell(3, 'n').click()
	await press('Shift+ArrowRight')
	await press('Shift+ArrowDown')
	await status('4 cells')
	await press('Shift+Space')
	await status('8 cells')
	await table.cell(0, 'n').click()
	await press('ControlOrMeta+Space')
	await status('60 cells')
	await press('ControlOrMeta+c')
	await expect.poll(() => clipboard.text.split('\n')).toEqual(Array.from({ length: 60 }, (_, n) => `${n}`))
	await press('ControlOrMeta+a')
	await status('240 cells')
})

test('clicks on the numbers of rows select whole rows', async () => {
	const number = (row: number) => {
		const head = table.root.element().querySelector(`[role=row][aria-rowindex="${row + 2}"] > [role=rowheader]`)
		return page.elementLocator(head ?? expect.unreachable())
	}
	await number(2).click()
	await number(4).click({ modifiers: ['Shift'] })
	await status('12 cells')
})

test('a block is copied in another format, with or without names', async () => {
	const sheet = page.getByRole('dialog', { name: 'Copy 4 cells' })
	await select([0, 'id'], [1, 'n'])
	await press('ControlOrMeta+Shift+c')
	await sheet.getByLabelText('CSV').click()
	await sheet.getByRole('button', { name: 'Copy' }).click()
	await expect.poll(() => clipboard.text).toBe('id,n\r\nr0,0\r\nr1,1')
	await expect.element(sheet).not.toBeInTheDocument()
	await press('ControlOrMeta+Shift+c')
	await sheet.getByLabelText('CSV').click()
	await sheet.getByLabelText('With column names').click()
	await sheet.getByRole('button', { name: 'Copy' }).click()
	await expect.poll(() => clipboard.text).toBe('r0,0\r\nr1,1')
})

test('a format that is chosen stays on the line of the others', async () => {
	await select([0, 'id'], [1, 'n'])
	await press('ControlOrMeta+Shift+c')
	const top = (format: string) =>
		page.getByRole('radio', { name: format, exact: true }).element().getBoundingClientRect().top
	await expect.element(page.getByRole('radio', { name: 'TSV' })).toBeChecked()
	expect(top('TSV')).toBe(top('CSV'))
})

test('a block is staged as one step, keeps every digit, and a message counts the cells that do not fit', async () => {
	await pasteAt(1, 'n', '90071992547409931\tnew\t12\n5\t"two\nlines"\t12,5')
	await says('Pasted 5 of 6 cells: 1 is not a number (c1), in row 2.')
	await table.isStaged(6)
	await expect.poll(() => table.texts('n')[1]).toBe('90071992547409931')
	await expect.poll(() => table.texts('c0')[2]).toBe('two lines')
	await press('ControlOrMeta+z')
	await expect.poll(() => table.texts('n')[1]).toBe('1')
	await press('ControlOrMeta+Shift+z')
	await table.isStaged(6)
})

test('a pasted text that its column does not take stays marked in its cell, and nothing is saved until it fits', async () => {
	await pasteAt(1, 'c1', '12,5')
	await expect.poll(() => table.texts('c1')[1]).toBe('12,5')
	await table.root.getByRole('button', { name: 'Review and save' }).click()
	await expect.element(page.getByText('"12,5" is not a number. Nothing is saved until it fits.')).toBeVisible()
	expect(page.getByRole('dialog').elements()).toEqual([])
	await table.edit(1, 'c1', '12.5')
	await table.save()
	await table.isStaged(0)
	await expect.poll(() => table.texts('c1')[1]).toBe('12.5')
})

test('a block longer than the table adds new rows as one step, except what a column does not take', async () => {
	await table.cell(0, 'id').click()
	await press('ControlOrMeta+End')
	await press('Home')
	await press('ArrowUp')
	clipboard.paste('x\t1\ny\t2\nz\t3')
	await says('Pasted 4 of 6 cells: 2 are in id, which cannot be changed here. Added 1 new row at the top.')
	await press('ControlOrMeta+z')
	await table.isStaged(0)
})

test('a block with too many new rows is refused, and nothing is staged', async () => {
	await table.cell(0, 'id').click()
	await press('ControlOrMeta+End')
	clipboard.paste(Array.from({ length: 1002 }, (_, n) => `x\t${n}`).join('\n'))
	await says('1,001 new rows are pasted, and at most 1,000 can be added at once.')
	await table.isStaged(0)
})

test('a block is filled with one value, or with its first row', async () => {
	await select([1, 'c0'], [4, 'c0'])
	clipboard.paste('same')
	await table.isStaged(4)
	await expect.poll(() => table.texts('c0')[4]).toBe('same')
	await press('ControlOrMeta+z')
	await select([1, 'c0'], [4, 'c1'])
	await press('ControlOrMeta+d')
	await table.isStaged(6)
	await expect.poll(() => table.texts('c1')[4]).toBe('101')
})

test('a block that is pasted as new rows is typed by column, and its first line may name the columns', async () => {
	await table.cell(0, 'id').click()
	clipboard.text = 'N\tC0\tID\n7\tseventh\tk7\nx\tlast\tk8'
	await press('ControlOrMeta+Shift+v')
	await says(
		'Pasted 5 of 6 cells: 1 is not a number (n), in row 2. The first line was read as columns. Added 2 new rows at the top.',
	)
	// The text that does not fit is replaced.
	await table.edit(1, 'n', '8')
	await table.save()
	await expect.poll(() => small.size).toBe(62)
	expect([small.value('["k7"]', 'n'), small.value('["k8"]', 'c0')]).toEqual([7, 'last'])
})

test('lines with commas whose first line names columns are new rows', async () => {
	await table.cell(0, 'id').click()
	clipboard.text = 'id,c0\nk9,"ninth, of commas"'
	await press('ControlOrMeta+Shift+v')
	await says('The first line was read as columns. Added 1 new row at the top.')
	await expect.poll(() => table.texts('c0')[0]).toBe('ninth, of commas')
})

test('objects of JSON are new rows by the names of their members', async () => {
	await table.cell(0, 'id').click()
	clipboard.text = '{"id":"j1","n":9007199254740993}\n{"id":"j2","c0":"twelfth"}'
	await press('ControlOrMeta+Shift+v')
	await says('Added 2 new rows at the top.')
	await table.save()
	await expect.poll(() => small.value('["j1"]', 'n')).toEqual({ number: '9007199254740993' })
})

test('objects of JSON are not pasted into one cell, but offered as new rows', async () => {
	await pasteAt(0, 'n', '{"id":"j3","c0":"fourteenth"}')
	await expect.element(page.getByText('Not pasted into the cell: 1 JSON object.')).toBeVisible()
	await page.getByRole('button', { name: 'Paste as new rows' }).click()
	await says('Added 1 new row at the top.')
})

test('text that was copied in the grid is pasted unchanged, with line ends and an empty last cell', async () => {
	table = await window.openTable('lines')
	await select([0, 'from'], [1, 'from'])
	await press('ControlOrMeta+c')
	await expect.poll(() => clipboard.text).toBe('"one\r\ntwo"\n')
	await table.cell(0, 'to').click()
	clipboard.paste()
	await says('Pasted 2 cells.')
	await expect.poll(() => table.texts('to')[1]).toBe('null')
	await table.isStaged(2)
})

test('a block fills an empty table', async () => {
	await page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'blank' }).click()
	const blank = page.getByRole('tabpanel', { name: 'blank' })
	await expect.element(blank.getByText('This table has no rows.')).toBeVisible()
	const grid = blank.getByRole('grid').element()
	grid.focus()
	await press('End')
	clipboard.paste('one\ntwo')
	await expect.element(blank.getByText('Pasted 2 cells. Added 2 new rows at the top.')).toBeVisible()
})

test('a selection that is dragged past the edge scrolls the table', async () => {
	const cell = table.cell(0, 'id').element()
	const { bottom, left } = table.grid.element().getBoundingClientRect()
	cell.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, buttons: 1 }))
	dispatchEvent(new MouseEvent('mousemove', { buttons: 1, clientX: left + 80, clientY: bottom + 60 }))
	await expect.element(table.root.getByText('60 cells', { exact: true })).toBeVisible()
	dispatchEvent(new MouseEvent('mouseup'))
})
