import { type Cell, denseCells, fromCell, isJsonObject, isUnreadCell } from '@roundhouse/kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readerOf } from '../../mapping/source.ts'
import { call, decode } from '../fixture.ts'
import { keyword } from './documents.ts'
import type { EngineUnderTest } from './subject.ts'

const count = 30
/** The three of each document do not fit into one answer of 32 MiB. */
const longText = 'é'.repeat(500_000)
const unindexed = { type: 'text', index: false } as const

/** Contract of documents that are too large for a page: large values are left out, and no part of a value looks whole. */
export function describeLargeValues(engine: EngineUnderTest) {
	describe('documents too large for a page', () => {
		const table = `${engine.table}-large`
		beforeAll(async () => {
			await engine.createTable(table, { dynamic: false, properties })
			for (let n = 0; n < count; n++) await engine.bulk(table, [[String(n), JSON.stringify(documentOf(n))]])
		})
		afterAll(() => engine.request('DELETE', `/${table}`))

		test.each([
			['in the order of a number', [{ column: 'n', direction: 'asc' }] as const],
			['in no order', []],
		])('the page %s leaves out the large values, and names them', async (_, sort) => {
			const grid = await engine.connection.openGrid({ ...engine.queryOf({ table }), sort: [...sort] }, call())
			const bytes = await grid.page({ offset: 0, limit: count }, call())
			const { columns, rows, total, notices, request } = decode(bytes)
			await grid.close()
			expect(bytes.length).toBeLessThan(200_000)
			expect(total).toEqual({ value: count, isExact: true })
			const [, names = ''] =
				/Pages leave out large values: (.*)\. They are read with the whole row\./.exec(notices.join()) ?? []
			expect(names.split(', ').sort()).toEqual(['file.content', 'parts.text', 'scan'])
			expect(request).toContain('"excludes"')
			const unread = new Set<string>()
			for (const row of rows) {
				const cells = denseCells(row, columns.length)
				const source = documentOf(Number(cells[0]))
				for (const [index, { name, type }] of columns.entries()) {
					const cell = cells[index] as Cell
					if (isUnreadCell(cell)) unread.add(name)
					else if (!type.startsWith('_') && name !== '_score')
						expect(fromCell(cell), name).toEqual(readerOf(name === 'copy' ? 'file.name' : name)(source))
				}
			}
			expect([...unread].sort()).toEqual(['file.content', 'parts.size', 'parts.text', 'scan'])
		})

		test('numbers keep their digits, so nothing is left out beside a decimal number', async () => {
			const decimals = `${table}-decimals`
			await engine.createTable(decimals, { dynamic: false, properties: { ...properties, price: { type: 'double' } } })
			for (let n = 0; n < count; n++) {
				const text = JSON.stringify(documentOf(n)).replace('{', '{"price":1.10,"exact":0.1234567890123456789,')
				await engine.bulk(decimals, [[String(n), text]])
			}
			const grid = await engine.connection.openGrid(engine.queryOf({ table: decimals }), call())
			const { columns, rows } = decode(await grid.page({ offset: 0, limit: count }, call()))
			await grid.close()
			for (const row of rows) {
				const cells = denseCells(row, columns.length)
				const cellOf = (name: string) => cells[columns.findIndex(column => column.name === name)]
				expect([cellOf('price'), cellOf('exact')]).toEqual([{ number: '1.10' }, { number: '0.1234567890123456789' }])
				expect(isUnreadCell(cellOf('scan') ?? null)).toBe(false)
			}
			await engine.request('DELETE', `/${decimals}`)
		})

		test('a row is read whole, also after an edit of another value', async () => {
			const grid = await engine.connection.openGrid(engine.queryOf({ table }), call())
			const { columns, rows } = decode(await grid.page({ offset: 0, limit: count }, call()))
			await grid.close()
			const row = rows.find(({ cells }) => cells[0] === '7')
			const version = row?.version
			expect(columns.map(({ name }) => name)).toContain('scan')
			const [outcome] = await engine.connection.applyChanges(
				table,
				[
					{
						kind: 'update',
						rowId: row?.id ?? '',
						...(version !== undefined && { version }),
						set: { 'file.name': 'seven' },
					},
				],
				call(),
			)
			expect(outcome).toMatchObject({ status: 'applied' })
			const expected = documentOf(7)
			const { body } = await engine.request('GET', `/${table}/_doc/7`)
			expect(isJsonObject(body) && body._source).toEqual({ ...expected, file: { ...expected.file, name: 'seven' } })
		})
	})
}

const properties = {
	n: { type: 'integer' },
	file: { properties: { name: keyword, content: unindexed } },
	copy: { type: 'alias', path: 'file.name' },
	pages: { type: 'nested', properties: { number: { type: 'integer' }, text: unindexed } },
	parts: { properties: { text: unindexed, size: { type: 'integer' } } },
}

/** `scan` is not in the mapping. `pages` is shown as a whole, so that no part of it is left out. */
function documentOf(n: number) {
	return {
		n,
		file: { name: `file ${n}`, content: longText },
		pages: [{ number: 1, text: 'short' }],
		// Without its text, the first element is empty.
		parts: [{ text: longText }, { text: 'b', size: 2 }],
		scan: longText,
	}
}
