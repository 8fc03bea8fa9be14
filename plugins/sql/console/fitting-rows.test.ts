import { expect, test } from 'vitest'
import { fittingRows } from './fitting-rows.ts'

const columns = [
	{ name: 'text', type: 'text', kind: 'text', isReadOnly: true, isSortable: false, isKey: false },
] as const
const mebibyte = 'x'.repeat(1024 * 1024)
const read = (count: number, text: string, isTruncated = false) => ({
	columns: [...columns],
	rows: Array.from({ length: count }, () => [text]),
	isTruncated,
})

test('rows that fit are the result, and a limit that was asked for needs no notice', () => {
	const all = fittingRows(read(3, 'a'), 10)
	expect(all).toEqual({ body: { view: 'rows', ...read(3, 'a') }, notices: [] })
	expect(fittingRows(read(3, 'a', true), 3).notices).toEqual([])
})

test.each([
	{ text: mebibyte, fit: 47 },
	// Bytes count, not characters.
	{ text: 'é'.repeat(1024 * 1024), fit: 23 },
])('rows that are too large together end early, and say so', ({ text, fit }) => {
	const { body, notices } = fittingRows(read(60, text), 100)
	expect(body.rows).toHaveLength(fit)
	expect(body.isTruncated).toBe(true)
	expect(notices).toEqual([expect.stringContaining(`Only the first ${fit} rows are shown`)])
})

test('rows that a session did not keep are missed too', () => {
	expect(fittingRows(read(5, 'a', true), 10)).toMatchObject({
		body: { isTruncated: true },
		notices: [expect.any(String)],
	})
})
