import { expect, test } from 'vitest'
import type { Cell, Column } from '../../../host/api/api.ts'
import { parseTsv } from '../../cells/parse-tsv.ts'
import { pasteBlock } from './paste.ts'

const column = (name: string, kind: Column['kind'], isReadOnly = false): Column => ({
	name,
	type: kind,
	kind,
	isKey: false,
	isReadOnly,
	isSortable: true,
})
const places = [column('id', 'text', true), column('name', 'text'), column('price', 'number')].map((column, index) => ({
	column,
	index,
}))
const missing: Cell = { missing: true }
const rows = ['a', 'b'].map(id => ({ id, cells: [id, 'old', 1] }))
const paste = (texts: readonly (readonly string[])[], cells?: Parameters<typeof pasteBlock>[0]['cells']) =>
	pasteBlock({ texts, cells }, { rows, places, canChange: (_, { column }) => !column.isReadOnly })

test('a block of a spreadsheet is parsed with its quoted tabs, line ends and quotes', () => {
	expect(parseTsv('a\tb\r\n1\t2\r\n')).toEqual([
		['a', 'b'],
		['1', '2'],
	])
	expect(parseTsv('"two\nlines"\t"a ""b"""\t"open\tx')).toEqual([['two\nlines', 'a "b"', '"open', 'x']])
	expect(parseTsv('\t\n\t')).toEqual([
		['', ''],
		['', ''],
	])
	expect(parseTsv('')).toEqual([['']])
})

test('a quoted text of any length is one field', () => {
	const long = 'line "one"\n'.repeat(1_000_000)
	expect(parseTsv(`"${long.replaceAll('"', '""')}"\tx`)).toEqual([[long, 'x']])
})

test('fitting cells are staged with every digit, and others are counted with their reason', () => {
	const { changes, message } = paste([
		['x', 'new', '90071992547409931'],
		['y', '', '12,5', 'over'],
		['z', 'new', '1'],
	])
	expect(changes.map(({ row, column, after }) => [row.id, column.name, after])).toEqual([
		['a', 'name', 'new'],
		['a', 'price', { number: '90071992547409931' }],
		['b', 'name', ''],
		['b', 'price', '12,5'],
	])
	expect(message).toBe(
		'Pasted 3 of 10 cells: 2 are in id, which cannot be changed here; 1 is not a number (price), in row 2; ' +
			'1 is past the last column; 3 are past the last row.',
	)
})

test('booleans of spreadsheets are pasted, and others are counted', () => {
	const places = [{ column: column('flag', 'boolean'), index: 0 }]
	const texts = ['TRUE', 'f', '1', 'yes', 'oui', '2']
	const rows = texts.map(id => ({ id, cells: [missing] }))
	const { changes, message } = pasteBlock({ texts: texts.map(text => [text]) }, { rows, places, canChange: () => true })
	// A text that does not fit stays in its cell.
	expect(changes.map(({ after }) => after)).toEqual([true, false, true, true, 'oui', '2'])
	expect(message).toBe('Pasted 4 of 6 cells: 2 are not true or false (flag), first in row 5.')
})

test('a paste takes what typing takes: no other value of an enumeration, and no null where a column takes none', () => {
	const places = [
		{ column: { ...column('state', 'text'), choices: ['new', 'paid'] }, index: 0 },
		{ column: { ...column('total', 'number'), isNotNull: true }, index: 1 },
	]
	const into = (texts: readonly string[], id = 'a') =>
		pasteBlock({ texts: [texts] }, { rows: [{ id, cells: [missing, missing] }], places, canChange: () => true })
	expect(into(['paid', '2']).changes.map(({ after }) => after)).toEqual(['paid', 2])
	expect(into(['sent', '']).message).toBe(
		'Pasted 0 of 2 cells: 1 is none of the values that the column takes (state), in row 1; 1 is null, which the column does not take (total), in row 1.',
	)
	expect(into(['new', ''], 'new 00000000-0000-4000-8000-000000000000').message).toBe('Pasted 2 cells.')
})

test('in a new row an empty field is left out, and a null or an empty text that was copied here is taken', () => {
	const id = 'new 00000000-0000-4000-8000-000000000000'
	const into = (texts: readonly string[], cells?: readonly Cell[]) =>
		pasteBlock(
			{ texts: [texts], cells: cells && [cells] },
			{ rows: [{ id, cells: [missing, missing, missing] }], places, canChange: () => true },
		)
	const { changes, message } = into(['c', '', ''])
	expect(changes.map(({ column, after }) => [column.name, after])).toEqual([['id', 'c']])
	expect(message).toBe('Pasted 3 cells.')
	expect(into(['c', '', ''], ['c', '', null]).changes.map(({ after }) => after)).toEqual(['c', '', null])
})

test('a null that was copied here is pasted as null, and an empty field is not a number', () => {
	const { changes, message } = paste([['', '', '']], [['a', null, null]])
	expect(changes.map(({ after }) => after)).toEqual([null, null])
	expect(message).toContain('Pasted 2 of 3 cells')
	expect(paste([['', '', '']]).changes.map(({ after }) => after)).toEqual(['', null])
})
