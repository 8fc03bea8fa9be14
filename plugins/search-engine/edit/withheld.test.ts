import { expect, test } from 'vitest'
import { readMapping } from '../mapping/mapping.ts'
import { refuseWithheld } from './withheld.ts'

/** Returns whether an edit is rejected, for these patterns and a field with this name. */
function isRefused(path: string, source: { includes?: string[]; excludes?: string[] }): boolean {
	const mapping = readMapping({ one: { mappings: { _source: source, properties: { [path]: { type: 'keyword' } } } } })
	try {
		refuseWithheld('one', mapping)
		return false
	} catch {
		return true
	}
}

test('a star matches anything, and a pattern covers the fields below it', () => {
	const excluding = (pattern: string, path: string) => isRefused(path, { excludes: [pattern] })
	expect(['a', '*', 'a*', '*a', 'a*a'].map(pattern => excluding(pattern, 'a'))).toEqual([true, true, true, true, false])
	expect(['a', 'a.b', 'a.*', '*.b', '*.c', 'a.b.c', 'b'].map(pattern => excluding(pattern, 'a.b.c'))).toEqual([
		true,
		true,
		true,
		true,
		true,
		true,
		false,
	])
	expect(excluding('a', 'ab')).toBe(false)
	expect(excluding('a*c', 'abcb')).toBe(false)
	expect(excluding('a*c', 'abcbc.d')).toBe(true)
	expect(excluding('a.c', 'abc')).toBe(false)
	expect(isRefused('a', { includes: ['a*', 'b'] })).toBe(false)
	expect(isRefused('c', { includes: ['a*', 'b'] })).toBe(true)
})

test('a pattern of many stars takes linear time', () => {
	expect(isRefused('a'.repeat(3_000), { excludes: [`${'*a'.repeat(20)}*b`] })).toBe(false)
})
