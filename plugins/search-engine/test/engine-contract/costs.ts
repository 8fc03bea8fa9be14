import { directContext } from '@roundhouse/kit/testing'
import { expect, test } from 'vitest'
import { connect } from '../../connect.ts'
import { call } from '../fixture.ts'
import type { EngineUnderTest } from './subject.ts'

/**
 * Contract of cost limits: the engine reports how many documents match, for searches and for exports from a point in
 * time.
 */
export function describeCosts(engine: EngineUnderTest) {
	test('rejects an expensive query over a large table, unless the rest of the query narrows it', async () => {
		const client = await connect({ hosts: engine.url, auth: 'none' }, directContext({ costLimitRows: 10_000 }), call())
		try {
			const query = (value: string) => ({
				table: engine.largeTable,
				filters: [
					{ column: 'm', operator: 'ends_with', values: ['1'] },
					{ column: 'n', operator: 'less', values: [value] },
				] as const,
				match: 'all' as const,
				sort: [],
			})
			const exported = async (value: string) => {
				const file = await client.openExport(query(value), { format: 'ndjson' }, call())
				return file.read(call()).finally(() => file.close())
			}
			const refused = { code: 'denied', message: expect.stringContaining('costs the cluster too much') }
			await expect(client.countRows(query('10400'), call())).rejects.toMatchObject(refused)
			await expect(exported('10400')).rejects.toMatchObject(refused)
			expect((await client.countRows(query('900'), call())).isExact).toBe(true)
			await exported('900')
		} finally {
			await client.close()
		}
	})
}
