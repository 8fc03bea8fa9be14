import { expect, test } from 'vitest'
import type { Cell, Row } from '../../host/api/api.ts'
import { createSlices } from '../grid/slices.ts'
import { filteredRows, filterWords, type ResultFilter } from './result-filters.ts'

const cells: readonly Cell[] = ['a', 'b', '', null, { missing: true }, { number: '1.50' }, { number: '1.5' }]
const rows = cells.map((cell, at): Row => ({ id: String(at), cells: [cell] }))
async function ids(...filters: readonly Omit<ResultFilter, 'column'>[]): Promise<readonly string[]> {
	const ofColumn = filters.map(filter => ({ ...filter, column: 0 }))
	const left = await filteredRows(rows, ofColumn, createSlices(new AbortController().signal))
	return left.map(({ id }) => id)
}

test('a filter keeps the rows of one value, or the others, and null is neither an empty text nor a value', async () => {
	expect(await ids({ use: 'for', cell: 'a' })).toEqual(['0'])
	expect(await ids({ use: 'for', cell: '' })).toEqual(['2'])
	expect(await ids({ use: 'for', cell: null })).toEqual(['3', '4'])
	expect(await ids({ use: 'for', cell: { number: '1.5' } })).toEqual(['6'])
	expect(await ids({ use: 'out', cell: 'a' })).toEqual(['1', '2', '3', '4', '5', '6'])
	expect(await ids({ use: 'exists', cell: null })).toEqual(['0', '1', '2', '5', '6'])
	expect(await ids({ use: 'missing', cell: null }, { use: 'out', cell: 'a' })).toEqual(['3', '4'])
	expect(await ids()).toHaveLength(7)
})

test('a filter says its column and value', () => {
	const words = (use: ResultFilter['use'], cell: Cell) => filterWords({ column: 0, use, cell }, 'level')
	expect(words('for', 'error')).toBe('level is error')
	expect(words('out', null)).toBe('level is not null')
	expect(words('for', '')).toBe('level is ""')
	expect(words('exists', null)).toBe('level has a value')
	expect(words('missing', null)).toBe('level has no value')
	expect(words('for', 'x'.repeat(100))).toHaveLength('level is …'.length + 60)
})
