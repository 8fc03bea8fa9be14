import type { Column } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { toCells, withBytes } from './change-values.ts'

const column = (name: string, kind: Column['kind']): Column => ({
	...{ name, type: kind, kind, isKey: false, isReadOnly: false, isSortable: false },
})
const columns = [column('name', 'text'), column('photo', 'binary')]

test('bytes are written in the form in which rows have them', () => {
	const rows = [{ name: 'vu8=', photo: 'vu8=' }, { photo: '\\xbeef' }, { photo: null }]
	const inserts = rows.map(row => ({ kind: 'insert', values: toCells(row) }) as const)
	expect(withBytes(inserts, columns)).toEqual([
		{ kind: 'insert', values: { name: 'vu8=', photo: { bytes: 'vu8=' } } },
		{ kind: 'insert', values: { photo: { bytes: 'vu8=' } } },
		{ kind: 'insert', values: { photo: null } },
	])
	const update = { kind: 'update', rowId: '1', set: toCells({ photo: 'vu8=' }) } as const
	expect(withBytes([update], columns)).toEqual([{ ...update, set: { photo: { bytes: 'vu8=' } } }])
	const wrong = [{ kind: 'insert', values: toCells({ photo: 'no bytes' }) }] as const
	expect(() => withBytes(wrong, columns)).toThrow('photo is not base64')
})
