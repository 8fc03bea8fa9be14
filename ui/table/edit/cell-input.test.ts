import { readInput } from '@roundhouse/kit/cell-input'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cell, Column } from '../../../host/api/api.ts'
import { editText } from '../../cells/edit-text.ts'
import { editorKind, newValue, readCell } from './cell-input.ts'

const column = (kind: Column['kind']): Column => ({
	name: 'x',
	type: kind,
	kind,
	isKey: false,
	isReadOnly: false,
	isSortable: true,
})
const digits = fc.stringMatching(/^-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,20})?$/)

test('a number that is opened and committed keeps its digits', () => {
	fc.assert(
		fc.property(digits, text => {
			const typed = readInput('number', text)
			if (!('cell' in typed)) throw new Error(`refused ${text}`)
			expect(editText('number', typed.cell)).toBe(text)
		}),
	)
})

test('JSON that is opened and committed does not change', () => {
	fc.assert(
		fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), value => {
			const cell: Cell = { json: JSON.stringify(value) }
			expect(readInput('json', editText('json', cell))).toEqual({ cell })
		}),
	)
})

test('a text of JSON keeps its quotes, without which an engine would read it as JSON', () => {
	expect(readInput('json', ' "x" ')).toEqual({ cell: { json: '"x"' } })
	expect(readInput('json', '1.10')).toEqual({ cell: { number: '1.10' } })
	expect(readInput('json', 'null')).toEqual({ cell: { json: 'null' } })
})

test('a value of another kind is refused with a message, and never coerced', () => {
	expect(readInput('number', '12,5')).toEqual({ fault: 'not a number' })
	expect(readInput('number', '')).toEqual({ fault: 'not a number' })
	expect(readInput('boolean', 'o')).toEqual({ fault: 'not true or false' })
	expect(readInput('json', '{')).toEqual({ fault: expect.stringMatching(/^not JSON: /) })
})

test('NaN and the infinities are numbers of columns that take them', () => {
	const float = { ...column('number'), takesNonFinite: true }
	for (const [text, cell] of [
		['NaN', 'NaN'],
		[' inf ', 'Infinity'],
		['+Infinity', 'Infinity'],
		['-INF', '-Infinity'],
		['1.10', { number: '1.10' }],
	] as const)
		expect(readCell(float, 1, text)).toEqual({ cell })
	expect(readCell(float, 1, 'infinite')).toEqual({ fault: 'not a number' })
	expect(readCell(column('number'), 1, 'NaN')).toEqual({ fault: 'not a number' })
})

test('text stays text, even if it looks like another kind', () => {
	for (const text of ['[1]', '007', 'null', ' x ']) expect(readInput('line', text)).toEqual({ cell: text })
})

test('an array in a text field is edited as JSON, a cut one as its shown text', () => {
	expect(editorKind(column('text'), { json: '["a"]' })).toBe('json')
	expect(editorKind(column('json'), { json: '["a...', cutFrom: 20_000 })).toBe('line')
	expect(editorKind(column('binary'), null)).toBe('bytes')
	expect(editorKind(column('number'), 5)).toBe('number')
})

test('a cut value is never saved', () => {
	const long = ['x'.repeat(20_000)]
	expect(newValue(long)).toEqual({ json: JSON.stringify(long) })
})
