import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Cell } from '../../../host/api/api.ts'
import { FakeClipboard } from '../../testing/clipboard.ts'
import { FakeTable } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press, type } from '../../testing/keys.ts'

/** The editors of cells: choices, bytes, and values of which a page has a part. */

let window: FakeWindow
let customers: FakeTable
let table: TablePanel

const bytesOf = (...bytes: readonly number[]): Cell => ({ bytes: btoa(String.fromCharCode(...bytes)) })

/** Pages have the first 12 bytes and the first 10 characters. */
function cut(cell: Cell): Cell {
	if (typeof cell === 'string' && cell.length > 10) return { text: cell.slice(0, 10), cutFrom: cell.length }
	if (typeof cell !== 'object' || cell === null || !('bytes' in cell)) return cell
	const bytes = atob(cell.bytes)
	return bytes.length > 12 ? { bytes: btoa(bytes.slice(0, 12)), cutFrom: bytes.length } : cell
}

beforeEach(async () => {
	customers = new FakeTable('customers', {
		columns: {
			id: { kind: 'number' },
			state: { choices: ['new', 'paid', 'sent'], type: "enum('new','paid','sent','refused')" },
			photo: { kind: 'binary', type: 'bytea' },
			note: {},
			total: { kind: 'number' },
		},
		rows: [
			[1, 'new', bytesOf(0, 1, 255), 'x'.repeat(30), 5],
			[2, 'paid', bytesOf(...Array(20).fill(1)), 'short', 6],
		],
		onPage: cut,
	})
	window = await openWindow({ tables: [customers] })
	table = await window.openTable('customers')
})

const editor = (column: string) => table.root.getByLabelText(`Edit ${column}`)
const says = (text: string) => expect.element(table.root.getByText(text)).toBeVisible()

test('a column with choices is edited by choice', async () => {
	await table.cell(0, 'state').dblClick()
	const options = [...editor('state').element().querySelectorAll('option')]
	expect(options.map(({ textContent }) => textContent)).toEqual(['new', 'paid', 'sent'])
	await editor('state').selectOptions('sent')
	await press('Enter')
	await expect.poll(() => table.texts('state')).toEqual(['sent', 'paid'])
})

test('the button beside a long type stays in the editor', async () => {
	await table.cell(0, 'state').dblClick()
	await expect.element(editor('state')).toHaveFocus()
	const frame = editor('state').element().closest('.cell-editor')
	const button = frame?.querySelector('button')
	const right = (element: Element | null | undefined) => element?.getBoundingClientRect().right ?? 0
	expect(button?.textContent).toBe('Set null')
	expect(right(button)).toBeLessThanOrEqual(right(frame))
})

test('Enter in the open list takes its choice, Escape closes the list alone, and the next Enter ends the edit', async () => {
	await table.cell(0, 'state').dblClick()
	await expect.element(editor('state')).toHaveFocus()
	for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await press(key)
	await expect.element(editor('state')).toHaveValue('paid')
	for (const key of ['ArrowDown', 'ArrowDown', 'Escape']) await press(key)
	await expect.element(editor('state')).toHaveValue('paid')
	await expect.element(editor('state')).toHaveFocus()
	await press('Enter')
	await expect.poll(() => table.texts('state')[0]).toBe('paid')
})

test('a choice is found by typing, and a text that begins none is refused', async () => {
	await table.cell(0, 'state').click()
	await type('sentx')
	await says('This is no value: none begins with "sentx".')
	await press('Enter')
	await press('Backspace')
	await press('Enter')
	await expect.poll(() => table.texts('state')[0]).toBe('sent')
})

test('a letter that begins no choice is forgotten with the next one that does, and with a choice by arrows', async () => {
	await table.cell(1, 'state').click()
	await type('q')
	await says('This is no value: none begins with "q".')
	await type('n')
	await press('Enter')
	await expect.poll(() => table.texts('state')[1]).toBe('new')
	await table.cell(1, 'state').click()
	await type('q')
	// The first Enter takes the choice of the list, the second one ends the edit.
	for (const key of ['ArrowDown', 'Enter', 'Enter']) await press(key)
	await expect.element(editor('state')).not.toBeInTheDocument()
})

test('bytes are shown with their size, and open as hexadecimal', async () => {
	await expect.poll(() => table.texts('photo')[0]).toBe('3 bytes  00 01 ff')
	await table.cell(0, 'photo').click()
	await press('Alt+Enter')
	await expect.element(page.getByRole('dialog').getByText('bytea, 3 bytes in hexadecimal')).toBeVisible()
})

test('bytes are edited as hexadecimal, and other text is refused', async () => {
	await table.edit(0, 'photo', 'hello')
	await says('This is not hexadecimal')
	await press('Escape')
	await table.edit(0, 'photo', '0xCAFE')
	await table.save()
	await expect.poll(() => customers.value('["1"]', 'photo')).toEqual(bytesOf(0xca, 0xfe))
	await expect.poll(() => table.texts('photo')[0]).toBe('2 bytes  ca fe')
})

test('bytes that a page cuts are edited and copied whole', async () => {
	const clipboard = new FakeClipboard()
	const whole = Array(20).fill('01').join(' ')
	await expect.poll(() => table.texts('photo')[1]).toBe(`20 bytes  ${Array(12).fill('01').join(' ')}`)
	await table.cell(1, 'photo').dblClick()
	await expect.element(editor('photo')).toHaveValue(whole)
	await press('Escape')
	await table.cell(1, 'photo').click()
	await press('ControlOrMeta+c')
	await expect.poll(() => clipboard.text).toBe(whole)
})

test('a text that a page cuts is edited whole', async () => {
	await table.cell(0, 'note').dblClick()
	await expect.element(editor('note')).toHaveValue('x'.repeat(30))
	await press('End')
	await type('y')
	await press('Enter')
	await table.save()
	await expect.poll(() => customers.value('["1"]', 'note')).toBe(`${'x'.repeat(30)}y`)
})

test('a refused value is kept in its editor, and nothing is saved before it is changed', async () => {
	await table.edit(0, 'total', '17')
	await table.cell(1, 'total').click()
	await type('abc')
	await press('Enter')
	await says('This is not a number.')
	await table.root.getByRole('button', { name: 'Review and save' }).click()
	await expect.element(editor('total')).toHaveFocus()
	await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
	// Another order would put the editor over another row.
	await table.root.getByRole('columnheader', { name: 'note' }).click()
	await expect.element(editor('total')).toHaveFocus()
	expect(table.root.getByRole('columnheader', { name: 'note' }).element().getAttribute('aria-sort')).toBe('none')
	// The keys of the grid are for the open editor.
	table.grid.element().focus()
	await press('Escape')
	await expect.element(editor('total')).not.toBeInTheDocument()
	await table.isStaged(1)
})

test('a value for several columns is checked for each', async () => {
	await table.cell(0, 'total').click()
	await table.cell(1, 'state').click({ modifiers: ['Shift'] })
	await press('Enter')
	await editor('state').selectOptions('sent')
	await press('ControlOrMeta+Enter')
	await says('total was not changed: the value is not a number.')
})
