import type { FactSection, JsonObject } from '@roundhouse/kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tools } from '../../tools/index.ts'
import { call, decode, statement } from '../fixture.ts'
import { serverlessProxy } from '../serverless-proxy.ts'
import { describeEdits } from './edits.ts'
import { describeExports } from './exports.ts'
import { describeGrid } from './grid.ts'
import { type Engine, EngineUnderTest } from './subject.ts'
import { describeVectors } from './vectors.ts'

/**
 * Tests of the driver on a cluster of 9.2 or later that answers as Elasticsearch Serverless: it has what Serverless
 * offers, and the driver requests nothing else by itself.
 */
export function describeServerless(name: string, open: () => Promise<Engine>) {
	describe(`${name}, as Elasticsearch Serverless`, () => {
		let proxy: Awaited<ReturnType<typeof serverlessProxy>>
		const engine = new EngineUnderTest(async () => {
			const { url, close } = await open()
			proxy = await serverlessProxy(url)
			return {
				url,
				hosts: proxy.hosts,
				close: async () => {
					await proxy[Symbol.asyncDispose]()
					await close()
				},
			}
		})
		beforeAll(() => engine.open())
		afterAll(() => engine.close())

		const run = async (text: string) =>
			decode(await engine.connection.console.run(statement(engine.connection, text), { maxRows: 10 }, call()))
		const use = async (tool: string, args: JsonObject) => {
			const asked = { ...call(), connection: engine.connection, clientCapabilities: {}, inputResponses: {} }
			return tools[tool]?.(args, asked)
		}
		const offered = async (text: string) =>
			(await engine.connection.console.complete(text, text.length, call())).options.map(({ label }) => label)

		test('says what it is', async () => {
			expect(engine.connection.info()).toMatchObject({
				product: 'Elasticsearch',
				version: 'Serverless',
				notices: expect.anything(),
			})
		})

		describeGrid(engine)
		describeEdits(engine)
		describeExports(engine)
		describeVectors(engine)

		test('lists tables with their sizes and numbers of documents', async () => {
			const tables = await engine.connection.listTables(call())
			expect(tables.find(({ name }) => name === engine.largeTable)).toMatchObject({
				rowCount: 10_500,
				sizeBytes: expect.any(Number),
			})
			expect(await engine.connection.findTables(`${engine.table}*`, call())).toMatchObject([{ kind: 'pattern' }])
			expect(await engine.connection.countRows(engine.queryOf({ table: engine.largeTable }), call())).toEqual({
				value: 10_500,
				isExact: true,
			})
		})

		test('says which facts Serverless does not offer, and shows the others', async () => {
			const missing = (sections: readonly FactSection[]) =>
				sections.filter(({ notice }) => notice === 'Elasticsearch Serverless does not offer this.')
			const cluster = await engine.connection.readFacts(undefined, call())
			expect(missing(cluster)).toEqual(
				[
					'Health',
					'Nodes',
					'Moving or unassigned shards',
					'Tasks',
					'Settings',
					'Legacy templates',
					'Lifecycle policies',
					'Snapshot repositories',
				].map(title => ({ title, notice: expect.anything() })),
			)
			expect(cluster.map(({ title }) => title)).toEqual(
				expect.arrayContaining(['Aliases', 'Index templates', 'Ingest pipelines']),
			)
			const index = await engine.connection.readFacts(engine.table, call())
			expect(missing(index).map(({ title }) => title)).toEqual(['Shards', 'Statistics'])
			expect(index.find(({ title }) => title === 'Overview')?.facts).toContainEqual({
				name: 'Size',
				value: expect.anything(),
			})
			expect(index.find(({ title }) => title === 'Settings')?.facts?.length).toBeGreaterThan(0)
		})

		test('the tools of AI clients work, and the health of the cluster is refused', async () => {
			const found = { structuredContent: expect.objectContaining({ hits: [expect.anything()] }) }
			expect(await use('search', { index: engine.table, query: { term: { tag: 'green' } } })).toMatchObject(found)
			for (const [tool, args] of [
				['get_document', { index: engine.table, id: 'a' }],
				['get_mapping', { index: engine.table }],
				['aggregate', { index: engine.table, aggs: { tags: { terms: { field: 'tag' } } } }],
				['list_aliases', {}],
				['analyze', { text: 'Two Words' }],
			] as const) {
				expect(await use(tool, args), tool).toMatchObject({ structuredContent: expect.anything() })
			}
			await expect(use('cluster_health', {})).rejects.toMatchObject({
				code: 'unsupported',
				message: 'Elasticsearch Serverless does not offer this.',
			})
		})

		test('completes only what Serverless offers', async () => {
			expect(await offered('GET /_cat/')).toEqual(expect.arrayContaining(['indices', 'aliases', 'count']))
			expect(await offered('GET /_cat/')).not.toContain('shards')
			expect((await offered('GET /_c')).toSorted()).toEqual(['_cat', '_component_template', '_connector', '_count'])
			expect(await offered('PUT /_cluster/settings\n{ "persistent": { "')).toEqual([])
			expect(await offered('POST /_query\n{ "query": "TS')).toEqual(['TS'])
			expect(await offered(`GET /${engine.table}/_search\n{ "query": { "term": { "ta`)).toEqual(['tag'])
		})

		test('actions send only what Serverless accepts', async () => {
			const labels = async (names: readonly string[]) =>
				(await engine.connection.tableActions(names, call())).map(({ label }) => label)
			expect(await labels([engine.table])).toEqual([
				'Refresh',
				'Add an alias …',
				'Reindex …',
				'Change settings …',
				'Add a field …',
				'Import documents by _bulk …',
				'Delete',
			])
			const [create] = await engine.connection.tableActions([], call())
			expect(create?.form?.fields.map(({ key }) => key)).toEqual(['name', 'fields'])
			const values = { name: `${engine.table}-new`, fields: 'title: text' }
			const text = await engine.connection.fillAction({ form: 'create-index', tables: [], values }, call())
			expect(await run(text)).toMatchObject({ status: '200 OK' })
			const [, , , settings] = await engine.connection.tableActions([`${engine.table}-new`], call())
			expect(settings?.form?.fields.map(({ key }) => key)).toEqual(['refresh', 'others'])
			const filled = { form: 'change-settings', tables: [`${engine.table}-new`], values: { refresh: '5s' } }
			const change = await engine.connection.fillAction(filled, call())
			expect(change).not.toContain('number_of_replicas')
			expect(await run(change)).toMatchObject({ status: '200 OK' })
			expect(await run(`DELETE /${engine.table}-new`)).toMatchObject({ status: '200 OK' })
		})

		test.each([
			['as a request', 'POST /_query\n{ "query": "FROM books | KEEP title, n" }'],
			['alone', 'FROM books // all\n| KEEP title, n'],
		])('shows the rows of ES|QL %s', async (_, text) => {
			expect(engine.connection.console.analyse(text)).toMatchObject([{ access: 'read', summary: 'POST /_query' }])
			const { body } = await run(text)
			expect(body).toMatchObject({
				view: 'rows',
				columns: [{ name: 'title' }, { name: 'n' }],
				rows: [
					['One', 1],
					['Two', 2],
				],
			})
		})

		test('assesses a write and a deletion', async () => {
			const assess = (text: string) => engine.connection.console.assess(statement(engine.connection, text), call())
			expect(await assess(`PUT /${engine.table}-unknown/_doc/1\n{}`)).toEqual({ affects: { value: 1, isExact: true } })
			expect(await assess('PUT /_ilm/policy/mine\n{}')).toEqual({})
			// Serverless refreshes every five seconds, so that a count may be older.
			expect(await assess(`DELETE /${engine.table}`)).toMatchObject({ affects: { value: 5, isExact: false } })
		})

		test('requested nothing that Serverless does not offer', () => {
			expect(proxy.requests.length).toBeGreaterThan(100)
			expect(proxy.refused).toEqual([])
		})

		test('shows the message of the engine for a typed request that Serverless does not offer', async () => {
			await expect(run('GET /_cat/shards?v')).rejects.toMatchObject({
				message:
					'Elasticsearch error: “api_not_available_exception: Request for uri [/_cat/shards?v] with method [GET] exists but is not available when running in serverless mode”',
			})
			await expect(run('PUT /new\n{ "settings": { "number_of_shards": 2 } }')).rejects.toMatchObject({
				message: expect.stringContaining(
					'Settings [index.number_of_shards] are not available when running in serverless mode',
				),
			})
		})
	})
}
