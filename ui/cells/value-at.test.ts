import { expect, test } from 'vitest'
import { shownValueAt, valueAt, withNestedValue } from './value-at.ts'

const row = { a: { b: { c: 1 } }, 'a.b': { d: 2 }, 'x.y': 3, n: null, list: [{ z: 1 }] }

test('a column finds its value, nested or under a literal dotted key', () => {
	expect(valueAt(row, 'a.b.c')).toBe(1)
	expect(valueAt(row, 'a.b.d')).toBe(2)
	expect(valueAt(row, 'x.y')).toBe(3)
	expect(valueAt(row, 'n')).toBe(null)
	expect(valueAt(row, 'list')).toEqual([{ z: 1 }])
})

test('a missing value is undefined, even with the name of a prototype member', () => {
	for (const column of ['a.c', 'n.x', 'list.z', 'toString', '__proto__', 'a.constructor']) {
		expect(valueAt(row, column), column).toBeUndefined()
	}
})

test('setting a field of a new row creates its parent objects, and removing it removes them', () => {
	const made = withNestedValue(withNestedValue({ id: 1 }, 'a.b.c', 'x'), 'a.d', null)
	expect(made).toEqual({ id: 1, a: { b: { c: 'x' }, d: null } })
	expect(withNestedValue(withNestedValue(made, 'a.b.c', undefined), 'a.d', undefined)).toEqual({ id: 1 })
	expect(withNestedValue({ 'a.b': 1 }, 'a.b', 2)).toEqual({ 'a.b': 2 })
	expect(withNestedValue({ a: 'text' }, 'a.b', 2)).toEqual({ a: 'text', 'a.b': 2 })
})

test('a page shows one value for each element of a list on the path', () => {
	expect(shownValueAt(row, 'a.b.c')).toBe(1)
	expect(shownValueAt(row, 'list.z')).toEqual([1])
	const lists = { o: [{ k: 'a' }, { n: 1 }, 2] }
	expect(shownValueAt(lists, 'o.k')).toEqual(['a', null, null])
	expect(shownValueAt(lists, 'o.x')).toBeUndefined()
	expect(shownValueAt({ list: [{ o: [{ k: 1 }, { k: 2 }] }, {}] }, 'list.o.k')).toEqual([[1, 2], null])
})
