import { expect, test } from 'vitest'
import { call, statement } from '../fixture.ts'
import type { EngineUnderTest } from './subject.ts'

/** Contract of messages when the engine rejects a request or fails. */
export function describeRefusals(engine: EngineUnderTest) {
	const run = (text: string) =>
		engine.connection.console.run(statement(engine.connection, text), { maxRows: 10 }, call())

	test('reports a write to a blocked index as blocked', async () => {
		await engine.request('PUT', `/${engine.largeTable}/_settings`, { 'index.blocks.write': true })
		try {
			await expect(run(`PUT /${engine.largeTable}/_doc/blocked\n{}`)).rejects.toMatchObject({
				code: 'query_failed',
				message: expect.stringMatching(/cluster_block_exception.*The index does not accept writes/),
			})
		} finally {
			await engine.request('PUT', `/${engine.largeTable}/_settings`, { 'index.blocks.write': null })
		}
	})

	// 8.19 and later answer 400.
	test.each([
		[{ _source: ['n'] }, [400, 500], '[stored_fields] cannot be disabled if [_source] is requested'],
		[{ fields: ['n'] }, [400, 500], '[stored_fields] cannot be disabled when using the [fields] option'],
		[{ stored_fields: ['_none_', 'n'] }, [400], 'cannot combine _none_ with other fields'],
	])('rejects a search without stored fields: %j', async (more, statuses, reason) => {
		const search = { stored_fields: '_none_', ...more }
		// A filter on the answer does not hide the reason of an error.
		for (const filter of ['', '?filter_path=hits.hits.sort']) {
			expect(await engine.errorOf('POST', `/${engine.largeTable}/_search${filter}`, search)).toMatchObject({
				status: expect.toBeOneOf(statuses),
				// 8.19 and later prefix it with "Validation Failed: 1: ".
				reason: expect.stringContaining(reason),
			})
		}
	})

	test('a search without stored fields returns sort values', async () => {
		const search = { stored_fields: '_none_', size: 1, sort: ['n'], docvalue_fields: ['n'] }
		const { body } = await engine.request('POST', `/${engine.largeTable}/_search?filter_path=hits.hits`, search)
		const [hit] = (body as { hits: { hits: object[] } }).hits.hits
		expect(Object.keys(hit ?? {}).filter(name => name !== '_type')).toEqual(['_index', '_score', 'fields', 'sort'])
	})

	test('returns complete answers, compressed or not, and none for HEAD', async () => {
		expect(await run(`HEAD /${engine.largeTable}`)).toBeDefined()
		expect(await run(`GET /${engine.largeTable}/_search?size=1000`)).toBeDefined()
		await expect(run(`GET /${engine.largeTable}/_search\n{"query": {"nope": {}}}`)).rejects.toThrow(
			'unknown query [nope]',
		)
	})
}

/** For a real cluster only: the sample loses no shard. */
export function describeRedIndex(engine: EngineUnderTest) {
	const conditions = async () => {
		const tables = await engine.connection.listTables(call())
		return Object.fromEntries(tables.map(({ name, condition }) => [name, condition?.state]))
	}

	test('lists the condition of a closed index, and no warning of a replica that a single node cannot have', async () => {
		const [shut, alone] = [`${engine.table}-closed`, `${engine.table}-alone`]
		await engine.createTable(shut, {})
		await engine.createTable(alone, {}, { number_of_replicas: 1 })
		try {
			await engine.request('POST', `/${shut}/_close`)
			const reported = await conditions()
			expect([reported[shut], reported[alone], reported[engine.largeTable]]).toEqual(['closed', undefined, undefined])
			const listed = await engine.connection.listTables(call())
			expect(listed.find(({ name }) => name === alone)?.details).toContainEqual({
				name: 'Health',
				value: 'yellow',
				state: 'warning',
			})
		} finally {
			await engine.request('DELETE', `/${shut}`)
			await engine.request('DELETE', `/${alone}`)
		}
	})

	test('reports an index without its shard as red', async () => {
		const red = `${engine.table}-red`
		const settings = { number_of_shards: 1, number_of_replicas: 0, 'index.routing.allocation.require._name': 'missing' }
		await engine.request('PUT', `/${red}?wait_for_active_shards=0`, { settings })
		try {
			const run = (text: string) =>
				engine.connection.console.run(statement(engine.connection, text), { maxRows: 10 }, call())
			for (const text of [`GET /${red}/_search`, `GET /${red}/_doc/1`, `PUT /${red}/_doc/1?timeout=100ms\n{}`]) {
				await expect(run(text), text).rejects.toThrow(/The index is red/)
			}
			expect(await conditions()).toMatchObject({ [red]: 'bad' })
			const why = (await engine.connection.readFacts(red, call())).find(({ title }) => title.startsWith('Why'))
			expect(why?.facts?.[0]).toEqual({ name: 'Shard', value: `0 of ${red}, primary` })
			expect(why?.list?.rows.some(({ cells }) => cells.join(' ').includes('_name'))).toBe(true)
		} finally {
			await engine.request('DELETE', `/${red}`)
		}
	})
}
