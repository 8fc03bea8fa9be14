import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServer } from '../../plugins/postgres/servers/server.ts'
import { startEndpoint } from './endpoint.ts'

/** What an error says names what was asked for, at its place. */

const schema = 'create table orders (id int primary key, customer_id int); insert into orders values (7, 1)'

test('an error quotes the place that it is about, and a text that is no row id is called that', async () => {
	await using server = await startServer({ schema })
	await using fixture = await startEndpoint({
		drivers: [join(import.meta.dirname, '..', '..', 'plugins', 'postgres')],
		desk: { ask: async () => ({ decision: 'approved' }) },
	})
	const { id } = await fixture.addConnection({ driverId: 'postgres', settings: server.settings })
	const say = async (name: string, args: object) => {
		const { result } = (await fixture.callTool(name, { connection_id: id, ...args })).json
		return [result.content[0].text, ...(result.structuredContent?.outcomes ?? []).map(JSON.stringify)].join(' ')
	}
	const unknown = 'column "custmer_id" does not exist»'
	for (const tool of ['query', 'execute_query'])
		expect(await say(tool, { query: 'select custmer_id from orders limit 1' })).toContain(
			`${unknown} At line 1: "custmer_id from orders limit 1". Its hint: `,
		)
	const update = 'update orders\nset customer_id = custmer_id where id = 7'
	expect(await say('execute_query', { query: update })).toContain(`${unknown} At line 2: "custmer_id where id = 7".`)
	expect(await say('explain_query', { query: 'select custmer_id from orders' })).toContain(`${unknown} Its hint: `)
	const condition = await say('browse_table', { table: 'public.orders', raw: 'custmer_id = 1' })
	expect(condition).toMatch(/reference the column "customer_id"\.» Engine code: 42703\.$/)
	const plain = await say('delete_rows', { table: 'public.orders', rows: [{ row_id: '8' }] })
	expect(plain).toBe(
		'not_found: PostgreSQL says: «8 is no row id of public.orders. Row ids come with the rows, as ["8"].»',
	)
	const gone = await say('delete_rows', { table: 'public.orders', rows: [{ row_id: '["8"]' }] })
	expect(gone).toContain('The row was deleted meanwhile')
})
