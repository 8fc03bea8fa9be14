import type { GridOpening, GridQuery, Row } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../connect.ts'
import type { SearchConnection } from '../../connection.ts'
import { call, decode } from '../fixture.ts'
import { keyword } from './documents.ts'
import type { EngineUnderTest } from './subject.ts'

/** Contract of the pages of an AI client, which closes its grid behind each page. */
export function describeHeldPages(engine: EngineUnderTest) {
	let client: SearchConnection
	beforeAll(async () => {
		const settings = { hosts: engine.url, auth: 'none' }
		client = await connect(settings, directContext({ costLimitRows: 1_000_000 }), call())
	})
	afterAll(() => client.close())

	async function page(query: GridQuery, offset: number, limit: number, after?: GridOpening['after']) {
		const grid = await client.openGrid({ ...query, givesPositions: true, ...(after && { after }) }, call())
		try {
			return decode(await grid.page({ offset, limit }, call()))
		} finally {
			await grid.close()
		}
	}
	/** The border behind a row. */
	const behind = (offset: number, row: Row | undefined) => ({ offset, position: row?.position ?? '' })
	const idOf = ({ cells }: Row) => String(cells[0])

	test.each(['in its own order', 'sorted by a column with twins'])('a table %s is paged beside writers', async how => {
		const table = `${engine.table}-held-${how.length}`
		await engine.createTable(table, { properties: { group: keyword } })
		const ids = Array.from({ length: 30 }, (_, index) => `d${String(index).padStart(2, '0')}`)
		await engine.bulk(
			table,
			ids.map((id, index) => [id, JSON.stringify({ group: `g${index % 2}` })] as const),
		)
		const sort = how.startsWith('sorted') ? [{ column: 'group', direction: 'desc' } as const] : []
		const query = engine.queryOf({ table, sort })
		const rows: Row[] = []
		for (let read = await page(query, 0, 7); read.rows.length > 0; ) {
			rows.push(...read.rows)
			expect(read.total).toEqual({ value: 30, isExact: true })
			// Of another client: before the border, at it, and behind it.
			const [first, last] = [rows[rows.length - 7], rows.at(-1)].map(row => row && idOf(row))
			const next = ids.find(id => !rows.some(row => idOf(row) === id))
			for (const id of new Set([first, last, next])) await engine.request('DELETE', `/${table}/_doc/${id}?refresh=true`)
			await engine.bulk(table, [[`new-${rows.length}`, '{"group":"g1"}']])
			read = await page(query, rows.length, 7, behind(rows.length, rows.at(-1)))
		}
		expect(rows.map(idOf).toSorted()).toEqual(ids)
		await engine.request('DELETE', `/${table}`)
	})

	test('a border is refused for another query, and a view that was closed is said', async () => {
		const query = engine.queryOf({ table: engine.largeTable, sort: [{ column: 'n', direction: 'asc' }] })
		const first = await page(query, 0, 5)
		const border = behind(5, first.rows.at(-1))
		const other = page({ ...query, sort: [{ column: 'n', direction: 'desc' }] }, 5, 5, border)
		await expect(other).rejects.toMatchObject({ code: 'invalid_argument' })
		// More tables than are held: none of these is denied, and the first view is closed.
		for (let index = 0; index < 25; index++) {
			const filters = [{ column: 'n', operator: 'less', values: [String(1_000 + index)] } as const]
			await page({ ...query, filters }, 0, 5)
		}
		const later = await page(query, 5, 5, border)
		expect(later.notices.join()).toContain('Rows may have moved')
		expect(later.rows.map(idOf)).toEqual(['5', '6', '7', '8', '9'])
		const next = await page(query, 10, 5, behind(10, later.rows.at(-1)))
		expect(next.rows.map(idOf)).toEqual(['10', '11', '12', '13', '14'])
		expect(next.notices.join()).not.toContain('moved')
	})

	test.each([
		'asc',
		'desc',
	] as const)('rows of two tables come once, %s by a date of a format with missing values', async direction => {
		const names = ['a', 'b'].map(name => `${engine.table}-format-${direction}-${name}`)
		const day = { type: 'date', format: 'dd/MM/yyyy' }
		for (const name of names) {
			await engine.createTable(name, { properties: { day } })
			const rows = Array.from({ length: 25 }, (_, n) => {
				const shown = `${String(1 + ((n * 7) % 28)).padStart(2, '0')}/0${1 + (n % 9)}/20${10 + n}`
				return [`${name}-${n}`, n % 3 === 0 ? '{}' : JSON.stringify({ day: shown })] as const
			})
			await engine.bulk(name, rows)
		}
		const query = engine.queryOf({ table: names.join(','), sort: [{ column: 'day', direction }] })
		// The shards disagree by chance.
		for (let round = 0; round < 5; round++) {
			const behindRows: Row[] = []
			const byOffset: Row[] = []
			const grid = await engine.connection.openGrid(query, call())
			for (let offset = 0; offset < 50; offset += 7) {
				const border = offset === 0 ? undefined : behind(offset, behindRows.at(-1))
				behindRows.push(...(await page(query, offset, 7, border)).rows)
				byOffset.push(...decode(await grid.page({ offset, limit: 7 }, call())).rows)
			}
			await grid.close()
			expect(new Set(behindRows.map(idOf)).size).toBe(50)
			expect(byOffset.map(idOf).toSorted()).toEqual(behindRows.map(idOf).toSorted())
		}
		for (const name of names) await engine.request('DELETE', `/${name}`)
	})

	test('rows that are all on the first page need no view', async () => {
		const { rows } = await page(engine.queryOf(), 0, 100)
		expect(rows.length).toBeGreaterThan(0)
		expect(rows.filter(({ position }) => position !== undefined)).toEqual([])
	})
}
