import { expect, test } from 'vitest'
import { readMoment, shownMoment } from './moment.ts'
import { isTimeRange, type Span, spans, type TimeRange, timeFilters } from './time-range.ts'

const now = Date.parse('2024-03-06T10:30:00Z')
const range = (span: Span, part: Partial<TimeRange> = {}): TimeRange => ({
	...{ column: 'at', clock: 'utc', span, from: '', to: '' },
	...part,
})
const ends = (value: TimeRange) => timeFilters(value, now).map(({ operator, values }) => `${operator} ${values[0]}`)

test('a relative range is resolved at the moment of the load', () => {
	expect(ends(range('all'))).toEqual([])
	expect(ends(range('15m'))).toEqual(['greater_or_equal 2024-03-06T10:15:00.000Z'])
	expect(ends(range('this week'))).toEqual([
		'greater_or_equal 2024-03-04T00:00:00.000Z',
		'less 2024-03-11T00:00:00.000Z',
	])
	expect(ends(range('previous month'))).toEqual([
		'greater_or_equal 2024-02-01T00:00:00.000Z',
		'less 2024-03-01T00:00:00.000Z',
	])
	expect(ends(range('between', { to: '2024-01-01T00:00:00Z' }))).toEqual(['less 2024-01-01T00:00:00.000Z'])
})

test('a stored range is taken only if it is whole', () => {
	for (const [span] of spans) expect(isTimeRange(range(span))).toBe(true)
	expect(isTimeRange({ ...range('1h'), span: 'constructor' })).toBe(false)
	expect(isTimeRange(range('between', { from: 'soon' }))).toBe(false)
})

test('a typed moment is read with or without its time, fraction and offset', () => {
	const shown = (text: string) => {
		const ms = readMoment(text)
		return ms === undefined ? undefined : shownMoment(ms, 'utc')
	}
	expect(shown('2024-02-29')).toBe('2024-02-29 00:00:00')
	expect(shown(' 2024-02-29 12:30 ')).toBe('2024-02-29 12:30:00')
	expect(shown('2024-02-29T12:30:00.250+02:00')).toBe('2024-02-29 10:30:00.250')
	expect(shown('2024-02-29 12:30:00+00')).toBe('2024-02-29 12:30:00')
	for (const text of ['2023-02-29', '2024-13-01', 'today', '']) expect(shown(text)).toBe(undefined)
})
