import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
	type Extent,
	isScaled,
	maxRowOffset,
	mostRowsInView,
	offsetToReveal,
	rowAt,
	rowOffsetOf,
	rowsInView,
	rowTop,
	scrollTopOf,
	spacerHeight,
} from './row-scale.ts'

const [height, rowHeight] = [700, 28]
const extentOf = (rows: number): Extent => ({ rows, height, rowHeight })
const long = extentOf(2_000_000_000)

test('a table within the maximum height scrolls by pixels, and a taller table scrolls in proportion', () => {
	expect([spacerHeight(extentOf(1000)), isScaled(extentOf(1000)), rowOffsetOf(123.5, extentOf(1000))]).toEqual([
		28_000,
		false,
		123.5,
	])
	expect([spacerHeight(long), isScaled(long)]).toEqual([15_000_000, true])
	expect(rowOffsetOf(0, long)).toBe(0)
	expect(rowOffsetOf(spacerHeight(long) - height, long)).toBe(maxRowOffset(long))
})

test('the position of the scrollbar matches its row to the nearest pixel', () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 2_000_000_000 }),
			fc.double({ min: 0, max: 1, noNaN: true }),
			(rows, share) => {
				const extent = extentOf(rows)
				const top = Math.round(share * maxRowOffset(extent))
				const pixel = isScaled(extent) ? maxRowOffset(extent) / (spacerHeight(extent) - height) : 1
				expect(Math.abs(rowOffsetOf(scrollTopOf(top, extent), extent) - top)).toBeLessThanOrEqual(pixel)
			},
		),
	)
})

test('the range of visible rows is computed correctly and contains only existing rows', () => {
	expect(rowsInView(0, extentOf(10), 6)).toEqual([0, 9])
	expect(rowsInView(maxRowOffset(long), long, 0)).toEqual([long.rows - 25, long.rows - 1])
	expect(rowsInView(0, extentOf(0), 6)).toBeUndefined()
})

test('a row is scrolled into view by the least distance', () => {
	expect(offsetToReveal(3, 1000, long)).toBe(3 * rowHeight)
	expect(offsetToReveal(40, 1000, long)).toBe(1000)
	expect(offsetToReveal(100, 1000, long)).toBe(101 * rowHeight - height)
	expect(offsetToReveal(long.rows - 1, 0, long)).toBe(maxRowOffset(long))
})

test('rows below a block stand under it, in a table of any length', () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 2_000_000_000 }),
			fc.nat(),
			fc.nat(),
			fc.nat(2_000),
			(rows, at, any, high) => {
				const block = { row: at % rows, height: high }
				const extent = { rows, height, rowHeight, block }
				const row = any % rows
				const top = rowTop(row, extent)
				expect(top).toBe(row * rowHeight + (row > block.row ? high : 0))
				expect([rowAt(top, extent), rowAt(top + rowHeight - 1, extent)]).toEqual([row, row])
				expect(rowAt((block.row + 1) * rowHeight + high - 1, extent)).toBe(block.row)
				const last = rowsInView(maxRowOffset(extent), extent, 0)?.[1]
				expect(last).toBe(rows - 1)
				expect(scrollTopOf(maxRowOffset(extent), extent)).toBe(Math.max(0, spacerHeight(extent) - height))
			},
		),
	)
})

test('no place shows more rows than the most', () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(900), fc.nat(8_000), (rows, height, top) => {
			const extent = { rows, height, rowHeight }
			const [first, last] = rowsInView(Math.min(top, maxRowOffset(extent)), extent, 6) ?? [0, -1]
			expect(last - first + 1).toBeLessThanOrEqual(mostRowsInView(extent, 6))
		}),
	)
})
