import { expect, test } from 'vitest'
import { aboutQuery } from './about-query.ts'

/** What a further tab of a table is called after. */

const all = { sort: [], raw: '', rows: [], match: 'all' }
const trace = { column: 'trace.id', operator: 'equals', text: '4bf92f3577b34da6a3ce929d0e0e4736', isOn: true }
const around = { clock: 'UTC', span: 'between', from: '2026-11-30 12:54:14', to: '2026-11-30 12:56:15', column: 'at' }

test.for([
	['a filter', { ...all, rows: [trace] }, '4bf92f35…'],
	['a short value', { ...all, rows: [{ ...trace, text: 'checkout' }] }, 'checkout'],
	['a filter that is off', { ...all, rows: [{ ...trace, isOn: false }], raw: 'level:ERROR' }, 'level:ERROR'],
	['a range', { ...all, time: around }, '12:54:14 – 12:56:15'],
	['all rows', all, ''],
	['a record of another version', { rows: 1 }, ''],
] as const)('%s', ([, query, about]) => {
	expect(aboutQuery(query)).toBe(about)
})
