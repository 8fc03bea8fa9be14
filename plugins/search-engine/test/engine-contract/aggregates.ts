import type { AggregateQuery } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { call, decode } from '../fixture.ts'
import type { EngineUnderTest } from './subject.ts'

export function describeAggregates(engine: EngineUnderTest) {
	const aggregate = async (query: Partial<AggregateQuery>) => {
		const whole = {
			table: engine.largeTable,
			filters: [],
			match: 'all' as const,
			groups: [],
			measures: [],
			limit: 100,
			...query,
		}
		return decode(await engine.connection.aggregate(whole, call()))
	}

	test('returns one row about everything, and about a filter', async () => {
		const measures = [
			{ function: 'max', column: 'n' },
			{ function: 'avg', column: 'n' },
			{ function: 'distinct', column: 'm' },
			{ function: 'count', column: 'm' },
		] as const
		const { columns, rows } = await aggregate({ measures })
		expect(columns.map(({ name }) => name)).toEqual(['count', 'max(n)', 'avg(n)', 'distinct(m)', 'count(m)'])
		expect(rows[0]?.slice(0, 4).map(cell => JSON.stringify(cell))).toEqual(
			['10500', '10499.0', '5249.5', '11'].map(text => expect.stringContaining(text.replace('.0', ''))),
		)
		const few = await aggregate({ filters: [{ column: 'n', operator: 'less', values: ['100'] }] })
		expect(few.rows).toEqual([[100]])
	})

	test('returns groups largest first, and reports if there are more', async () => {
		const { rows, isTruncated, notices } = await aggregate({ groups: [{ column: 'm' }], limit: 3 })
		expect(rows).toHaveLength(3)
		const counts = rows.map(row => Number(row[1]))
		expect(counts).toEqual(counts.toSorted((a, b) => b - a))
		expect(isTruncated).toBe(true)
		expect(notices.join()).toMatch(/documents are in groups that are not shown/)
	})

	test('says how many rows no group has, because they have no value', async () => {
		const { rows, notices } = await aggregate({ groups: [{ column: 'm' }] })
		expect(notices).toContain('263 documents have no value of m, so no group has them.')
		expect(rows.some(([value]) => value === null)).toBe(false)
		const groups = [{ column: 'at', interval: 'month' }, { column: 'flag' }]
		expect((await aggregate({ table: engine.table, groups })).notices).toEqual(
			expect.arrayContaining([
				'2 documents have no value of at, so no group has them.',
				'3 documents have no value of flag, so no group has them.',
			]),
		)
		const some = [{ column: 'm', operator: 'exists', values: [] }] as const
		expect((await aggregate({ groups: [{ column: 'm' }], filters: some })).notices.join()).not.toContain('no value')
	})

	test('groups by intervals of numbers and dates, nested', async () => {
		const byThousand = await aggregate({ groups: [{ column: 'n', interval: '5000' }] })
		expect(byThousand.rows.map(row => Number(row[1]))).toEqual([5000, 5000, 500])
		const byMonth = await aggregate({
			table: engine.table,
			groups: [{ column: 'at', interval: 'month' }, { column: 'flag' }],
			measures: [{ function: 'max', column: 'at' }],
		})
		expect(byMonth.rows).toEqual([
			['2024-02-01T00:00:00.000Z', 'true', 1, '2024-02-29T12:00:00.000Z'],
			['2024-03-01T00:00:00.000Z', 'false', 1, '2024-03-01T00:00:00.000Z'],
		])
	})

	test('sorts by a measure, and groups texts by their keywords', async () => {
		const order = { measure: 0, direction: 'asc' } as const
		const measures = [{ function: 'avg', column: 'n' }] as const
		const { rows } = await aggregate({ groups: [{ column: 'm' }], measures, order, limit: 5 })
		const means = rows.map(row => Number(JSON.stringify(row[2]).replace(/[^0-9.]/g, '')))
		expect(means).toEqual(means.toSorted((a, b) => a - b))
		const titles = await aggregate({ table: engine.table, groups: [{ column: 'title' }] })
		expect(titles.rows.map(([title]) => title)).toContain('The Quick Fox')
	})

	test('rejects what cannot be aggregated with a message', async () => {
		await expect(aggregate({ table: engine.table, groups: [{ column: 'note' }] })).rejects.toThrow(
			/note cannot be aggregated: it is analysed text/,
		)
		await expect(aggregate({ table: engine.table, groups: [{ column: 'parts.kind' }] })).rejects.toThrow(
			/nested object parts/,
		)
		await expect(aggregate({ groups: [{ column: 'n', interval: 'often' }] })).rejects.toThrow(/minute, hour, day/)
	})
}
