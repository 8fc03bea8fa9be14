import { expect, test } from 'vitest'
import { aboutQuery } from './about-query.ts'

/** What a further tab of a table is called after. */

const all = { sort: [], raw: '', rows: [], match: 'all' }
const trace = { column: 'trace.id', operator: 'equals', text: '4bf92f3577b34da6a3ce929d0e0e4736', isOn: true }
const around = {
	clock: 'Asia/Tokyo',
	span: 'between',
	from: '2026-11-30T03:54:14.000Z',
	to: '2026-11-30T03:56:15.000Z',
	column: 'at',
}

test.for([
	['a filter', { ...all, rows: [trace] }, '4bf92f35…'],
	['a short value', { ...all, rows: [{ ...trace, text: 'checkout' }] }, 'checkout'],
	['a filter that is off', { ...all, rows: [{ ...trace, isOn: false }], raw: 'level:ERROR' }, 'level:ERROR'],
	['a range', { ...all, time: around }, '12:54:14 – 12:56:15'],
	['a range of days', { ...all, time: { ...around, from: '2026-11-27T03:00:00.000Z' } }, '2026-11-27 – 2026-11-30'],
	['a relative range', { ...all, time: { ...around, from: 'now-3d', to: 'now-1d' } }, 'now-3d – now-1d'],
	['all rows', all, ''],
	['a record of another version', { rows: 1 }, ''],
] as const)('%s', ([, query, about]) => {
	expect(aboutQuery(query)).toBe(about)
})
