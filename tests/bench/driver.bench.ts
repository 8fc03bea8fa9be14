import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Call, parseJson, stringifyJson } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { connect } from '../../plugins/search-engine/connect.ts'
import type { SearchConnection } from '../../plugins/search-engine/connection.ts'
import { BareClient } from '../../plugins/search-engine/test/bare-client.ts'
import { benchOnEngine } from './driver/on-engine.ts'

/**
 * Costs of the search-engine driver compared with bare undici and `JSON.parse`, measured in the same run. The cluster
 * is a server in another process that answers from prepared text.
 */

/** About 1.6 KB a document. ROUNDHOUSE_BENCH_ROWS=1200000 makes the export 2 GB. */
const rows = Number(process.env.ROUNDHOUSE_BENCH_ROWS ?? 300_000)
const deep = Math.floor(rows / 2)
const rounds = 25

const call: Call = { signal: new AbortController().signal, progress() {} }
const query = { table: 'wide', filters: [], match: 'all', sort: [] } as const

type Work = () => unknown
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Median milliseconds of each candidate, in interleaved rounds after a warm-up. */
async function measure(works: Readonly<Record<string, Work>>, times = 1): Promise<Record<string, number>> {
	const taken = new Map(Object.keys(works).map(name => [name, [] as number[]]))
	for (let round = 0; round < rounds + 5; round++) {
		for (const [name, work] of Object.entries(works)) {
			const startedAt = performance.now()
			for (let time = 0; time < times; time++) await work()
			if (round >= 5) taken.get(name)?.push((performance.now() - startedAt) / times)
		}
	}
	return Object.fromEntries([...taken].map(([name, values]) => [name, median(values)]))
}

function report(title: string, limit: string, results: Readonly<Record<string, number>>, megabytes?: number) {
	console.log(
		`\n## ${title}\n\n| What | ms | of ${limit} |${megabytes ? ' MB/s |' : ''}\n| - | - | - |${megabytes ? ' - |' : ''}`,
	)
	for (const [name, ms] of Object.entries(results)) {
		const rate = megabytes === undefined ? '' : ` ${(megabytes / (ms / 1000)).toFixed(0)} |`
		console.log(`| ${name} | ${ms.toFixed(2)} | ${(ms / (results[limit] ?? 1)).toFixed(2)} |${rate}`)
	}
}

async function benchParsing(text: string) {
	const plain = text
		.replaceAll('.50,', '.25,')
		.replaceAll('1.0,', '1,')
		.replaceAll(/90071992547409\d+/g, '9007')
	const megabytes = text.length / 1e6
	for (const [title, given] of [
		['Parsing a page with no number that needs care', plain],
		['Parsing a page with nine such numbers a document', text],
	] as const) {
		const results = await measure({ 'JSON.parse': () => JSON.parse(given), parseJson: () => parseJson(given) })
		report(title, 'JSON.parse', results, megabytes)
	}
	const value = parseJson(text)
	const parsed = JSON.parse(text)
	const printing = { 'JSON.stringify': () => JSON.stringify(parsed), stringifyJson: () => stringifyJson(value) }
	report('Printing it', 'JSON.stringify', await measure(printing), megabytes)
}

async function benchPage(connection: SearchConnection, bare: BareClient) {
	const grid = await connection.openGrid(query, call)
	const body = JSON.stringify({ size: 1_000 })
	const results = await measure({
		'undici and JSON.parse': async () => JSON.parse(await bare.post('/wide/_search', body)),
		'undici, parsed and printed': async () =>
			Buffer.from(JSON.stringify(JSON.parse(await bare.post('/wide/_search', body)))),
		'the driver': () => grid.page({ offset: 0, limit: 1_000 }, call),
	})
	report('A page of 1,000 documents × 50 fields, from request to encoded bytes', 'undici, parsed and printed', results)
	console.log('\nThe driver may take at most 1.5 of undici, parsed and printed.')
	await grid.close()
}

async function benchRequest(connection: SearchConnection, bare: BareClient) {
	const results = await measure(
		{
			'undici and JSON.parse': async () => JSON.parse(await bare.post('/wide/_count', '{"query":{"match_all":{}}}')),
			'the driver': () => connection.countRows(query, call),
		},
		200,
	)
	report('A small request', 'undici and JSON.parse', results)
}

/** A completion answers while a person types. Each text is completed at its end. */
async function benchCompletion(connection: SearchConnection) {
	const texts = [
		'GET /wi',
		'GET /_cat/indices?h=',
		'POST /wide/_search\n{"query": {"match": {"f',
		'FROM wide | WHERE f',
	]
	const complete = (text: string) => connection.console.complete(text, text.length, call)
	const startedAt = performance.now()
	await complete(texts[2] ?? '')
	const firstMs = performance.now() - startedAt
	const results = await measure(Object.fromEntries(texts.map(text => [JSON.stringify(text), () => complete(text)])), 20)
	console.log(
		`\n## Completion\n\nThe first one took ${firstMs.toFixed(1)} ms. It may take 30 ms, and those after it 1 ms.\n`,
	)
	console.log('| Text | ms |\n| - | - |')
	for (const [text, ms] of Object.entries(results)) console.log(`| ${text} | ${ms.toFixed(2)} |`)
}

async function benchDepth(connection: SearchConnection) {
	const grid = await connection.openGrid(query, call)
	await grid.page({ offset: 0, limit: 100 }, call)
	const jumpedAt = performance.now()
	await grid.page({ offset: deep, limit: 100 }, call)
	const jumpMs = performance.now() - jumpedAt
	let [near, far] = [0, deep]
	const next = (offset: number) => grid.page({ offset, limit: 100 }, call)
	const nearPage = 'next page from row 0'
	const farPage = `next page from row ${deep.toLocaleString('en')}`
	const results = await measure({
		[nearPage]: () => {
			near += 100
			return next(near)
		},
		[farPage]: () => {
			far += 100
			return next(far)
		},
	})
	report('The next page, by depth', nearPage, results)
	console.log(
		`\nThe jump there took ${jumpMs.toFixed(0)} ms; ${Math.ceil(deep / 10_000)} requests that carry nothing but sort values.`,
	)
	await grid.close()
}

async function benchExport(connection: SearchConnection, bare: BareClient) {
	console.log(`\n## An export of ${rows.toLocaleString('en')} documents × 50 fields\n`)
	console.log(
		'| What | MB | s | MB/s | of undici and JSON.parse | highest memory: heap, buffers, MB |\n| - | - | - | - | - | - |',
	)
	const limit = await bareRead(bare)
	for (const format of ['ndjson', 'csv'] as const) {
		const startedAt = performance.now()
		let bytes = 0
		let [heap, buffers] = [0, 0]
		const file = await connection.openExport(query, { format }, call)
		for (let piece = await file.read(call); piece !== undefined; piece = await file.read(call)) {
			bytes += piece.length
			const memory = process.memoryUsage()
			heap = Math.max(heap, memory.heapUsed)
			buffers = Math.max(buffers, memory.arrayBuffers)
		}
		const seconds = (performance.now() - startedAt) / 1000
		const memory = `${(heap / 1e6).toFixed(0)}, ${(buffers / 1e6).toFixed(0)}`
		const cells = [format, (bytes / 1e6).toFixed(0), seconds.toFixed(1), (bytes / 1e6 / seconds).toFixed(0)]
		console.log(`| ${cells.join(' | ')} | ${(seconds / limit).toFixed(2)} | ${memory} |`)
	}
	console.log(`\nUndici and JSON.parse alone read the same documents in ${limit.toFixed(1)} s, 2,500 at a time.`)
}

/** Seconds that reading the whole index takes without the driver. */
async function bareRead(bare: BareClient): Promise<number> {
	const startedAt = performance.now()
	for (let from = 0; from < rows; from += 2_500) {
		JSON.parse(await bare.post('/_search', JSON.stringify({ size: 2_500, search_after: [from - 1] })))
	}
	return (performance.now() - startedAt) / 1000
}

export async function bench(): Promise<void> {
	const child = fork(fileURLToPath(import.meta.resolve('./driver/cluster.ts')), [String(rows)])
	const [{ url }] = (await once(child, 'message')) as [{ url: string }]
	const connection = await connect({ hosts: url, auth: 'none' }, directContext(), call)
	const bare = new BareClient(url)
	await benchParsing(await bare.post('/wide/_search', JSON.stringify({ size: 1_000 })))
	await benchPage(connection, bare)
	await benchRequest(connection, bare)
	await benchCompletion(connection)
	await benchDepth(connection)
	await benchExport(connection, bare)
	await connection.close()
	await bare.close()
	child.disconnect()
	await benchOnEngine(join(import.meta.dirname, '../..'))
}
