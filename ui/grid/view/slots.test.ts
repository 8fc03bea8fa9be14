import fc from 'fast-check'
import { expect, test } from 'vitest'
import { slots } from './slots.ts'

test('exactly one slot shows each index of the window', () => {
	fc.assert(
		fc.property(fc.nat(2_000_000_000), fc.integer({ min: 1, max: 60 }), fc.nat(70), (first, length, before) => {
			const shown = slots(first, length, new Array(before).fill(0))
			expect(new Set(shown).size).toBe(shown.length)
			for (let index = first; index < first + length; index++) expect(shown).toContain(index)
		}),
	)
})

test('a scroll by one row moves one slot', () => {
	const before = slots(10, 20, [])
	const after = slots(11, 20, before)
	expect(after.filter((index, slot) => index !== before[slot])).toEqual([30])
})
