import fc from 'fast-check'
import { expect, test } from 'vitest'
import { poolSize, slots } from './slots.ts'

test('exactly one slot shows each index of the window', () => {
	fc.assert(
		fc.property(fc.nat(2_000_000_000), fc.integer({ min: 1, max: 60 }), (first, size) => {
			const shown = slots(first, size)
			expect(shown.toSorted((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, at) => first + at))
		}),
	)
})

test('a scroll by one row moves one slot', () => {
	const before = slots(10, 20)
	const after = slots(11, 20)
	expect(after.filter((index, slot) => index !== before[slot])).toEqual([30])
})

test('a pool keeps its size while a few less are needed', () => {
	expect(poolSize(20, 0)).toBe(20)
	expect(poolSize(18, 20)).toBe(20)
	expect(poolSize(21, 20)).toBe(21)
	expect(poolSize(12, 20)).toBe(12)
})
