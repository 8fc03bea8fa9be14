import { expect, test } from 'vitest'
import type { Cell, Column } from '../../../host/api/api.ts'
import { learnUniform } from './uniform.ts'

const column = (name: string, isReadOnly: boolean): Column => ({
	...{ name, type: 'text', kind: 'text', isKey: false, isReadOnly, isSortable: true },
})
const columns = [column('index', true), column('empty', false), column('on', false), column('score', true)]
const row = (...cells: Cell[]) => ({ id: String(cells), cells })
const missing = { missing: true } as const

test('what says the same in every row is found out once, and is none any more once it differs', () => {
	const known = learnUniform(undefined, columns, [row('a', missing, true, 1), row('a', missing, true, 2)], true)
	// An editable column is none, although it has one value here.
	expect([...(known ?? [])]).toEqual([
		['index', 'a'],
		['empty', missing],
	])
	const later = learnUniform(known, columns, [row('a', 'now', false, 1)], false)
	expect([...(later?.keys() ?? [])]).toEqual(['index'])
	expect(learnUniform(later, columns, [], false)).toBe(later)
})

test('one row tells nothing of what is alike', () => {
	expect(learnUniform(undefined, columns, [row('a', missing, true, 1)], true)).toBeUndefined()
	const known = learnUniform(undefined, columns, [row('a', missing, true, 1), row('a', missing, true, 1)], true)
	// Except for a value where there was none.
	expect(learnUniform(known, columns, [row('a', 'now', true, 1)], true)?.has('empty')).toBe(false)
})

test('another query may change what the engine says of its rows, and brings no column back that had a value', () => {
	const known = learnUniform(undefined, columns, [row('a', 'now', true, 1), row('a', missing, true, 2)], true)
	expect([...(known?.keys() ?? [])]).toEqual(['index'])
	const next = learnUniform(known, columns, [row('a', missing, true, 1), row('a', missing, true, 1)], true)
	expect([...(next?.keys() ?? [])]).toEqual(['index', 'score'])
})
