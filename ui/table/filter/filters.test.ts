import { expect, test } from 'vitest'
import type { Column } from '../../../host/api/api.ts'
import { filterTargets, filterWords, operatorsFor, replaceValue, toFilters, valueAt } from './filters.ts'

const row = { column: 'price', operator: 'equals', text: '1', isOn: true } as const

test('incomplete filter rows are ignored', () => {
	expect(toFilters([row, { ...row, isOn: false }, { ...row, text: '' }, { ...row, column: '' }])).toEqual([
		{ column: 'price', operator: 'equals', values: ['1'] },
	])
})

test('a column without operators cannot be filtered', () => {
	const column = { name: '_score', kind: 'number', filterFields: [{ name: '_score', kind: 'number', operators: [] }] }
	// Only these members are read.
	expect(filterTargets([column as unknown as Column])).toEqual([])
})

test('an operator without a value needs no value', () => {
	expect(toFilters([{ ...row, operator: 'missing', text: '' }])).toEqual([
		{ column: 'price', operator: 'missing', values: [] },
	])
})

test('several values are separated by commas, if the operator takes several', () => {
	expect(toFilters([{ ...row, operator: 'in', text: ' 1, 2 ,,3 ' }])[0]?.values).toEqual(['1', '2', '3'])
	expect(toFilters([{ ...row, operator: 'between', text: '1,2' }])[0]?.values).toEqual(['1', '2'])
	expect(toFilters([{ ...row, text: 'Berlin, Mitte' }])[0]?.values).toEqual(['Berlin, Mitte'])
})

test('pasted lines are values, also with commas in them, and a range needs both ends', () => {
	const list = { ...row, operator: 'in', text: 'Berlin, Mitte\r\nPorto\n' } as const
	expect(toFilters([list])[0]?.values).toEqual(['Berlin, Mitte', 'Porto'])
	expect(filterWords(list)).toBe('price is one of Berlin, Mitte, Porto')
	const range = { ...row, operator: 'between', text: '2024-01-01\n' } as const
	expect(toFilters([range])).toEqual([])
	expect(filterWords({ ...range, text: '1\n2' })).toBe('price is between 1 and 2')
})

test('a column offers only operators that fit its kind', () => {
	const operators = (kind: Column['kind']) => operatorsFor({ kind }).map(([name]) => name)
	expect(operators('boolean')).not.toContain('contains')
	expect(operators('number')).toContain('between')
	expect(operators('text')).toContain('contains')
	expect(operators('json')).toEqual(['exists', 'missing'])
})

test('subfields can be chosen, and keys are typed behind their field', () => {
	const column = { type: '', isKey: false, isReadOnly: false, isSortable: true } as const
	const targets = filterTargets([
		{ ...column, name: 'title', kind: 'text', filterFields: [{ name: 'title.english', kind: 'text' }] },
		{
			...column,
			name: 'labels',
			kind: 'json',
			filterFields: [
				{ name: 'labels', kind: 'text', operators: ['equals'] },
				{ name: 'labels.', kind: 'text', operators: ['equals', 'exists'], takesKey: true },
			],
		},
	])
	expect(targets.map(({ name }) => name)).toEqual(['title', 'title.english', 'labels', 'labels.'])
	expect(targets.slice(2).map(target => operatorsFor(target).map(([operator]) => operator))).toEqual([
		['equals'],
		['equals', 'exists'],
	])
	const keyed = { ...row, column: 'labels.', text: 'red' }
	expect(
		toFilters([
			{ ...keyed, key: 'team' },
			{ ...keyed, key: '' },
		]),
	).toEqual([{ column: 'labels.team', operator: 'equals', values: ['red'] }])
})

test('in the text of a list, the value at the caret is found and replaced, by commas or by lines', () => {
	const at = (text: string) => {
		const caret = text.indexOf('|')
		return valueAt(text.replace('|', ''), caret)
	}
	expect(at('|')).toEqual({ from: 0, to: 0, typed: '', before: [], after: [] })
	expect(at('NG, A|, DE')).toEqual({ from: 4, to: 5, typed: 'A', before: ['NG'], after: ['DE'] })
	expect(at('NG,|')).toEqual({ from: 3, to: 3, typed: '', before: ['NG'], after: [] })
	expect(at('NG\nA|')).toEqual({ from: 3, to: 4, typed: 'A', before: ['NG'], after: [] })
	expect(at('Doe, J|\nRoe, R')).toEqual({ from: 0, to: 6, typed: 'Doe, J', before: [], after: ['Roe, R'] })
	expect(replaceValue('NG, A, DE', 5, 'AT')).toEqual({ text: 'NG, AT, DE', caret: 6 })
	// A value with a comma needs lines.
	expect(replaceValue('NG, D', 5, 'Doe, J')).toEqual({ text: 'NG\nDoe, J', caret: 9 })
})

test('an empty text is a value where a cell has it, and else a value that is not typed yet', () => {
	const row = { column: 'c', operator: 'equals', text: '', isOn: true } as const
	expect(toFilters([row])).toEqual([])
	expect(toFilters([{ ...row, takesEmpty: true }])).toEqual([{ column: 'c', operator: 'equals', values: [''] }])
	expect(filterWords({ ...row, takesEmpty: true })).toBe('c is ""')
})
