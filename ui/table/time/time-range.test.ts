import { expect, test } from 'vitest'
import { durationText } from './duration.ts'
import { readMoment, shownMoment } from './moment.ts'
import {
	isTimeRange,
	isWithinDay,
	type Span,
	spanned,
	spans,
	type TimeRange,
	timeFilters,
	typedEnds,
	zoomedOut,
} from './time-range.ts'

const now = Date.parse('2024-03-06T10:30:00Z')
const range = (span: Span, part: Partial<TimeRange> = {}): TimeRange => ({
	column: 'at',
	clock: 'utc',
	span,
	from: '',
	to: '',
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
	const relative = range('between', { from: 'now-3d', to: 'now - 1h' })
	expect(isTimeRange(relative)).toBe(true)
	expect(ends(relative)).toEqual(['greater_or_equal 2024-03-03T10:30:00.000Z', 'less 2024-03-06T09:30:00.000Z'])
})

test('a day begins in the zone of the clock', () => {
	const budapest = range('this day', { clock: 'Europe/Budapest' })
	const spring = timeFilters(budapest, Date.parse('2026-03-29T12:00Z')).map(({ values }) => values[0])
	expect(spring).toEqual(['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'])
	expect(isTimeRange(budapest)).toBe(true)
	expect(isTimeRange({ ...budapest, clock: 'Europe/Nowhere' })).toBe(false)
	expect(readMoment('2026-03-29 12:00', 'Asia/Kolkata')).toBe(Date.parse('2026-03-29T06:30Z'))
	expect(shownMoment(Date.parse('2026-03-29T06:30Z'), 'Asia/Kolkata')).toBe('2026-03-29 12:00:00')
})

test('an absolute range begins with what was shown, and not with an earlier one', () => {
	const brushed = { from: '2023-01-01T00:00:00.000Z', to: '2023-02-01T00:00:00.000Z' }
	const absolute = (span: Span) => spanned(range(span, brushed), 'between', now + 1)
	expect(absolute('1h')).toMatchObject({
		span: 'between',
		from: '2024-03-06T09:30:00.000Z',
		to: '2024-03-06T10:30:01.000Z',
	})
	expect(absolute('this day')).toMatchObject({ from: '2024-03-06T00:00:00.000Z', to: '2024-03-07T00:00:00.000Z' })
	expect(absolute('all')).toMatchObject({ from: '', to: '' })
	expect(absolute('between')).toMatchObject(brushed)
})

test('a relative beginning leads to now, unless the user typed an end', () => {
	expect(ends(range('3h'))).toEqual(['greater_or_equal 2024-03-06T07:30:00.000Z'])
	const switched = spanned(range('1h'), 'between', now)
	expect(typedEnds({ from: 'now-3h' }, switched, switched.to)).toEqual({ from: 'now-3h', to: '' })
	expect(typedEnds({ from: 'now-3h' }, { ...switched, to: 'now-1h' }, switched.to)).toEqual({ from: 'now-3h' })
	expect(typedEnds({ from: '2024-03-01T00:00:00Z' }, switched, switched.to)).toEqual({ from: '2024-03-01T00:00:00Z' })
	expect(typedEnds({ from: 'now-3h' }, switched, undefined)).toEqual({ from: 'now-3h' })
	expect(typedEnds({ to: 'now-1h' }, switched, switched.to)).toEqual({ to: 'now-1h' })
})

test('zooming out doubles a range around its middle, or takes the next span that ends now', () => {
	const brushed = range('between', { from: '2024-03-01T00:00:00.000Z', to: '2024-03-03T00:00:00.000Z' })
	expect(zoomedOut(brushed, now)).toEqual({
		...brushed,
		from: '2024-02-29T00:00:00.000Z',
		to: '2024-03-04T00:00:00.000Z',
	})
	expect(zoomedOut(range('this day'), now)).toMatchObject({ span: 'between', from: '2024-03-05T12:00:00.000Z' })
	expect(zoomedOut(range('1h'), now)?.span).toBe('3h')
	expect(zoomedOut(range('3h'), now)?.span).toBe('24h')
	expect(zoomedOut(range('1y'), now)?.span).toBe('all')
	expect(zoomedOut(range('between', { from: 'now-1d' }), now)).toMatchObject({
		from: '2024-03-04T10:30:00.000Z',
		to: '',
	})
	expect(zoomedOut(range('all'), now)).toBeUndefined()
	const century = range('between', { from: '0010-01-01T00:00:00Z', to: '9990-01-01T00:00:00Z' })
	expect(zoomedOut(century, now)).toMatchObject({ from: '0001-01-01T00:00:00.000Z', to: '9999-12-31T00:00:00.000Z' })
})

test('the width of a step is a number of its largest unit', () => {
	const minute = 60_000
	const widths = [1000, 5 * minute, 60 * minute, 24 * 60 * minute].map(durationText)
	expect(widths).toEqual(['1 second', '5 minutes', '1 hour', '1 day'])
	const days = [7, 28, 31, 90, 92, 365, 366].map(count => durationText(count * 24 * 60 * minute))
	expect(days).toEqual(['1 week', '1 month', '1 month', '1 quarter', '1 quarter', '1 year', '1 year'])
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

test('times need no date within one day of the clock, and within half a day', () => {
	const now = Date.UTC(2026, 10, 30, 2)
	const isShort = (span: Span, part: Partial<TimeRange> = {}) => isWithinDay(range(span, part), now)
	expect((['15m', '3h', 'this day', 'previous day'] as const).map(span => isShort(span))).toEqual([
		true,
		true,
		true,
		true,
	])
	expect((['all', '24h', '7d', 'this week'] as const).map(span => isShort(span))).toEqual([false, false, false, false])
	const from = (day: string, end = '') => isShort('between', { from: `2026-11-${day}:00.000Z`, to: end })
	expect([from('29T14:00'), from('29T13:59'), from('30T00:00')]).toEqual([true, false, true])
	expect(from('28T00:00', '2026-11-29T00:00:00.000Z')).toBe(true)
	expect(from('28T00:00', '2026-11-29T00:00:00.001Z')).toBe(false)
	expect(isShort('between', { from: '', to: '2026-11-29T12:00:00.000Z' })).toBe(false)
	const newYork = { clock: 'America/New_York', from: '2026-11-28T05:00:00.000Z', to: '2026-11-29T05:00:00.000Z' }
	expect(isShort('between', newYork)).toBe(true)
})
