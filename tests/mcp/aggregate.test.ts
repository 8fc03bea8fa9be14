import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServer } from '../../plugins/postgres/servers/server.ts'
import { startEndpoint } from './endpoint.ts'

/** The order of groups, as a client asks for it. */

const schema = `create table logs (at timestamp, n int);
insert into logs select '2026-01-01'::timestamp + i * interval '1 day', i from generate_series(0, 99) i`

test('a direction alone orders by the first group, so that the limit keeps the newest times', async () => {
	await using server = await startServer({ schema })
	await using fixture = await startEndpoint({
		drivers: [join(import.meta.dirname, '..', '..', 'plugins', 'postgres')],
		desk: { ask: async () => ({ decision: 'approved' }) },
	})
	const { id } = await fixture.addConnection({ driverId: 'postgres', settings: server.settings })
	const ask = async (more: object) => {
		const args = { connection_id: id, table: 'public.logs', group_by: [{ column: 'at', interval: '1d' }], max_rows: 2 }
		return (await fixture.callTool('aggregate', { ...args, ...more })).json.result.structuredContent
	}
	const days = async (more: object) => (await ask(more)).rows.map(([day]: [string]) => day.slice(0, 10))
	expect(await days({ direction: 'desc' })).toEqual(['2026-04-10', '2026-04-09'])
	expect(await days({})).toEqual(['2026-01-01', '2026-01-02'])
	expect((await ask({ direction: 'desc' })).is_truncated).toBe(true)
	const measures = [{ function: 'max', column: 'n' }]
	expect(await days({ measures, order_by: 'max(n)' })).toEqual(['2026-04-10', '2026-04-09'])
})
