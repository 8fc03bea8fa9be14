import { expect, test } from 'vitest'
import type { Column } from '../../../host/api/api.ts'
import { filterTargets, operatorsFor, toFilters } from './filters.ts'

const row = { column: 'price', operator: 'equals', text: '1', isOn: true } as const

test('rows that say nothing are left out', () => {
	expect(toFilters([row, { ...row, isOn: false }, { ...row, text: '' }, { ...row, column: '' }])).toEqual([
		{ column: 'price', operator: 'equals', values: ['1'] },
	])
})

test('a column whose driver lists no operators is no target of a filter', () => {
	const column = { name: '_score', kind: 'number', filterFields: [{ name: '_score', kind: 'number', operators: [] }] }
	// Only these members are read.
	expect(filterTargets([column as unknown as Column])).toEqual([])
})

test('an operator without a value needs none', () => {
	expect(toFilters([{ ...row, operator: 'missing', text: '' }])).toEqual([
		{ column: 'price', operator: 'missing', values: [] },
	])
})

test('several values are parted by commas, and only where several are taken', () => {
	expect(toFilters([{ ...row, operator: 'in', text: ' 1, 2 ,,3 ' }])[0]?.values).toEqual(['1', '2', '3'])
	expect(toFilters([{ ...row, operator: 'between', text: '1,2' }])[0]?.values).toEqual(['1', '2'])
	expect(toFilters([{ ...row, text: 'Berlin, Mitte' }])[0]?.values).toEqual(['Berlin, Mitte'])
})

test('a column offers what makes sense for it', () => {
	const operators = (kind: Column['kind']) => operatorsFor({ kind }).map(([name]) => name)
	expect(operators('boolean')).not.toContain('contains')
	expect(operators('number')).toContain('between')
	expect(operators('text')).toContain('contains')
	expect(operators('json')).toEqual(['exists', 'missing'])
})

test('what stands below a column can be chosen, and a key is typed behind it', () => {
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
