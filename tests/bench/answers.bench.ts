import { answerBytes } from '../../host/mcp/exposed/framework/fitted.ts'
import { startPausableSample } from '../support/pausable-sample.ts'
import { Roundhouse } from '../support/roundhouse.ts'

/**
 * Measures the largest answer of each tool that reads, as a client gets it, on a table with 10,000 columns and on
 * documents of three megabytes with long texts, lists and many members. The limit is that of the host for a result.
 */

type Arguments = Readonly<Record<string, unknown>>

const tables = ['wide', 'heavy', 'heavy,wide']
const text = 'a text with "quotes", a line break\n and \u202e'

/** Calls by tool, with all that makes their answers large. */
const calls: Readonly<Record<string, readonly Arguments[]>> = {
	list_connections: [{}],
	connect: [{}],
	get_connection_status: [{}],
	overview: [{}, { match: 'field' }],
	list_tables: [{}],
	describe_table: [...tables.map(table => ({ table })), { table: 'wide', match: 'field' }],
	search_schema: [{ term: 'field' }],
	browse_table: [...tables.map(table => ({ table, max_rows: 10_000 })), { table: 'heavy', columns: ['text'] }],
	count_rows: [{ table: 'heavy' }],
	aggregate: [{ table: 'heavy', group_by: [{ column: 'list' }], max_rows: 1_000 }],
	query: tables.map(table => ({ query: `GET /${table}/_search?size=100`, max_rows: 10_000 })),
	explain_query: [{ query: 'GET /heavy/_search' }, { browse: { table: 'wide' } }],
	list_recent_queries: [{ limit: 500 }],
	search_engine_analyze: [{ text: text.repeat(500), analyzer: 'standard' }],
	search_engine_cluster_health: [{}],
	search_engine_get_document: [
		{ index: 'heavy', id: '1' },
		{ index: 'wide', id: '1' },
	],
	search_engine_search: tables.map(index => ({ index, query: { match_all: {} }, size: 100 })),
}

async function fill(clusterUrl: string): Promise<void> {
	const put = async (path: string, document: object) => {
		const headers = { 'content-type': 'application/json' }
		const response = await fetch(clusterUrl + path, { method: 'PUT', headers, body: JSON.stringify(document) })
		if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
	}
	const members = (count: number) =>
		Object.fromEntries(Array.from({ length: count }, (_, at) => [`a_long_name_of_a_field_${at}`, at]))
	await put('/wide', { settings: { 'index.mapping.total_fields.limit': 20_000 } })
	await put('/wide/_doc/1', members(10_000))
	for (let id = 0; id < 5; id++) {
		const list = Array.from({ length: 20_000 }, (_, at) => at)
		await put(`/heavy/_doc/${id}`, {
			text: text.repeat(40_000),
			long: '9'.repeat(1_000_000),
			list,
			object: members(500),
		})
	}
}

/** Sends a request as a client of the current revision. Returns the bytes of the answer, and whether it is a result. */
async function send(to: { url: string; token: string }, method: string, params: Arguments): Promise<string> {
	const [version, prefix] = ['2026-07-28', 'io.modelcontextprotocol']
	const _meta = { [`${prefix}/protocolVersion`]: version, [`${prefix}/clientCapabilities`]: {} }
	const response = await fetch(to.url, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			accept: 'application/json, text/event-stream',
			authorization: `Bearer ${to.token}`,
			'mcp-protocol-version': version,
			'mcp-method': method,
			...(typeof params.name === 'string' && { 'mcp-name': params.name }),
		},
		body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
	})
	return response.text()
}

export async function bench(): Promise<void> {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.install()
	const sample = await startPausableSample()
	roundhouse.onDispose(() => sample.close())
	await fill(sample.url)
	const { url } = (await roundhouse.serve(['--no-ui'])).mcp
	const to = { url, token: await roundhouse.addToken('read-only', ['core', 'diagnose']) }
	const settings = { hosts: sample.url, auth: 'none' }
	await roundhouse.withHost(host =>
		host.call('connections.add', {
			driverId: 'search-engine',
			name: 'Hostile',
			settings,
			externalAccess: 'read-only',
			aiPolicy: 'allow',
		}),
	)
	const { result } = JSON.parse(await send(to, 'tools/list', {}))
	console.log(`Limit of a result: ${answerBytes} bytes. Clients get it as text too, where no summary stands for it.\n`)
	console.log('| tool | largest result, bytes | as text, bytes | failed calls |')
	console.log('| - | - | - | - |')
	for (const { name, annotations } of result.tools) {
		if (!annotations.readOnlyHint || name === 'open_in_window') continue
		const answers = await Promise.all(
			(calls[name] ?? []).map(async args => JSON.parse(await send(to, 'tools/call', { name, arguments: args }))),
		)
		const largest = (of: (answer: { result: Arguments }) => unknown) =>
			Math.max(...answers.map(answer => Buffer.byteLength(JSON.stringify(of(answer)) ?? '')))
		const failed = answers.filter(({ error, result }) => error !== undefined || result.isError)
		const [structured, texts] = [
			largest(({ result }) => result?.structuredContent),
			largest(({ result }) => result?.content),
		]
		console.log(`| ${name} | ${structured} | ${texts} | ${failed.length} of ${answers.length} |`)
		for (const { error, result } of failed) console.error(JSON.stringify(error ?? result).slice(0, 200))
	}
}
