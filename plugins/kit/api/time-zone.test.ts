import { expect, test } from 'vitest'
import { instantOf, isTimeZone, offsetAt } from './time-zone.ts'

const at = (text: string) => Date.parse(text)

test.each([
	['2026-03-29T00:00Z', 'Europe/Budapest', '2026-03-28T23:00Z'],
	['2026-03-30T00:00Z', 'Europe/Budapest', '2026-03-29T22:00Z'],
	// Skipped, and twice.
	['2026-03-29T02:30Z', 'Europe/Budapest', '2026-03-29T01:00Z'],
	['2026-10-25T02:30Z', 'Europe/Budapest', '2026-10-25T00:30Z'],
	['2026-10-26T00:00Z', 'Europe/Budapest', '2026-10-25T23:00Z'],
	['2026-03-01T00:00Z', 'Asia/Kolkata', '2026-02-28T18:30Z'],
	['2026-03-01T00:00Z', 'America/St_Johns', '2026-03-01T03:30Z'],
	// The day begins at one o'clock.
	['2026-03-29T00:00Z', 'Asia/Beirut', '2026-03-28T22:00Z'],
	// The day before was left out.
	['2011-12-31T00:00Z', 'Pacific/Apia', '2011-12-30T10:00Z'],
	['2011-12-30T00:00Z', 'Pacific/Apia', '2011-12-30T10:00Z'],
	['2026-03-01T00:00Z', 'UTC', '2026-03-01T00:00Z'],
])('the clock reaches %s in %s at %s', (reading, zone, instant) => {
	expect(new Date(instantOf(at(reading), zone)).toISOString()).toBe(new Date(at(instant)).toISOString())
})

test('a zone has an offset at each instant, and another text is no zone', () => {
	expect(offsetAt(at('2026-01-01T00:00Z'), 'America/St_Johns')).toBe(-3.5 * 3_600_000)
	expect(offsetAt(at('2026-07-01T00:00Z'), 'Europe/Budapest')).toBe(2 * 3_600_000)
	expect(['UTC', 'Etc/GMT-2', '<+02>-02', 'Berlin', ''].map(isTimeZone)).toEqual([true, true, false, false, false])
})
