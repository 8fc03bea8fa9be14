import { expect, test } from 'vitest'
import { findIn, marksOf, stepped } from './finding.ts'

test('a query is found literally, regardless of case, and is not a pattern', () => {
	expect(findIn('a.b A.B axb', 'a.b').matches).toEqual([
		{ from: 0, to: 3 },
		{ from: 4, to: 7 },
	])
	for (const query of ['a.b*', '(', '[a-', '\\', '{1}', '^|$', '-/'])
		expect(findIn(`x${query}`, query).matches).toEqual([{ from: 1, to: 1 + query.length }])
	// Positions refer to the text, also after a letter whose other case has another length.
	expect(findIn('İ😀 Straße', 'STRAẞE').matches).toEqual([{ from: 4, to: 10 }])
})

test('the search starts at a position, continues from there, and wraps around', () => {
	const finding = findIn('x x x', 'x', 1)
	expect(finding.current).toBe(1)
	expect([stepped(finding, 1), stepped(stepped(finding, 1), 1), stepped(finding, -1)].map(f => f.current)).toEqual([
		2, 0, 0,
	])
	expect(findIn('x x', 'x', 3).current).toBe(0)
	expect(stepped(findIn('x', 'y'), 1).current).toBe(-1)
	expect(findIn('x', '').matches).toEqual([])
})

test('of very many matches, those near the current one are marked', () => {
	const { current, others } = marksOf(findIn('x'.repeat(10_000), 'x', 5_000))
	expect(current).toEqual({ from: 5_000, to: 5_001 })
	expect(others).toHaveLength(999)
	expect(others).not.toContainEqual(current)
})

test('of many matches the first ones are counted, with a note that there are more', () => {
	const finding = findIn('x'.repeat(50_000), 'x')
	expect(finding.matches).toHaveLength(20_000)
	expect(finding.isCut).toBe(true)
	expect(findIn('x x', 'x').isCut).toBeUndefined()
})
