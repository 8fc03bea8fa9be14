import { denseCells } from '@roundhouse/kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, decode } from '../fixture.ts'
import { keyword } from './documents.ts'
import type { EngineUnderTest } from './subject.ts'

/** Contract of a table with ten thousand columns, whose documents have a few of them each. */
export function describeWideTables(engine: EngineUnderTest) {
	describe('a wide table', () => {
		const table = `${engine.table}-wide`
		beforeAll(async () => {
			await engine.createTable(table, { properties }, { 'index.mapping.total_fields.limit': 20_000 })
			await engine.bulk(
				table,
				Array.from({ length: 100 }, (_, n) => [
					String(n),
					`{"f${n * 90}":"fox","f${n * 90 + 1}":${n},"o":{"p":"${n}"}}`,
				]),
			)
		})
		afterAll(() => engine.request('DELETE', `/${table}`))

		test('the size of a page depends on its documents, not on the number of columns', async () => {
			const grid = await engine.connection.openGrid(engine.queryOf({ table }), call())
			const bytes = await grid.page({ offset: 0, limit: 100 }, call())
			await grid.close()
			const { columns, rows } = decode(bytes)
			expect(columns).toHaveLength(10_004)
			expect(bytes.length - JSON.stringify(columns).length).toBeLessThan(50_000)
			const at = (name: string) => columns.findIndex(column => column.name === name)
			const row = rows.find(({ cells }) => cells[0] === '7')
			const cells = denseCells(row ?? { cells: [] }, columns.length)
			expect([cells.length, cells[at('f630')], cells[at('f631')], cells[at('o.p')]]).toEqual([10_004, 'fox', 7, '7'])
			expect(cells[at('f632')]).toEqual({ missing: true })
		})

		test('the raw query finds words in all text fields', async () => {
			for (const [raw, count] of [
				['fox', 100],
				['fox OR dog', 100],
				['f630:fox', 1],
				['fox AND o.p:7', undefined],
			] as const) {
				const grid = await engine.connection.openGrid(engine.queryOf({ table, raw }), call())
				const { total, notices } = decode(await grid.page({ offset: 0, limit: 1 }, call()))
				await grid.close()
				const isNarrowed = notices.some(notice => notice.startsWith('The engine searches at most 1,024 fields at once'))
				if (count !== undefined) expect(total.value, raw).toBe(count)
				else expect(total.value === 1 || isNarrowed, raw).toBe(true)
			}
		})
	})
}

const properties = {
	...Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`f${n}`, n % 2 === 0 ? keyword : { type: 'long' }])),
	o: { properties: { p: keyword } },
}
