import { expect, test } from 'vitest'
import { cellOf, cellText, copyText, isSameCell } from './cell-text.ts'

const row = { id: '1', cells: [null, '', 'a\nb', 5, { number: '1.10' }, { json: '["x"]' }] }

test('null, an empty text and a missing value have different texts', () => {
	expect([0, 1, 9].map(index => cellText(cellOf(row, index)).look)).toEqual(['null', 'empty', 'missing'])
	expect(isSameCell(null, cellOf(row, 9))).toBe(false)
	expect(cellText({ unread: true }).look).toBe('unread')
})

test('a value that a driver did not encode is shown as one invalid cell', () => {
	const odd = { hundreds: 3 } as unknown as Parameters<typeof cellText>[0]
	expect(cellText(odd)).toEqual({ text: '{"hundreds":3}', look: 'json' })
	expect(copyText(odd)).toBe('{"hundreds":3}')
})

test('a cell of the grid has one line, and a copy has the whole text', () => {
	expect(cellText('a\nb').text).toBe('a b')
	expect(cellText('x'.repeat(5000)).text.length).toBeLessThan(1000)
	expect(copyText('x'.repeat(5000))).toHaveLength(5000)
	expect(copyText({ number: '1.10' })).toBe('1.10')
})

test('a long list of numbers shows how many there are, and a cut one about how many', () => {
	const vector = Array.from({ length: 768 }, (_, n) => n / 1000)
	expect(cellText({ json: JSON.stringify(vector) }).text).toMatch(/^768 numbers {2}\[0,0\.001,/)
	expect(cellText({ json: JSON.stringify([1, 2, 3]) }).text).toBe('[1,2,3]')
	expect(cellText({ json: JSON.stringify([...vector, 'x']) }).text).toMatch(/^\[0,/)
	const json = `[${'0.123456,'.repeat(1000)}...`
	expect(cellText({ json, cutFrom: 2 * json.length }).text).toMatch(/^≈ 2,000 numbers {2}\[0\.123456,/)
})
