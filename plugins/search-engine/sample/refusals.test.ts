import { directContext } from '@roundhouse/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSample } from './main.ts'

/** What a real cluster does and the sample does not is refused, because a guess would answer wrongly. */

let sample: Awaited<ReturnType<typeof startSample>>
beforeAll(async () => {
	sample = await startSample(directContext())
})
afterAll(() => sample.close())

const post = async (path: string, body: object) => {
	const headers = { 'Content-Type': 'application/json' }
	const response = await fetch(`${sample.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
	return { status: response.status, text: await response.text() }
}
const search = (query: object, more: object = {}) => post('/books/_search', { query, size: 1, ...more })

test.each([
	[{ match: { title: { query: 'miror', fuzziness: 'AUTO' } } }, '[fuzziness] of [match]'],
	[{ match_phrase: { title: { query: 'of the', slop: 2 } } }, '[slop] of [match_phrase]'],
	[{ multi_match: { query: 'mirror', fields: ['title*'] } }, '[title*] in the fields of [multi_match]'],
	[{ multi_match: { query: 'mirror', fields: ['title^2'] } }, '[title^2] in the fields of [multi_match]'],
	[{ multi_match: { query: 'mirror', type: 'phrase' } }, '[type] of [multi_match]'],
	[{ query_string: { query: 'title:miror~' } }, '[~], fuzziness or slop'],
	[{ query_string: { query: '"mirror of"~2', default_field: 'title' } }, '[~], fuzziness or slop'],
	[{ query_string: { query: 'mirror', fuzziness: 1 } }, '[fuzziness] of [query_string]'],
	[{ query_string: { query: 'mirror', fields: ['auth*'] } }, 'the pattern [auth*] for fields'],
])('%j is refused', async (query, what) => {
	const { status, text } = await search(query)
	expect([status, JSON.parse(text).error.reason]).toEqual([400, expect.stringContaining(`does not know ${what}`)])
})

test.each(['_query', '_sql', '_eql/search'])('/%s says that the sample has not this language', async path => {
	const { status, text } = await post(`/${path}`, { query: 'FROM books | LIMIT 1' })
	expect([status, text]).toEqual([
		400,
		expect.stringMatching(/This sample has no (ES\|QL|SQL|EQL), which a real cluster/),
	])
})

test('what the sample knows is not refused, and a boost changes no match', async () => {
	for (const query of [
		{ match: { title: { query: 'mirror', operator: 'and' } } },
		{ multi_match: { query: 'mirror', fields: ['title'] } },
		{ query_string: { query: 'title:mirror^2', default_field: '*', lenient: true } },
	]) {
		const { status, text } = await search(query)
		expect([status, JSON.parse(text).hits.hits.length]).toEqual([200, 1])
	}
})

test('a profile names the clauses of the query that ran, each with its time', async () => {
	const bool = { filter: [{ term: { 'author.country': 'BR' } }, { wildcard: { 'title.keyword': '*a*' } }] }
	const { profile } = JSON.parse((await search({ bool }, { profile: true })).text)
	const [{ searches }] = profile.shards
	const [node] = searches[0].query
	expect(node).toMatchObject({ type: 'BooleanQuery', children: [{ type: 'TermQuery' }, { type: 'wildcard' }] })
	expect(node.children[0].description).toBe('{"author.country":"BR"}')
	for (const { time_in_nanos: nanos } of [node, ...node.children]) expect(nanos).toBeGreaterThan(0)
})
