import { type Effect, isJsonObject, type JsonObject } from '@roundhouse/kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, decode, statement } from '../fixture.ts'
import type { EngineUnderTest } from './subject.ts'

const queries = {
	all: { match_all: {} },
	none: { term: { k: 'absent' } },
	one: { ids: { values: ['3'] } },
	range: { range: { n: { gte: 4, lt: 9 } } },
	many: { range: { n: { gte: 5 } } },
	either: { bool: { should: [{ term: { k: 'a' } }, { range: { n: { gt: 36 } } }], minimum_should_match: 1 } },
	without: { bool: { must_not: [{ exists: { field: 'k' } }] } },
} satisfies Readonly<Record<string, JsonObject>>

/** Contract of what a request by query is said to change, and of what it then changes. For a real cluster only. */
export function describeByQuery(engine: EngineUnderTest) {
	describe('requests by query', () => {
		const [books, films, copy] = ['books', 'films', 'copy'].map(name => `${engine.table}-by-query-${name}`) as [
			string,
			string,
			string,
		]
		let isOffered = false

		beforeAll(async () => {
			await engine.createTable(books, { properties: { k: { type: 'keyword' }, n: { type: 'long' } } })
			const { status } = await engine.request('POST', `/${books}/_delete_by_query`, { query: queries.all })
			isOffered = status === 200
			if (!isOffered) console.log(`SKIPPED: requests by query, because the assembled node has none.`)
		})
		afterAll(() => Promise.all([books, films, copy].map(name => engine.request('DELETE', `/${name}`))))

		const fill = async () => {
			// What is copied into an index that exists may replace its documents.
			await engine.request('DELETE', `/${copy}`)
			for (const name of [books, films]) {
				await engine.request('DELETE', `/${name}`)
				await engine.createTable(name, { properties: { k: { type: 'keyword' }, n: { type: 'long' } } })
			}
			const document = (n: number) =>
				[String(n), JSON.stringify({ n, ...(n % 3 > 0 && { k: n % 3 === 1 ? 'a' : 'b' }) })] as const
			await engine.bulk(
				books,
				Array.from({ length: 40 }, (_, n) => document(n)),
			)
			await engine.bulk(films, [document(7), document(100)])
		}
		/** Versions by document. A document that is changed has a higher one. */
		const state = async () => {
			await engine.request('POST', `/${engine.table}-by-query-*/_refresh`)
			const { body } = await engine.request('GET', `/${engine.table}-by-query-*/_search?size=1000&version=true`)
			const hits = isJsonObject(body) && isJsonObject(body.hits) && Array.isArray(body.hits.hits) ? body.hits.hits : []
			return new Map<string, unknown>(
				hits
					.map(hit => isJsonObject(hit) && ([`${hit._index}/${hit._id}`, hit._version] as const))
					.filter(one => one !== false),
			)
		}
		const assess = async (text: string) =>
			(await engine.connection.console.assess?.(statement(engine.connection, text), call()))?.effect
		const run = async (text: string, within: Effect) =>
			decode(await engine.connection.console.run(statement(engine.connection, text), { maxRows: 10, within }, call()))

		const requests = Object.entries(queries).flatMap(([name, query]) => [
			[name, `POST /${books}/_delete_by_query`, { query }] as const,
			[name, `POST /${books},${films}/_delete_by_query?conflicts=proceed`, { query }] as const,
			[name, `POST /${books}/_update_by_query?refresh=true`, { query }] as const,
			[name, `POST /${books}/_update_by_query?max_docs=3`, { query }] as const,
			[name, 'POST /_reindex', { source: { index: books, query }, dest: { index: copy } }] as const,
		])

		test.each(requests)('%s: %s changes what was said', async (_, line, body) => {
			if (!isOffered) return
			await fill()
			const before = await state()
			const text = `${line}\n${JSON.stringify(body)}`
			const effect = await assess(text)
			if (!effect) throw new Error('The request has no effect.')
			expect((await run(text, effect)).exceeded).toBeUndefined()
			const after = await state()
			const changed = (index: string) => {
				const of = (keys: Iterable<string>) => [...keys].filter(key => key.startsWith(`${index}/`))
				return {
					inserted: of(after.keys()).filter(key => !before.has(key)).length,
					updated: of(after.keys()).filter(key => before.has(key) && before.get(key) !== after.get(key)).length,
					deleted: of(before.keys()).filter(key => !after.has(key)).length,
				}
			}
			const none = { inserted: 0, updated: 0, deleted: 0 }
			for (const index of [books, films, copy]) {
				const said = effect.tables.find(({ table }) => table === index)
				expect(changed(index), index).toEqual(said ? numbersOf(said) : none)
			}
			for (const { table, rows } of effect.tables) {
				for (const { before: was, after: is } of rows?.changes ?? []) {
					const key = `${table}/${(was ?? is)?.[0]}`
					expect(after.get(key), key).not.toEqual(before.get(key))
				}
			}
		})

		test('a request that would change more than was said is not sent', async () => {
			if (!isOffered) return
			await fill()
			const text = `POST /${books}/_delete_by_query\n${JSON.stringify({ query: queries.many })}`
			const effect = await assess(text)
			if (!effect) throw new Error('The request has no effect.')
			await engine.bulk(books, [['later', '{"n": 50}']])
			const before = await state()
			expect((await run(text, effect)).exceeded).toBe(`Now it deletes 36 rows of ${books}.`)
			expect(await state()).toEqual(before)
		})
	})
}

const numbersOf = ({ inserted, updated, deleted }: Effect['tables'][number]) => ({ inserted, updated, deleted })
