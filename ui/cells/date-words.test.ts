import { expect, test } from 'vitest'
import { relativeTime } from '../words/format.ts'
import { momentOf } from './date-words.ts'

test('reads a date with an offset in the format of any engine, and no date without one', () => {
	const moment = Date.UTC(2024, 6, 1, 22, 30, 0, 120)
	const spellings = [
		'2024-07-01T22:30:00.120Z',
		'2024-07-02 00:30:00.120+02',
		'2024-07-02T00:30:00.120456+0200',
		moment,
	]
	for (const cell of spellings) expect([cell, momentOf(cell)]).toEqual([cell, moment])
	for (const cell of ['2024-07-01', '2024-07-01T22:30:00', 'x', null, 7, { missing: true } as const])
		expect([cell, momentOf(cell)]).toEqual([cell, undefined])
})

test('a time difference is shown in its largest unit', () => {
	const day = 86_400_000
	expect([-30_000, -3 * 3_600_000, -1.2 * day, 45 * day, -800 * day].map(relativeTime)).toEqual([
		'30 seconds ago',
		'3 hours ago',
		'1 day ago',
		'in 1 month',
		'2 years ago',
	])
})
