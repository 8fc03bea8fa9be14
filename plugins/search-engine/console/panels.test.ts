import type { JsonObject } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { panelsOf } from './panels.ts'

const hit = (more: object = {}) => ({ hits: { hits: [{ _index: 'a', _id: '7', ...more }] } })

test('shows a profile as a tree with shares, slowest shard first', () => {
	const query = (nanos: number) => ({
		searches: [
			{
				query: [
					{
						type: 'BooleanQuery',
						description: '+a +b',
						time_in_nanos: nanos,
						children: [{ type: 'TermQuery', description: 'a', time_in_nanos: nanos / 4 }],
					},
				],
				collector: [{ name: 'SimpleTopScoreDocCollector', reason: 'search_top_hits', time_in_nanos: 1000 }],
			},
		],
		aggregations: [{ type: 'AvgAggregator', description: 'price', time_in_nanos: nanos }],
		fetch: { type: 'fetch', description: '', time_in_nanos: nanos * 2 },
	})
	const shards = [
		{ id: '[n][a][0]', ...query(1_000_000) },
		{ id: '[n][a][1]', ...query(2_000_000_000) },
	]
	const { panels, shown } = panelsOf({ ...hit(), profile: { shards } })
	expect(shown).toEqual(['profile'])
	expect(panels.map(({ title }) => title)).toEqual(['Time spent in shard [a][1]', 'Time spent in shard [a][0]'])
	expect(panels[0]?.list?.rows.map(({ cells }) => cells)).toEqual([
		['BooleanQuery', '+a +b', '2.0 s', '25 %'],
		['\u2003TermQuery', 'a', '500 ms', '6 %'],
		['AvgAggregator', 'price', '2.0 s', '25 %'],
		['fetch', '', '4.0 s', '50 %'],
		['SimpleTopScoreDocCollector', 'search_top_hits', '0.00 ms', '0 %'],
	])
})

test('says that shards and explanations are left out', () => {
	const query = [{ type: 'TermQuery', description: 'x'.repeat(600), time_in_nanos: 1 }]
	const shards = Array.from({ length: 7 }, (_, at) => ({ id: `[n][a][${at}]`, searches: [{ query }] }))
	const { panels } = panelsOf({ ...hit(), profile: { shards } })
	expect(panels.map(({ notice }) => notice).filter(Boolean)).toEqual([
		'The first 5 of 7 shards, the slowest first, are shown.',
	])
	expect(panels[0]?.list?.rows[0]?.cells[1]).toMatch(/x…$/)
	const hits = Array.from({ length: 12 }, (_, at) => ({ _id: `${at}`, _explanation: { value: 1, description: 'a' } }))
	const explained = panelsOf({ hits: { hits } }).panels
	expect(explained).toHaveLength(10)
	expect(explained[0]?.notice).toBe('The first 10 of 12 explanations are shown.')
})

test('shows an explanation as a tree of scores', () => {
	const explanation = { value: 1.5, description: 'sum of:', details: [{ value: 1.5, description: 'idf', details: [] }] }
	const rows = [{ cells: ['1.5', 'sum of:'] }, { cells: ['1.5', '\u2003idf'] }]
	expect(panelsOf({ _id: '7', matched: true, explanation }).panels).toEqual([
		{ title: 'Why 7 matches', list: { columns: ['Score', 'Because'], rows } },
	])
	expect(panelsOf({ _id: '7', matched: false, explanation }).panels[0]?.title).toBe('Why 7 does not match')
	expect(panelsOf(hit({ _explanation: explanation })).panels).toMatchObject([
		{ title: 'Why 7 is here', list: { rows } },
	])
})

test('shows suggestions beside hits as a panel, and suggestions alone as rows', () => {
	const suggest = { spelling: [{ text: 'lihgt', options: [{ text: 'light', score: 0.8 }] }] }
	expect(panelsOf({ ...hit(), suggest })).toMatchObject({
		panels: [{ title: 'Suggestions', list: { rows: [{ cells: ['spelling', 'lihgt', 'light', '0.8'] }] } }],
		shown: ['suggest'],
	})
	expect(panelsOf({ hits: { hits: [] }, suggest }).panels).toEqual([])
})

test('shows the request for the next page of a scroll', () => {
	const { panels, shown } = panelsOf({ ...hit(), _scroll_id: 'abc' })
	expect(shown).toEqual(['_scroll_id'])
	expect(panels).toEqual([
		{
			title: 'Scroll',
			facts: [{ name: '_scroll_id', value: 'abc' }],
			statement: 'POST /_search/scroll\n{\n  "scroll": "1m",\n  "scroll_id": "abc"\n}',
		},
	])
})

test('shows no panels for other answers', () => {
	for (const answer of [
		null,
		1,
		[],
		{},
		{ profile: 5, suggest: [], hits: { hits: [null] } },
		{ profile: { shards: [{}] } },
	]) {
		expect(panelsOf(answer)).toEqual({ panels: [], shown: [] })
	}
})

test('limits a tree of any depth', () => {
	let explanation: object = { value: 0, description: 'leaf' }
	for (let depth = 0; depth < 50_000; depth++) explanation = { value: 1, description: 'd', details: [explanation] }
	const { panels } = panelsOf({ _id: '7', matched: true, explanation } as JsonObject)
	expect(panels[0]?.list?.rows).toHaveLength(500)
	expect(panels[0]?.notice).toBe('The first 500 of 50001 are shown.')
})
