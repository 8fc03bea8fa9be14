import { join } from 'node:path'
import type { Call, GridQuery } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { Client, type estypes } from 'elasticsearch-8'
import { connect } from '../../../plugins/search-engine/connect.ts'
import type { SearchConnection } from '../../../plugins/search-engine/connection.ts'
import { BareClient } from '../../../plugins/search-engine/test/bare-client.ts'
import { jdkFor, missingTools, prepare, releases, start } from '../../../plugins/search-engine/test/engines/engine.ts'

/**
 * Measurements that need a real engine: a first page, a jump and an export. Each runs beside bare undici and the
 * official client of Elasticsearch 8, which request the same rows in the same run. The engine is a node of Elasticsearch
 * 8.2 with 512 MB of heap, or of the version in `ROUNDHOUSE_BENCH_ENGINE`: 8 or 9, which the client supports.
 */

const rows = Number(process.env.ROUNDHOUSE_BENCH_ENGINE_ROWS ?? 1_000_000)
const exported = rows / 5
const target = rows / 2
const table = 'bench'
/** Indices of a day each, opened as one table. */
const days = 500
const pattern = 'logs-*'

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
	const official = new Client({ node: engine.url })
	try {
		await fill(engine.url, bare)
		console.log(`\n## On Elasticsearch ${release.version}, ${rows.toLocaleString('en')} documents\n`)
		console.log('| What | driver, ms | official client, ms | bare, ms | driver of bare | at most |')
		console.log('| - | - | - | - | - | - |')
		const first = { official: officialFirstPage(official, table), bare: bareFirstPage(bare, table) }
		await compare('opening a table and its first page', {
			most: 1.5,
			times: 40,
			driver: firstPage(connection),
			...first,
		})
		const reloaded = firstPage(connection, { isReload: true })
		await compare('the same, reloaded', { times: 40, driver: reloaded, ...first })
		await compare(`a jump to row ${target.toLocaleString('en')} by a keyword, against walking there`, {
			most: 0.5,
			times: 3,
			driver: jump(connection),
			official: officialWalk(official),
			bare: walk(bare),
		})
		await compare(`an export of ${exported.toLocaleString('en')} documents, against a scroll of 10,000`, {
			most: 1,
			times: 5,
			driver: exportAll(connection),
			official: officialScroll(official),
			bare: scroll(bare),
		})
		await fillDays(engine.url, bare)
		const daily = { official: officialFirstPage(official, pattern), bare: bareFirstPage(bare, pattern) }
		const opened = firstPage(connection, { table: pattern })
		await compare(`opening \`${pattern}\` over ${days} indices`, { most: 1.5, times: 20, driver: opened, ...daily })
		const readAgain = firstPage(connection, { table: pattern, isReload: true })
		await compare('the same, reloaded: every mapping is read again', { times: 20, driver: readAgain, ...daily })
	} finally {
		await connection.close()
		await official.close()
		await bare.close()
	}
}

/** Three ways to the same rows. */
interface Compared {
	/** Largest ratio of the driver to the bare client. */
	readonly most?: number
	readonly times: number
	readonly driver: Work
	readonly official: Work
	readonly bare: Work
}

type Work = () => Promise<unknown>

/** Medians of rounds that run all three, because other load on the machine affects them equally. */
async function compare(what: string, { most, times, driver, official, bare }: Compared): Promise<void> {
	const rounds: (readonly [number, number, number])[] = []
	for (let round = 0; round <= times; round++) {
		const taken = [await timed(driver), await timed(official), await timed(bare)] as const
		if (round > 0) rounds.push(taken)
	}
	const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
	const ratio = median(rounds.map(([own, , least]) => own / least))
	const taken = ([0, 1, 2] as const).map(at => median(rounds.map(round => round[at])).toFixed(1))
	const verdict = most === undefined ? '' : ratio <= most ? `${most}` : `${most} — missed`
	console.log(`| ${what} | ${taken.join(' | ')} | ${ratio.toFixed(2)} | ${verdict} |`)
}

async function timed(work: Work): Promise<number> {
	const startedAt = performance.now()
	await work()
	return performance.now() - startedAt
}

const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' }

async function put(url: string, body: unknown): Promise<void> {
	const headers = { 'content-type': 'application/json' }
	const answer = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(body) })
	if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`)
}

async function fill(url: string, bare: BareClient) {
	const mappings = { properties: { word: { type: 'keyword' }, n: { type: 'long' } } }
	await put(`${url}/${table}`, { settings, mappings })
	for (let from = 0; from < rows; from += 20_000) {
		const lines = Array.from({ length: Math.min(20_000, rows - from) }, (_, at) => {
			const mixed = ((from + at) * 7919) % rows
			return `{"index":{"_id":"${from + at}"}}\n{"word":"word ${mixed.toString(36)}","n":${mixed}}\n`
		})
		await bare.post(`/${table}/_bulk`, lines.join(''))
	}
	await bare.post(`/${table}/_refresh`, '')
}

async function fillDays(url: string, bare: BareClient) {
	const mappings = {
		properties: { '@timestamp': { type: 'date' }, level: { type: 'keyword' }, message: { type: 'text' } },
	}
	await put(`${url}/_index_template/days`, { index_patterns: [pattern], template: { settings, mappings } })
	for (let day = 0; day < days; day++) {
		const index = `logs-${String(day).padStart(3, '0')}`
		const lines = Array.from({ length: 20 }, (_, at) => {
			const time = new Date(Date.UTC(2024, 0, day, 0, at)).toISOString()
			return `{"index":{}}\n{"@timestamp":"${time}","level":"info","message":"line ${at} of day ${day}"}\n`
		})
		await bare.post(`/${index}/_bulk`, lines.join(''))
	}
	await bare.post(`/${pattern}/_refresh`, '')
}

function firstPage(connection: SearchConnection, more: Partial<GridQuery> = {}) {
	return async () => {
		const grid = await connection.openGrid({ ...queryOf(more), firstPage: 100 }, call)
		await grid.page({ offset: 0, limit: 100 }, call)
		await grid.close()
	}
}

const firstSearch = { size: 100, track_total_hits: true, seq_no_primary_term: true } as const

function bareFirstPage(bare: BareClient, name: string) {
	const body = JSON.stringify(firstSearch)
	return async () => JSON.parse(await bare.post(`/${name}/_search`, body))
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

function officialFirstPage(client: Client, index: string): Work {
	return () => client.search({ index, ...firstSearch })
}

function officialWalk(client: Client): Work {
	return async () => {
		let after: estypes.SortResults | undefined
		for (let at = 0; at < target; at += 10_000) {
			const page = { size: 10_000, sort: ['word'], _source: false, track_total_hits: false }
			const from = after && { search_after: after }
			const answer = await client.search({ index: table, ...page, ...from, filter_path: ['hits.hits.sort'] })
			after = answer.hits.hits.at(-1)?.sort
		}
	}
}

function officialScroll(client: Client): Work {
	const query = { range: { n: { lt: exported } } }
	return async () => {
		let answer: Pick<estypes.SearchResponse, '_scroll_id' | 'hits'> = await client.search({
			index: table,
			scroll: '1m',
			size: 10_000,
			sort: ['_doc'],
			query,
		})
		while (answer.hits.hits.length > 0)
			answer = await client.scroll({ scroll: '1m', scroll_id: answer._scroll_id ?? '' })
	}
}
