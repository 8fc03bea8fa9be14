import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { overHttp, overStdio } from '../support/clients.ts'
import { type Ready, Roundhouse } from '../support/roundhouse.ts'

/** The first session of an AI client: the official client, by HTTP and through the bridge, on a saved connection. */
describe.each(['HTTP', 'the stdio bridge'])('an AI client over %s', way => {
	let roundhouse: Roundhouse
	let ready: Ready
	let client: Client
	let connection = ''

	beforeAll(async () => {
		roundhouse = await Roundhouse.make()
		connection = await roundhouse.addSample('--ai-policy', 'allow')
		const token = await roundhouse.addToken('read-only')
		ready = await roundhouse.serve()
		client = way === 'HTTP' ? await overHttp(ready.mcp.url, token) : await overStdio(roundhouse)
	})
	afterAll(async () => {
		await client?.close()
		await roundhouse?.[Symbol.asyncDispose]()
	})

	const call = async (name: string, args: Record<string, unknown>) => {
		const result = await client.callTool({ name, arguments: args })
		expect(result.isError ?? false, JSON.stringify(result.content)).toBe(false)
		return result.structuredContent as Record<string, never>
	}

	test('discovers the server in the modern era', () => {
		expect(client.getProtocolEra()).toBe('modern')
		expect(client.getServerVersion()?.name).toBe('roundhouse')
		expect(client.getInstructions()).toContain('list_connections')
	})

	test('lists the tools that it may call', async () => {
		const { tools } = await client.listTools()
		const names = tools.map(tool => tool.name)
		for (const name of ['list_connections', 'describe_table', 'browse_table', 'execute_query'])
			expect(names).toContain(name)
	})

	test('lists the connections', async () => {
		const { connections } = await call('list_connections', {})
		expect(connections).toMatchObject([{ id: connection, name: 'Sample' }])
	})

	test('describes and browses a table', async () => {
		const description = await call('describe_table', { connection_id: connection, table: 'books' })
		expect(JSON.stringify(description)).toContain('author.born')
		const page = await call('browse_table', { connection_id: connection, table: 'books', max_rows: 5 })
		expect(page.rows).toHaveLength(5)
	})

	test('runs a console request, and large integers keep their digits', async () => {
		const query = 'GET /books/_search\n{"size": 1, "_source": ["isbn", "barcode"]}'
		const result = await client.callTool({ name: 'execute_query', arguments: { connection_id: connection, query } })
		const [text] = result.content as { text: string }[]
		expect(text?.text).toMatch(/"rows":\[\["1","books",1\.0,"9029950253147084324","17144233728206122483"\]\]/)
	})

	test('gets a clear error for a missing table', async () => {
		const result = await client.callTool({
			name: 'browse_table',
			arguments: { connection_id: connection, table: 'nothing' },
		})
		expect(result.isError).toBe(true)
		expect((result.content as { text: string }[])[0]?.text).toMatch(/^not_found/)
	})

	test('is refused while the settings switch the endpoint off', async () => {
		const setEnabled = (value: boolean) =>
			roundhouse.withHost(host => host.call('settings.write', { key: 'mcp.enabled', value }))
		const ping = async () => (await fetch(ready.mcp.url, { method: 'POST', body: '{}' })).status
		await setEnabled(false)
		expect(await ping()).toBe(503)
		await setEnabled(true)
		expect(await ping()).toBe(401)
	})
})
