import { expect, test } from 'vitest'
import { openingRange } from './opening-range.ts'

const now = Date.parse('2026-11-29T12:00:00Z')
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
/** The first rows, the newest first. */
const rows = (newest: number, between: number, count = 50) =>
	Array.from({ length: count }, (_, at) => newest - at * between)

test('a log that is written now opens at the last 15 minutes, or at a longer time with as many rows', () => {
	expect(openingRange(rows(now - 1000, 1000), now)).toEqual({ span: '15m' })
	expect(openingRange(rows(now - minute, minute), now)).toEqual({ span: '1h' })
	expect(openingRange(rows(now + hour, 1000), now)).toEqual({ span: '15m' })
})

test('another one opens at the last time that has rows', () => {
	expect(openingRange(rows(now - 200 * day + 1, 1000), now)).toEqual({
		span: 'between',
		from: '2026-05-13T11:45:00.000Z',
		to: '2026-05-13T12:00:01.000Z',
	})
	expect(openingRange(rows(now - 200 * day, hour), now)).toEqual({
		span: 'between',
		from: '2026-05-06T12:00:00.000Z',
		to: '2026-05-13T12:00:01.000Z',
	})
})

test('rows of several years, and rows without a time, open at all of the time', () => {
	expect(openingRange(rows(now - day, 30 * day), now)).toBeUndefined()
	expect(openingRange([now, Number.NaN], now)).toBeUndefined()
	expect(openingRange([], now)).toBeUndefined()
})
