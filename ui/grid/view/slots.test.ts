import fc from 'fast-check'
import { expect, test } from 'vitest'
import { slots } from './slots.ts'

const windows = fc.array(fc.tuple(fc.nat(2_000_000_000), fc.integer({ min: 1, max: 60 })), { minLength: 1 })

test('exactly one slot shows each index of the window', () => {
	fc.assert(
		fc.property(windows, steps => {
			let shown: number[] = []
			for (const [first, length] of steps) {
				shown = slots(first, length, shown)
				expect(new Set(shown).size).toBe(shown.length)
				for (let index = first; index < first + length; index++) expect(shown).toContain(index)
			}
		}),
	)
})

test('a scroll by one row moves one slot', () => {
	const before = slots(10, 20, [])
	const after = slots(11, 20, before)
	expect(after.filter((index, slot) => index !== before[slot])).toEqual([30])
})

test('an index keeps its slot when the window grows at both ends', () => {
	const before = slots(7, 9, [])
	const after = slots(5, 14, before)
	expect(after.slice(0, 9)).toEqual(before)
})
