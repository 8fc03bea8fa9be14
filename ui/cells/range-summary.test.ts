import { expect, test } from 'vitest'
import { rangeSummary } from './range-summary.ts'

test('sum, least and greatest keep every digit, whatever a double can hold', () => {
	const cells = [{ number: '90071992547409931' }, { number: '0.10' }, 2, 0.2, -1, '7', null, { missing: true as const }]
	expect(rangeSummary(cells)).toEqual({
		numbers: 5,
		sum: '90071992547409932.3',
		least: '-1',
		greatest: '90071992547409931',
		average: '18014398509481986.46',
		isAverageExact: true,
	})
})

test('an average that does not end is cut to six digits, and exponents are read', () => {
	expect(rangeSummary([1, 1, 0])).toMatchObject({ sum: '2', average: '0.666666', isAverageExact: false })
	expect(rangeSummary([1e21, { number: '-1.5e-3' }])).toMatchObject({
		sum: '999999999999999999999.9985',
		least: '-0.0015',
	})
	expect(rangeSummary([-0.5, -0.25])).toMatchObject({ sum: '-0.75', average: '-0.375' })
})

test('texts, null and numbers that no engine stores have no sum', () => {
	expect(rangeSummary(['1', null, true])).toBeUndefined()
	expect(rangeSummary([{ number: '1e999999999' }])).toBeUndefined()
	expect(rangeSummary([])).toBeUndefined()
})
