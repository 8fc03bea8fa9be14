import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromZone, inZone, printDate, readDate, suggestedZones } from './date-text.ts'

test('a date keeps the digits of its fraction and its offset, and an invalid date is recognized', () => {
	for (const text of [
		'2024-02-29',
		'2024-02-29T12:00:30.000Z',
		'2024-02-29T12:00:30.123456789+02:00',
		'2024-02-29T12:00:30',
	]) {
		const read = readDate(text)
		expect(read && printDate(read), text).toBe(text)
	}
	for (const text of ['2023-02-29', '2024-13-01', '1709208030000', 'yesterday', '2024-02-29T25:00:00Z', '']) {
		expect(readDate(text), text).toBeUndefined()
	}
})

test('a date is shown in another zone, and written with its own offset', () => {
	const stored = { date: '2024-07-01', time: '22:30:00', fraction: '120', offset: 'Z' }
	const shown = inZone(stored, 'Asia/Tokyo')
	expect(printDate(shown)).toBe('2024-07-02T07:30:00.120+09:00')
	expect(fromZone({ ...shown, time: '08:30:00' }, 'Asia/Tokyo', 'Z')).toEqual({ ...stored, time: '23:30:00' })
	expect(printDate(fromZone(shown, 'Asia/Tokyo', '+0200'))).toBe('2024-07-02T00:30:00.120+0200')
})

test('a text without a zone is not converted', () => {
	const stored = { date: '2024-07-01', time: '22:30:00', fraction: '', offset: '' }
	expect(inZone(stored, 'Asia/Tokyo')).toEqual(stored)
	expect(fromZone(stored, 'Asia/Tokyo', '')).toEqual(stored)
	expect(suggestedZones('+0530')[0]).toBe('+05:30')
})

test('any date survives the conversion to any zone and back', () => {
	const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia', 'Asia/Kathmandu']
	fc.assert(
		fc.property(
			fc.date({ min: new Date('1971-01-01'), max: new Date('2500-01-01'), noInvalidDate: true }),
			fc.constantFrom(...zones),
			(date, zone) => {
				const stored = readDate(date.toISOString())
				if (stored === undefined) throw new Error('a date of our own')
				const back = fromZone(inZone(stored, zone), zone, stored.offset)
				// For an hour that occurs twice, the first one is used.
				const isTwice = inZone(back, zone).time === inZone(stored, zone).time
				expect(isTwice).toBe(true)
			},
		),
	)
})
