import { expect, test } from 'vitest'
import { call } from '../fixture.ts'
import { documents } from './documents.ts'
import type { Subject } from './subject.ts'

/** Contract of exports. */
export function describeExports(on: Subject) {
	async function exported(index: string, format: 'ndjson' | 'json' | 'csv') {
		const file = await on.connection.openExport(on.queryOf({ table: index }), { format }, call())
		let text = ''
		for (let piece = await file.read(call()); piece !== undefined; piece = await file.read(call())) {
			text += new TextDecoder().decode(piece)
		}
		await file.close()
		return text
	}

	test('an export contains every document once, as it was written', async () => {
		const lines = (await exported(on.many, 'ndjson')).trimEnd().split('\n')
		expect(new Set(lines).size).toBe(10_500)
		expect((await exported(on.table, 'ndjson')).split('\n')).toContain(
			`{"_index":"${on.table}","_id":"a","_source":${documents.find(([id]) => id === 'a')?.[1]}}`,
		)
		expect(await exported(on.table, 'csv')).toContain('9223372036854775807')
	})
}
