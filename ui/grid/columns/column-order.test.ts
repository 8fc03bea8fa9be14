import { expect, test } from 'vitest'
import { columnIndexAt, movedBefore, ordered } from './column-order.ts'

test('columns keep the order of the user, and a new one follows its predecessor', () => {
	expect(ordered(['a', 'b', 'c'], [])).toEqual(['a', 'b', 'c'])
	expect(ordered(['a', 'b', 'c', 'd'], ['c', 'a', 'gone', 'b'])).toEqual(['c', 'd', 'a', 'b'])
	expect(ordered(['new', 'a', 'b'], ['b', 'a'])).toEqual(['new', 'b', 'a'])
})

test('a column is moved before another one, or to the end', () => {
	expect(movedBefore(['a', 'b', 'c'], 'c', 'a')).toEqual(['c', 'a', 'b'])
	expect(movedBefore(['a', 'b', 'c'], 'a', undefined)).toEqual(['b', 'c', 'a'])
	expect(movedBefore(['a', 'b', 'c'], 'b', 'b')).toEqual(['a', 'b', 'c'])
})

test('a dragged position belongs to the last column whose left edge it has passed', () => {
	expect([-1, 0, 99, 100, 5000].map(x => columnIndexAt([0, 100, 250], x))).toEqual([-1, 0, 0, 1, 2])
})
