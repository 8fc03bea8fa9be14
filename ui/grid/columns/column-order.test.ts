import { expect, test } from 'vitest'
import { indexAt, movedBefore, ordered } from './column-order.ts'

test('columns stand as the person moved them, and a new one behind the one it follows', () => {
	expect(ordered(['a', 'b', 'c'], [])).toEqual(['a', 'b', 'c'])
	expect(ordered(['a', 'b', 'c', 'd'], ['c', 'a', 'gone', 'b'])).toEqual(['c', 'd', 'a', 'b'])
	expect(ordered(['new', 'a', 'b'], ['b', 'a'])).toEqual(['new', 'b', 'a'])
})

test('a column is put before another one, or last', () => {
	expect(movedBefore(['a', 'b', 'c'], 'c', 'a')).toEqual(['c', 'a', 'b'])
	expect(movedBefore(['a', 'b', 'c'], 'a', undefined)).toEqual(['b', 'c', 'a'])
	expect(movedBefore(['a', 'b', 'c'], 'b', 'b')).toEqual(['a', 'b', 'c'])
})

test('a place belongs to the column whose left edge it has passed', () => {
	expect([-1, 0, 99, 100, 5000].map(x => indexAt([0, 100, 250], x))).toEqual([-1, 0, 0, 1, 2])
})
