import { expect, test } from 'vitest'
import { laterReadEndpoints, readEndpoints } from '../../console/read-endpoints.ts'
import { call, statement } from '../fixture.ts'
import type { EngineUnderTest } from './subject.ts'

/** Contract of the console: verdicts, assessments and completions. */
export function describeConsole(engine: EngineUnderTest, { isReal }: { readonly isReal: boolean }) {
	/**
	 * Returns the state that reads must not change, by request: documents with their versions, and all settings.
	 * Documents are sorted by a field, because merges in the engine may change the order of `_doc`. They are read in two
	 * halves, because together they exceed one window. Settings are read for each index, because the order of several in
	 * one answer is undefined.
	 */
	async function state(): Promise<Record<string, string>> {
		const documents = `/${engine.table},${engine.largeTable}/_search?size=10000&seq_no_primary_term=true&version=true&sort=n,_index`
		const paths = [
			...[engine.table, engine.largeTable].flatMap(table =>
				['_settings', '_mapping', '_alias'].map(what => `/${table}/${what}`),
			),
			'/_template',
			'/_index_template',
			'/_component_template',
			'/_ingest/pipeline',
			'/_cluster/settings',
			...['n:<5000', 'NOT%20n:<5000'].map(half => `${documents}&q=${half}`),
			'/_cat/indices?h=index&s=index&format=json',
		]
		const isOwn = (key: string) => key !== 'took' && key !== '_shards'
		const answer = async (path: string) => {
			const text = JSON.stringify(await engine.request('GET', path), (key, value) => (isOwn(key) ? value : undefined))
			return [path, text.replaceAll(/\{"index":"\.[^"]*"\},?/g, '')] as const
		}
		return Object.fromEntries(await Promise.all(paths.map(answer)))
	}

	// The sample has no such test; one that it skipped would count as not proved in CI.
	if (isReal)
		test('completes what the cluster names: fields of a pattern, aliases, columns of _cat and settings', async () => {
			const alias = `${engine.table}-completed`
			await engine.request('POST', '/_aliases', { actions: [{ add: { index: engine.table, alias } }] })
			const offered = async (text: string) => {
				const found = await engine.connection.console.complete?.(text, text.length, call())
				return found?.options.map(({ label }) => label) ?? []
			}
			expect(await offered(`GET /${engine.table}*/_search\n{"sort": ["n`)).toContain('n')
			expect(await offered('GET /_search\n{"sort": ["n')).toContain('n')
			expect(await offered(`GET /${alias}`)).toEqual([alias])
			expect(await offered('GET /_cat/indices?h=docs.c')).toContain('docs.count')
			expect(await offered('PUT /_cluster/settings\n{"persistent": {"cluster.routing.allocation.en')).toContain(
				'cluster.routing.allocation.enable',
			)
		})

	test('a request that is classified as a read changes nothing', async () => {
		const before = await state()
		const bodies = ['', '{}', '{"query":{"match_all":{}}}', '{"docs":[{"_id":"1"}]}']
		const statements = [
			...readEndpoints.GET.map(template => `GET ${filled(template, engine.table)}`),
			...readEndpoints.POST.flatMap(template => bodies.map(body => `POST ${filled(template, engine.table)}\n${body}`)),
		]
		for (const text of statements) {
			const read = statement(engine.connection, text)
			expect(read.access, text).toBe('read')
			await engine.connection.console.run(read, { maxRows: 10 }, call()).catch(() => {})
		}
		expect(await state()).toEqual(before)
	})

	test('a request that is classified as a read makes no index', async () => {
		const paths = [...readEndpoints.POST, ...laterReadEndpoints.map(({ path }) => path)]
		for (const [place, template] of paths.filter(path => path.startsWith(':index')).entries()) {
			for (const body of ['', '{}', '{"query":{"match_all":{}}}']) {
				const read = statement(engine.connection, `POST ${filled(template, `${engine.table}-absent${place}`)}\n${body}`)
				if (read.access === 'read') await engine.connection.console.run(read, { maxRows: 1 }, call()).catch(() => {})
			}
		}
		const { body } = await engine.request('GET', '/_cat/indices?h=index&format=json')
		expect(JSON.stringify(body)).not.toContain('-absent')
	})

	test("assesses a statement by the cluster's counts, without running it", async () => {
		const assess = (text: string) =>
			Promise.resolve(engine.connection.console.assess?.(statement(engine.connection, text), call()))
		const affects = { value: 10_500, isExact: true }
		expect(await assess(`DELETE /${engine.largeTable}`)).toEqual({
			affects,
			destroys: `the index ${engine.largeTable} with 10,500 documents`,
		})
		const body = '{"query": {"range": {"n": {"lt": 100}}}}'
		const deletion = `POST /${engine.largeTable}/_delete_by_query\n${body}`
		const place = (await assess(deletion))?.effect?.place
		expect(await assess(deletion)).toEqual({
			effect: {
				place,
				tables: [
					{
						table: engine.largeTable,
						inserted: 0,
						updated: 0,
						deleted: 100,
						rows: { columns: ['_id'], changes: Array(10).fill({ before: [expect.any(String)] }) },
					},
				],
			},
		})
		const both = `${engine.largeTable},${engine.table}`
		expect(await assess(`POST /${both}/_update_by_query?max_docs=200000\n${body}`)).toMatchObject({
			effect: {
				place: expect.not.stringMatching(place ?? ''),
				tables: expect.arrayContaining([expect.objectContaining({ table: engine.largeTable, updated: 100 })]),
			},
		})
		const copied = { source: { index: engine.largeTable, query: { term: { n: 7 } } }, dest: { index: 'contract-copy' } }
		expect(await assess(`POST /_reindex\n${JSON.stringify(copied)}`)).toMatchObject({
			effect: {
				tables: [{ table: 'contract-copy', inserted: 1, rows: { changes: [{ after: [expect.any(String)] }] } }],
			},
		})
		expect(await assess(`PUT /${engine.largeTable}/_doc/1\n{}`)).toMatchObject({
			destroys: expect.stringContaining('the current content'),
		})
		expect((await engine.connection.countRows(engine.queryOf({ table: engine.largeTable }), call())).value).toBe(10_500)
	})

	test('assesses what the pipeline of an index selects, and the scope of a consent', async () => {
		const assess = async (text: string) =>
			engine.connection.console.assess?.(statement(engine.connection, text), call())
		const [piped, fresh] = [`${engine.table}-piped`, `${engine.table}-fresh`]
		await engine.createTable(piped, {}, { 'index.default_pipeline': 'mv' })
		try {
			expect(await assess(`POST /${piped}/_doc\n{}`)).toMatchObject({
				destroys: `what the pipeline mv of ${piped} selects`,
			})
			const known = await assess(`POST /${engine.largeTable}/_doc\n{}`)
			expect(known).toMatchObject({ scope: expect.stringMatching(/^add .+/) })
			expect(known).not.toHaveProperty('destroys')
			expect(await assess(`PUT /${fresh}/_doc/1\n{}`)).toEqual({ affects: { value: 1, isExact: true } })
			const row = JSON.stringify([engine.largeTable, '1'])
			expect(
				await engine.connection.assessChanges(engine.largeTable, [{ kind: 'delete', rowId: row }], call()),
			).toMatchObject({
				destroys: `1 document of ${engine.largeTable}`,
			})
		} finally {
			await engine.request('DELETE', `/${piped}`)
		}
	})

	test('assesses the pipelines that templates give to a new index', async () => {
		if (!isReal) return
		const assess = async (text: string) =>
			engine.connection.console.assess?.(statement(engine.connection, text), call())
		const fresh = `${engine.table}-fresh`
		const settings = { settings: { 'index.final_pipeline': 'mv' } }
		for (const [path, body] of [
			[`/_template/${fresh}`, { index_patterns: [`${fresh}*`], ...settings }],
			[`/_index_template/${fresh}`, { index_patterns: [`${fresh}*`], template: settings, priority: 999 }],
		] as const) {
			const { status } = await engine.request('PUT', path, body)
			expect(status, path).toBe(200)
			try {
				expect(await assess(`POST /${fresh}/_doc\n{}`), path).toMatchObject({
					destroys: `what the pipeline mv of ${fresh} selects`,
				})
				expect(await assess(`PUT ${path}\n${JSON.stringify({ index_patterns: ['x'] })}`)).toMatchObject({
					destroys: expect.stringMatching(/^the current (?:index )?template /),
				})
			} finally {
				await engine.request('DELETE', path)
			}
		}
	})

	test('completes names and fields of the cluster', async () => {
		const labels = async (text: string) =>
			(await engine.connection.console.complete?.(text, text.length, call()))?.options.map(({ label }) => label)
		expect(await labels(`GET /${engine.table}`)).toContain(engine.largeTable)
		expect(await labels(`GET /${engine.table}/_search\n{"sort": ["who`)).toEqual(
			expect.arrayContaining(['who.name', 'who.age']),
		)
	})
}

/** Returns a path that matches a template. */
function filled(template: string, table: string): string {
	return `/${template.replaceAll(':index', table).replaceAll(':x', '1').replaceAll('**', '1')}`
}
