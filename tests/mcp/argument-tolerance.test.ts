import type { JsonObject } from '@roundhouse/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'

/** Tests arguments in the forms that models and strict clients send, and the suggestions in error messages. */

let fixture: EndpointFixture
let connectionId: string
beforeAll(async () => {
	fixture = await startEndpoint()
	connectionId = (await fixture.addConnection()).id
})
afterAll(() => fixture[Symbol.asyncDispose]())

const call = async (name: string, args: JsonObject) =>
	(await fixture.callTool(name, { connection_id: connectionId, ...args })).json.result

test.each<[string, JsonObject, JsonObject]>([
	['browse_table', { columns: [], filters: null, sort: null, raw: '', match: '', cursor: '', max_rows: null }, {}],
	['count_rows', { filters: '', match: null, raw: null }, {}],
])('%s treats the empty values of %j as omitted', async (tool, args, plain) => {
	const answer = await call(tool, { table: 'accounts', ...args })
	expect(answer.isError).toBeUndefined()
	expect(answer.structuredContent).toEqual((await call(tool, { table: 'accounts', ...plain })).structuredContent)
})

test.each<[string, JsonObject, string]>([
	[
		'browse_table',
		{ max_row: 5 },
		'there is no argument "max_row". Did you mean max_rows? Valid arguments: connection_id, table,',
	],
	['browse_table', { filters: [{ column: 'balance', op: 'equals' }] }, 'filters.0: there is no argument "op".'],
	['browse_table', { ['x'.repeat(5_000)]: 1 }, 'Valid arguments: connection_id, table,'],
	['count_rows', { index: 'accounts' }, 'there is no argument "index". Valid arguments: connection_id, table,'],
	['list_tables', { zzz: 1 }, 'there is no argument "zzz". Valid arguments: connection_id, match, cursor.'],
])('the error of %s for %j lists the valid arguments', async (tool, args, words) => {
	const { isError, content } = await call(tool, tool === 'list_tables' ? args : { table: 'accounts', ...args })
	expect([isError, content[0].text]).toEqual([true, expect.stringContaining(words)])
	expect(content[0].text).toMatch(/^invalid_argument: /)
	expect(content[0].text.length).toBeLessThan(400)
})

test.each(['insert_rows', 'update_rows'])('%s refuses a column that would be dropped', async tool => {
	const set = JSON.parse('{"title": "a", "__proto__": "b"}')
	const rows = tool === 'insert_rows' ? { rows: [set] } : { updates: [{ row_id: '1', set }] }
	const { content } = await call(tool, { table: 'accounts', ...rows })
	expect(content[0].text).toContain('A column cannot have the name __proto__.')
})

test('the error for a misspelt column suggests the most similar column name', async () => {
	const { content } = await call('browse_table', { table: 'accounts', columns: ['balanc'] })
	expect(content[0].text).toContain('Columns with a similar name: "balance".')
})
