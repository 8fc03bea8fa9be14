import { join } from 'node:path'
import type { Call, GridQuery } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { connect } from '../../../plugins/search-engine/connect.ts'
import type { SearchConnection } from '../../../plugins/search-engine/connection.ts'
import { BareClient } from '../../../plugins/search-engine/test/bare-client.ts'
import { jdkFor, missingTools, prepare, releases, start } from '../../../plugins/search-engine/test/engines/engine.ts'

/**
 * Measurements that need a real engine: a first page, a jump and an export. Each runs as a pair with bare undici, which
 * requests the same rows in the same run. The engine is a node of Elasticsearch 8.2 with 512 MB of heap, or
 * of the version in `ROUNDHOUSE_BENCH_ENGINE`.
 */

const rows = Number(process.env.ROUNDHOUSE_BENCH_ENGINE_ROWS ?? 1_000_000)
const exported = rows / 5
const target = rows / 2
const table = 'bench'

const call: Call = { signal: new AbortController().signal, progress() {} }
const queryOf = (more: Partial<GridQuery> = {}): GridQuery => ({ table, filters: [], match: 'all', sort: [], ...more })

export async function benchOnEngine(checkout: string): Promise<void> {
	const { ROUNDHOUSE_BENCH_ENGINE: wanted = '8.2.3' } = process.env
	const release = releases.find(({ version }) => version === wanted)
	if (release === undefined)
		throw new Error(`no engine ${wanted}; there are ${releases.map(({ version }) => version).join(', ')}`)
	const jdk = jdkFor(release)
	const missing = missingTools() ?? (jdk === undefined ? `JDK ${release.java}` : undefined)
	if (missing !== undefined || jdk === undefined) {
		console.log(`\nNo engine was measured, because this machine lacks ${missing}.\n`)
		return
	}
	const cache = join(checkout, 'node_modules/.cache/roundhouse-engines')
	await using engine = await start(release, await prepare(release, cache, jdk), jdk)
	const bare = new BareClient(engine.url)
	const connection = await connect({ hosts: engine.url, auth: 'none' }, directContext(), call)
	try {
		await fill(engine.url, bare)
		console.log(`\n## On Elasticsearch ${release.version}, ${rows.toLocaleString('en')} documents\n`)
		console.log('| What | driver, ms | bare, ms | ratio | at most |\n| - | - | - | - | - |')
		await compare('opening a table and its first page', 1.5, 40, firstPage(connection), bareFirstPage(bare))
		await compare('the same, reloaded', undefined, 40, firstPage(connection, { isReload: true }), bareFirstPage(bare))
		await compare(
			`a jump to row ${target.toLocaleString('en')} by a keyword, against walking there`,
			0.5,
			3,
			jump(connection),
			walk(bare),
		)
		await compare(
			`an export of ${exported.toLocaleString('en')} documents, against a scroll of 10,000`,
			1,
			5,
			exportAll(connection),
			scroll(bare),
		)
	} finally {
		await connection.close()
		await bare.close()
	}
}

/** Medians of pairs, because other load on the machine affects both sides equally. */
async function compare(
	what: string,
	most: number | undefined,
	times: number,
	ours: () => unknown,
	theirs: () => unknown,
) {
	const pairs: (readonly [number, number])[] = []
	for (let round = 0; round <= times; round++) {
		const pair = [await timed(ours), await timed(theirs)] as const
		if (round > 0) pairs.push(pair)
	}
	const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
	const ratio = median(pairs.map(([own, bare]) => own / bare))
	const [own, bare] = [median(pairs.map(pair => pair[0])), median(pairs.map(pair => pair[1]))]
	const verdict = most === undefined ? '' : ratio <= most ? `${most}` : `${most} — missed`
	console.log(`| ${what} | ${own.toFixed(1)} | ${bare.toFixed(1)} | ${ratio.toFixed(2)} | ${verdict} |`)
}

async function timed(work: () => unknown): Promise<number> {
	const startedAt = performance.now()
	await work()
	return performance.now() - startedAt
}

async function fill(url: string, bare: BareClient) {
	const mappings = { properties: { word: { type: 'keyword' }, n: { type: 'long' } } }
	const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' }
	await fetch(`${url}/${table}`, {
		method: 'PUT',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ settings, mappings }),
	})
	for (let from = 0; from < rows; from += 20_000) {
		const lines = Array.from({ length: Math.min(20_000, rows - from) }, (_, at) => {
			const mixed = ((from + at) * 7919) % rows
			return `{"index":{"_id":"${from + at}"}}\n{"word":"word ${mixed.toString(36)}","n":${mixed}}\n`
		})
		await bare.post(`/${table}/_bulk`, lines.join(''))
	}
	await bare.post(`/${table}/_refresh`, '')
}

function firstPage(connection: SearchConnection, more: Partial<GridQuery> = {}) {
	return async () => {
		const grid = await connection.openGrid({ ...queryOf(more), firstPage: 100 }, call)
		await grid.page({ offset: 0, limit: 100 }, call)
		await grid.close()
	}
}

function bareFirstPage(bare: BareClient) {
	const body = JSON.stringify({ size: 100, track_total_hits: true, seq_no_primary_term: true })
	return async () => JSON.parse(await bare.post(`/${table}/_search`, body))
}

function jump(connection: SearchConnection) {
	return async () => {
		const grid = await connection.openGrid(queryOf({ sort: [{ column: 'word', direction: 'asc' }] }), call)
		await grid.page({ offset: target, limit: 100 }, call)
		await grid.close()
	}
}

interface Hits {
	readonly _scroll_id?: string
	readonly hits: { readonly hits: readonly { readonly sort?: unknown }[] }
}

function walk(bare: BareClient) {
	return async () => {
		let after: unknown
		for (let at = 0; at < target; at += 10_000) {
			const body = { size: 10_000, sort: ['word'], _source: false, track_total_hits: false, search_after: after }
			const answer: Hits = JSON.parse(
				await bare.post(`/${table}/_search?filter_path=hits.hits.sort`, JSON.stringify(body)),
			)
			after = answer.hits.hits.at(-1)?.sort
		}
	}
}

function exportAll(connection: SearchConnection) {
	const filters = [{ column: 'n', operator: 'less', values: [String(exported)] }] as const
	return async () => {
		const file = await connection.openExport(queryOf({ filters }), { format: 'ndjson' }, call)
		while ((await file.read(call)) !== undefined);
		await file.close()
	}
}

function scroll(bare: BareClient) {
	const body = { size: 10_000, sort: ['_doc'], query: { range: { n: { lt: exported } } } }
	return async () => {
		let answer: Hits = JSON.parse(await bare.post(`/${table}/_search?scroll=1m`, JSON.stringify(body)))
		while (answer.hits.hits.length > 0) {
			const next = JSON.stringify({ scroll: '1m', scroll_id: answer._scroll_id })
			answer = JSON.parse(await bare.post('/_search/scroll', next))
		}
	}
}
