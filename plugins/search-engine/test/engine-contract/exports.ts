import { expect, test } from 'vitest'
import { call } from '../fixture.ts'
import { documents, keyword } from './documents.ts'
import type { EngineUnderTest } from './subject.ts'

export function describeExports(engine: EngineUnderTest) {
	async function exported(index: string, format: 'ndjson' | 'json' | 'csv', columns?: readonly string[]) {
		const file = await engine.connection.openExport(
			engine.queryOf({ table: index }),
			{ format, ...(columns && { columns }) },
			call(),
		)
		let text = ''
		for (let piece = await file.read(call()); piece !== undefined; piece = await file.read(call())) {
			text += new TextDecoder().decode(piece)
		}
		await file.close()
		return text
	}

	test('an export contains every document once, as it was written', async () => {
		const lines = (await exported(engine.largeTable, 'ndjson')).trimEnd().split('\n')
		expect(new Set(lines).size).toBe(10_500)
		expect((await exported(engine.table, 'ndjson')).split('\n')).toContain(
			`{"_index":"${engine.table}","_id":"a","_source":${documents.find(([id]) => id === 'a')?.[1]}}`,
		)
		expect(await exported(engine.table, 'csv')).toContain('9223372036854775807')
	})

	test('a CSV of chosen columns has the values of the whole CSV', async () => {
		const table = `${engine.table}-chosen`
		await engine.createTable(table, { properties: { n: { type: 'long' }, d: { type: 'double' }, 'o.k': keyword } })
		await engine.bulk(table, [
			['1', '{"n":9223372036854775807,"d":1.10,"o":[{"k":"a"},{"x":1}]}'],
			['2', '{"n":[],"o.k":"b"}'],
			['3', '{"o":{"k":null}}'],
		])
		const columns = ['_id', 'n', 'o.k']
		const [some, all] = [
			await exported(table, 'csv', columns),
			// A decimal column needs the whole document.
			await exported(table, 'csv', [...columns, 'd']),
		]
		expect(all.replaceAll(/,[^,]*\r\n/g, '\r\n')).toBe(some)
		expect(all).toContain(',1.10\r\n')
		await engine.request('DELETE', `/${table}`)
	})
}
