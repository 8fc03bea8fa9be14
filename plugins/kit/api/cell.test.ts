import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellLimit, denseCells, fromCell, isCell, isCutCell, missingCell, toCell, unreadCell } from './cell.ts'
import { parseJson, stringifyJson } from './json.ts'

test('any JSON parser reads a complete value unchanged', () => {
	fc.assert(
		fc.property(fc.jsonValue({ maxDepth: 4 }), value => {
			const text = JSON.stringify(value)
			const cell = JSON.parse(JSON.stringify(toCell(parseJson(text))))
			expect(stringifyJson(fromCell(cell) ?? null)).toBe(text)
		}),
	)
})

test('a 64-bit integer keeps its digits', () => {
	expect(toCell(parseJson('9223372036854775807'))).toEqual({ number: '9223372036854775807' })
	expect(stringifyJson(fromCell({ number: '1.10' }) ?? null)).toBe('1.10')
})

test('distinguishes a missing field from null', () => {
	expect(toCell(undefined)).toEqual({ missing: true })
	expect(toCell(null)).toBe(null)
})

test('a row of a wide table keeps its cells, including null', () => {
	expect(denseCells({ cells: [null, 'x'], at: [1, 3] }, 4)).toEqual([missingCell, null, missingCell, 'x'])
	expect(denseCells({ cells: ['x'], at: [0, 1] }, 2)).toEqual(['x', missingCell])
})

test('cuts an array at 10,000 characters and reports its full length', () => {
	const long = ['x'.repeat(cellLimit)]
	expect(toCell(long)).toEqual({ json: `["${'x'.repeat(cellLimit - 2)}...`, cutFrom: cellLimit + 4 })
	expect(toCell(['x'.repeat(cellLimit - 4)])).toEqual({ json: `["${'x'.repeat(cellLimit - 4)}"]` })
})

test('a long string is not truncated', () => {
	expect(toCell('x'.repeat(cellLimit * 2))).toBe('x'.repeat(cellLimit * 2))
})

test('fromCell decodes bytes and truncated text, and isCutCell is true for cells without their whole value', () => {
	expect(fromCell({ bytes: 'AAH/' })).toBe('AAH/')
	expect(fromCell({ text: 'Ada L', cutFrom: 12 })).toBe('Ada L')
	expect(fromCell(unreadCell)).toBeUndefined()
	expect(
		[{ text: 'a', cutFrom: 2 }, { bytes: 'AA==', cutFrom: 9 }, { json: '[', cutFrom: 3 }, unreadCell].every(isCutCell),
	).toBe(true)
	expect([null, 'a', { bytes: 'AA==' }, { json: '[]' }, missingCell].some(isCutCell)).toBe(false)
})

test('isCell accepts each form, also a number that a driver sent bare, and nothing else', () => {
	const cells = [null, 'a', 1, true, { number: '1.10' }, { json: '[]' }, { bytes: '' }, { text: 'a', cutFrom: 2 }]
	expect([...cells, unreadCell, missingCell, parseJson('12345678901234567890')].every(isCell)).toBe(true)
	expect([undefined, [], {}, { text: 'a' }, { unread: 1 }, { missing: false }].some(isCell)).toBe(false)
})
