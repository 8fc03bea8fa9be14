import { expect, test } from 'vitest'
import type { Cell, Column, ResultOf } from '../../../host/api/api.ts'
import { canSplit, readHistogram } from './read-histogram.ts'

const column: Column = { name: 'at', type: 'date', kind: 'date', isKey: false, isReadOnly: true, isSortable: true }
const query = { table: 't', filters: [], match: 'all' } as const
const at = (text: string) => Date.parse(text)

/** Rows from 10 to 12 o'clock. */
async function ask({ groups }: { readonly groups: readonly unknown[] }): Promise<ResultOf<'rows.aggregate'>> {
	const rows =
		groups.length === 0 ? [[3, '2026-11-26T10:00:00Z', '2026-11-26T12:00:00Z']] : [['2026-11-26T10:00:00Z', 3]]
	return { columns: [], rows, isTruncated: false, notices: [] }
}

test('the axis reaches the end of an open range, also where no row does', async () => {
	const from = at('2026-11-26T00:00Z')
	const lastOf = async (until: number | undefined) =>
		(await readHistogram({ query, column, from, until }, ask)).buckets.at(-1)?.to ?? 0
	expect(await lastOf(undefined)).toBeLessThan(at('2026-11-26T13:00Z'))
	expect(await lastOf(at('2026-11-27T00:00Z'))).toBeGreaterThanOrEqual(at('2026-11-27T00:00Z'))
	// Rows of the future stay on the axis.
	expect(await lastOf(at('2026-11-26T11:00Z'))).toBeGreaterThanOrEqual(at('2026-11-26T12:00Z'))
})

test('bars are split by the most frequent values of a column, and the engine returns groups of these alone', async () => {
	const level: Column = { ...column, name: 'level', type: 'keyword', kind: 'text' }
	const asked: unknown[] = []
	const answers: Readonly<Record<string, readonly (readonly Cell[])[]>> = {
		'': [[9, '2026-11-26T10:00:00Z', '2026-11-26T10:01:30Z']],
		level: [
			['info', 5],
			['it, quoted', 2],
			[null, 1],
		],
		at: [
			['2026-11-26T10:00:00Z', 5],
			['2026-11-26T10:01:00Z', 4],
		],
		'at,level': [
			['2026-11-26T10:00:00Z', 'info', 4],
			['2026-11-26T10:00:00Z', 'it, quoted', 1],
			['2026-11-26T10:01:00Z', 'info', 1],
			['2026-11-26T10:01:00Z', 'it, quoted', 1],
		],
	}
	const found = await readHistogram({ query, column, split: level }, async question => {
		asked.push(question)
		const rows = answers[question.groups.map(({ column }) => column).join()] ?? []
		return { columns: [], rows, isTruncated: false, notices: [] }
	})
	expect(found.parts).toEqual(['info', 'it, quoted'])
	const full = found.buckets.filter(({ count }) => count > 0)
	expect(full.map(({ count, parts }) => [count, parts])).toEqual([
		[5, [4, 1]],
		[4, [1, 1]],
	])
	expect(asked.at(-1)).toMatchObject({
		match: 'all',
		filters: [{ column: 'level', operator: 'in', values: ['info', 'it, quoted'] }],
	})
	// Filters of which one suffices cannot be narrowed.
	const any = { ...query, match: 'any', filters: [{ column: 'a', operator: 'exists', values: [] }] } as const
	await readHistogram({ query: any, column, split: level }, async question => {
		expect(question.filters).toEqual(any.filters)
		const rows = answers[question.groups.map(({ column }) => column).join()] ?? []
		return { columns: [], rows, isTruncated: false, notices: [] }
	})
})

test('bars of days begin in the zone of the engine, also where the clock changes', async () => {
	const days = [
		['2026-03-28 00:00:00+01', 2],
		['2026-03-29 00:00:00+01', 3],
		['2026-03-30 00:00:00+02', 4],
	] as const
	const askDays = async ({ groups }: { readonly groups: readonly unknown[] }, timeZone = 'Europe/Budapest') => ({
		columns: [],
		rows: groups.length === 0 ? [[9, '2026-03-28 10:00:00+01', '2026-05-20 10:00:00+02']] : days,
		isTruncated: false,
		notices: [],
		timeZone,
	})
	const { buckets, timeZone } = await readHistogram({ query, column }, askDays)
	expect(timeZone).toBe('Europe/Budapest')
	expect(buckets.slice(0, 4)).toEqual([
		{ from: at('2026-03-27T23:00Z'), to: at('2026-03-28T23:00Z'), count: 2 },
		{ from: at('2026-03-28T23:00Z'), to: at('2026-03-29T22:00Z'), count: 3 },
		{ from: at('2026-03-29T22:00Z'), to: at('2026-03-30T22:00Z'), count: 4 },
		{ from: at('2026-03-30T22:00Z'), to: at('2026-03-31T22:00Z'), count: 0 },
	])
	const unknown = readHistogram({ query, column }, asked => askDays(asked, '<+02>-02'))
	await expect(unknown).rejects.toThrow('need the zone <+02>-02')
})

test('bars are not split by what the engine computes for a query and cannot filter by', () => {
	const score: Column = { ...column, name: '_score', type: 'float', kind: 'number' }
	expect(canSplit(score)).toBe(true)
	expect(canSplit({ ...score, filterFields: [{ name: '_score', kind: 'number', operators: [] }] })).toBe(false)
})
