import { expect, test } from 'vitest'
import { readEndpoints } from '../../console/read-endpoints.ts'
import { call, statement } from '../fixture.ts'
import type { Subject } from './subject.ts'

/** Verdicts, assessments and suggestions of the console. */
export function describeConsole(on: Subject) {
	/**
	 * What reading must leave as it was, by the request that tells it: documents with their versions, and everything
	 * that is set. Documents come in the order of a field: merges, which the engine does when it likes, change that of
	 * `_doc`. They come in two halves, because all of them are more than one window. What is set is asked of each index,
	 * because the order of several in one answer is nobody's.
	 */
	async function state(): Promise<Record<string, string>> {
		const documents = `/${on.table},${on.many}/_search?size=10000&seq_no_primary_term=true&version=true&sort=n,_index`
		const paths = [
			...[on.table, on.many].flatMap(table => ['_settings', '_mapping', '_alias'].map(what => `/${table}/${what}`)),
			...['/_template', '/_index_template', '/_component_template', '/_ingest/pipeline', '/_cluster/settings'],
			...['n:<5000', 'NOT%20n:<5000'].map(half => `${documents}&q=${half}`),
			'/_cat/indices?h=index&s=index&format=json',
		]
		const isOwn = (key: string) => key !== 'took' && key !== '_shards'
		const answer = async (path: string) => {
			const text = JSON.stringify(await on.request('GET', path), (key, value) => (isOwn(key) ? value : undefined))
			return [path, text.replaceAll(/\{"index":"\.[^"]*"\},?/g, '')] as const
		}
		return Object.fromEntries(await Promise.all(paths.map(answer)))
	}

	test('whatever the console calls a read leaves everything as it was', async () => {
		const before = await state()
		const bodies = ['', '{}', '{"query":{"match_all":{}}}', '{"docs":[{"_id":"1"}]}']
		const statements = [
			...readEndpoints.GET.map(template => `GET ${filled(template, on.table)}`),
			...readEndpoints.POST.flatMap(template => bodies.map(body => `POST ${filled(template, on.table)}\n${body}`)),
		]
		for (const text of statements) {
			const read = statement(on.connection, text)
			expect(read.access, text).toBe('read')
			await on.connection.console.run(read, { maxRows: 10 }, call()).catch(() => {})
		}
		expect(await state()).toEqual(before)
	}, 120_000)

	test('a statement is assessed by what the cluster counts, and does nothing', async () => {
		const assess = (text: string) =>
			Promise.resolve(on.connection.console.assess?.(statement(on.connection, text), call()))
		const affects = { value: 10_500, isExact: true }
		expect(await assess(`DELETE /${on.many}`)).toEqual({
			affects,
			destroys: `the index ${on.many} with 10,500 documents`,
		})
		const body = '{"query": {"range": {"n": {"lt": 100}}}}'
		expect(await assess(`POST /${on.many}/_delete_by_query\n${body}`)).toEqual({
			affects: { value: 100, isExact: true },
			destroys: `100 documents of ${on.many}`,
		})
		expect(await assess(`PUT /${on.many}/_doc/1\n{}`)).toMatchObject({ destroys: expect.stringContaining('holds now') })
		expect((await on.connection.countRows(on.queryOf({ table: on.many }), call())).value).toBe(10_500)
	})

	test('completion reads the names and fields of the cluster', async () => {
		const labels = async (text: string) =>
			(await on.connection.console.complete?.(text, text.length, call()))?.options.map(({ label }) => label)
		expect(await labels(`GET /${on.table}`)).toContain(on.many)
		expect(await labels(`GET /${on.table}/_search\n{"sort": ["who`)).toEqual(
			expect.arrayContaining(['who.name', 'who.age']),
		)
	})
}

/** A path that a template stands for. */
function filled(template: string, table: string): string {
	return `/${template.replaceAll(':index', table).replaceAll(':x', '1').replaceAll('**', '1')}`
}
