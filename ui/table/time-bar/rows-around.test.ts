import { expect, test } from 'vitest'
import type { Filter } from '../../../host/api/api.ts'
import { rowsAround } from './rows-around.ts'

const range = { column: 'at', clock: 'utc', span: '1h', from: '', to: '' } as const
const moment = Date.parse('2026-11-26T12:00:00Z')

/** Counts moments as an engine does. */
const counting = (moments: readonly number[]) => async (filters: readonly Filter[]) =>
	moments.filter(at =>
		filters.every(({ operator, values: [value = ''] }) => {
			const end = Date.parse(value)
			if (operator === 'greater') return at > end
			if (operator === 'equals') return at === end
			return operator === 'less' ? at < end : at >= end
		}),
	).length

test('the range is as short as it may be, and the row has its place in it', async () => {
	const every = (ms: number) => Array.from({ length: 1000 }, (_, index) => moment + (index - 500) * ms)
	const near = await rowsAround(range, '2026-11-26T12:00:00Z', counting(every(1000)))
	expect([near?.time.span, near?.time.from, near?.time.to, near?.row]).toEqual([
		'between',
		'2026-11-26T11:59:00.000Z',
		'2026-11-26T12:01:00.000Z',
		59,
	])
	const far = await rowsAround(range, '2026-11-26T12:00:00Z', counting(every(600_000)))
	expect([far?.time.from, far?.row]).toEqual(['2026-11-26T04:00:00.000Z', 47])
})

test('a table with few rows shows all of them', async () => {
	const few = [moment - 1, moment, moment, moment + 1]
	const found = await rowsAround(range, '2026-11-26T12:00:00Z', counting(few))
	expect([found?.time.span, found?.row, found?.ties]).toEqual(['all', 1, 2])
	expect(await rowsAround(range, '', counting(few))).toBeUndefined()
})
