import { expect, test } from 'vitest'
import { valueAt } from './value-at.ts'

const row = { a: { b: { c: 1 } }, 'a.b': { d: 2 }, 'x.y': 3, n: null, list: [{ z: 1 }] }

test('a column leads to its value, nested or under a literal dotted key', () => {
	expect(valueAt(row, 'a.b.c')).toBe(1)
	expect(valueAt(row, 'a.b.d')).toBe(2)
	expect(valueAt(row, 'x.y')).toBe(3)
	expect(valueAt(row, 'n')).toBe(null)
	expect(valueAt(row, 'list')).toEqual([{ z: 1 }])
})

test('what is not there is undefined, and no prototype answers', () => {
	for (const column of ['a.c', 'n.x', 'list.z', 'toString', '__proto__', 'a.constructor']) {
		expect(valueAt(row, column), column).toBeUndefined()
	}
})
