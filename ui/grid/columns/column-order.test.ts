import fc from 'fast-check'
import { expect, test } from 'vitest'
import { columnIndexAt, mostColumnsInView, movedBefore, ordered } from './column-order.ts'

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

test('no place shows more columns than the most', () => {
	const widths = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 40 })
	fc.assert(
		fc.property(widths, fc.nat(1_500), (widths, width) => {
			const lefts = widths.map((_, index) => widths.slice(0, index).reduce((sum, each) => sum + each, 0))
			const end = widths.reduce((sum, each) => sum + each, 0)
			const shown = (x: number) => columnIndexAt(lefts, x + width) - columnIndexAt(lefts, x) + 1
			const all = Array.from({ length: Math.max(0, end - width) + 1 }, (_, x) => shown(x))
			const most = mostColumnsInView(lefts, end, width)
			expect(most).toBeGreaterThanOrEqual(Math.max(...all))
			expect(most).toBeLessThanOrEqual(Math.max(...all) + 1)
		}),
	)
})
