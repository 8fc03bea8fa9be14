import { DriverError, isJsonObject, parseJson, type Sort } from '@roundhouse/kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, decode } from '../fixture.ts'
import { keyword } from './documents.ts'
import type { EngineUnderTest } from './subject.ts'

/**
 * Contract of an index with a `max_result_window` of 200, which pages beyond 10,000 rows and exports must respect. Here
 * every distance of more than a few windows is a jump, so jumps are tested with a few thousand rows.
 */
export function describeNarrowWindow(engine: EngineUnderTest, { isReal }: { readonly isReal: boolean }) {
	describe('a lowered max_result_window', () => {
		const table = `${engine.table}-narrow`
		beforeAll(async () => {
			await engine.createTable(table, { properties }, { max_result_window: 200 })
			await engine.bulk(
				table,
				Array.from({ length: rowsInAll }, (_, n) => [String(n), source(n)] as const),
			)
		})
		afterAll(() => engine.request('DELETE', `/${table}`))

		const queryOf = (...sort: Sort[]) => engine.queryOf({ table, sort })

		async function exported(...sort: Sort[]): Promise<string[]> {
			const file = await engine.connection.openExport(queryOf(...sort), { format: 'ndjson' }, call())
			let text = ''
			for (let piece = await file.read(call()); piece !== undefined; piece = await file.read(call())) {
				text += new TextDecoder().decode(piece)
			}
			await file.close()
			const lines = text.trimEnd().split('\n').map(parseJson)
			return lines.map(line => (isJsonObject(line) ? String(line._id) : ''))
		}

		test('an export contains every row', async () => {
			expect(new Set(await exported()).size).toBe(rowsInAll)
		})

		test('an export learns the window from a rejection, if the settings cannot be read', async () => {
			// The mapping is cached, and the window is lowered afterwards.
			const query = queryOf()
			await engine.connection.countRows(query, call())
			await engine.request('PUT', `/${table}/_settings`, { index: { max_result_window: 180 } })
			const file = await engine.connection.openExport(query, { format: 'ndjson' }, call())
			await engine.request('PUT', `/${table}/_settings`, { index: { max_result_window: 150 } })
			let size = 0
			for (let piece = await file.read(call()); piece !== undefined; piece = await file.read(call())) {
				size += new TextDecoder().decode(piece).trimEnd().split('\n').length
			}
			expect(size).toBe(rowsInAll)
			await engine.request('PUT', `/${table}/_settings`, { index: { max_result_window: 200 } })
		})

		test('keeps the threshold of the contract; below it the engine rejects', async () => {
			const grid = await engine.connection.openGrid(queryOf(), call())
			await expect(grid.page({ offset: 150, limit: 100 }, call())).rejects.toThrow(DriverError)
			await grid.close()
		})

		// The sample sorts all of its rows for each search, so only one page is requested.
		test.each(
			isReal ? [sampleSort, ...moreSorts] : [sampleSort],
		)('distant pages contain the right rows, sorted by %o', async (...sort) => {
			const order = await exported(...sort)
			for (const offset of isReal ? [10_001, 10_100, 10_600, 11_900] : [10_100]) {
				const grid = await engine.connection.openGrid(queryOf(...sort), call())
				for (const at of isReal ? [offset, offset + 300] : [offset]) {
					const page = decode(await grid.page({ offset: at, limit: 300 }, call()))
					expect(
						page.rows.map(row => String(row.cells[0])),
						`at ${at}`,
					).toEqual(order.slice(at, at + 300))
					expect(page.total).toEqual({ value: rowsInAll, isExact: true })
				}
				await grid.close()
			}
		})
	})
}

const rowsInAll = 12_500

type Sorts = readonly (readonly [Sort, ...Sort[]])[]

const sampleSort: Sorts[number] = [
	{ column: 'ties', direction: 'desc' },
	{ column: 'n', direction: 'asc' },
]

const moreSorts: Sorts = [
	[{ column: 'unique', direction: 'asc' }],
	[{ column: 'several', direction: 'desc' }],
	[{ column: 'at', direction: 'asc' }],
	[{ column: 'title', direction: 'asc' }],
	[{ column: 'unique', direction: 'desc' }],
	[{ column: 'ties', direction: 'asc' }],
	[{ column: 'several', direction: 'asc' }],
	[{ column: 'n', direction: 'desc' }],
	[{ column: 'price', direction: 'desc' }],
	[{ column: 'part', direction: 'asc' }],
	[{ column: '_index', direction: 'asc' }],
]

const properties = {
	unique: keyword,
	ties: keyword,
	several: keyword,
	n: { type: 'long' },
	at: { type: 'date', format: 'dd/MM/yyyy' },
	price: { type: 'double' },
	/** Only in the last thousand rows. */
	part: keyword,
	title: { type: 'text', fields: { keyword: { ...keyword, ignore_above: 256 } } },
}

function source(n: number): string {
	const mixed = (n * 7919) % rowsInAll
	return JSON.stringify({
		unique: `word ${mixed.toString(36)}`,
		ties: `group ${n % 5}`,
		...(n % 9 !== 0 && { several: [`a${mixed % 613}`, `b${mixed % 911}`, `c${n % 11}`] }),
		n: mixed - 5_000,
		at: `${String((mixed % 28) + 1).padStart(2, '0')}/03/${2000 + (mixed % 97)}`,
		price: mixed / 7,
		...(n >= rowsInAll - 1_000 && { part: `p${n}` }),
		title: n % 2 === 0 ? `Title ${mixed}` : `Title ${mixed} ${'x'.repeat(300)}`,
	})
}
