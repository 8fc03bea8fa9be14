import { isJsonObject } from '@roundhouse/kit'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ResultWindow } from '../grid/result-window.ts'
import type { SortKey } from '../query/sort.ts'
import { openSample } from '../test/fixture.ts'
import { recordRequests } from '../test/recorder.ts'
import { OversizedAnswer } from '../transport/failure.ts'
import type { Reply } from '../transport/reply.ts'
import type { EngineRequest, Transport } from '../transport/transport.ts'
import { PointSource } from './point-source.ts'

let opened: Awaited<ReturnType<typeof openSample>>
beforeAll(async () => {
	opened = await openSample()
})
afterAll(() => opened[Symbol.asyncDispose]())

const { signal } = new AbortController()
const byPages: SortKey = { field: 'pages', order: 'asc', nestedIn: [] }

/** The ids of all batches. */
async function batchesOf(
	transport: Transport,
	table: string,
	keys: readonly SortKey[] = [],
	limit = Number.POSITIVE_INFINITY,
): Promise<string[][]> {
	const body = { query: { match_all: {} } }
	const source = await PointSource.open({ transport, table, body, keys, limit, window: new ResultWindow() }, signal)
	const batches: string[][] = []
	for (;;) {
		const hits = await source.next(signal)
		if (hits.length === 0) break
		batches.push(hits.map(hit => String(hit.value('_id'))))
	}
	await source.close(signal)
	return batches
}

test('the engine is asked where a batch ends, and for the next one meanwhile, in the order of the documents alone', async () => {
	const recorder = await recordRequests(opened.sample.url)
	const asked = async (keys: readonly SortKey[], limit?: number) => {
		recorder.clear()
		await batchesOf(recorder.connection.transport, 'events', keys, limit)
		const searches = recorder.requests.filter(({ line }) => line.startsWith('POST /_search'))
		const looks = searches.filter(({ line }) => line.includes('filter_path'))
		return { looks: looks.length, reads: searches.length - looks.length }
	}
	// 200, twice 3,200, about 10,000 and the rest; then 200, 3,200, twice about 10,000 and the rest.
	expect(await asked([])).toEqual({ looks: 3, reads: 5 })
	expect(await asked([{ ...byPages, field: '@timestamp' }])).toEqual({ looks: 0, reads: 5 })
	// 200, 3,200 and 100 rows.
	expect(await asked([], 3_500)).toEqual({ looks: 1, reads: 3 })
	await recorder.close()
})

test('a batch is on its way while the one in front of it is', async () => {
	const [first, last] = [1, 4]
	const sent = Array.from({ length: last + 1 }, () => Promise.withResolvers<void>())
	let reads = 0
	const holding = changed(opened.connection.transport, async (send, isLook, rows) => {
		if (isLook || rows === 0) return send()
		const read = reads++
		sent[read]?.resolve()
		const reply = await send()
		if (read >= first && read < last) await sent[read + 1]?.promise
		return reply
	})
	expect((await batchesOf(holding, 'events')).flat()).toHaveLength(24_000)
})

test('a batch that must be read in smaller pieces moves no row, doubles none and loses none', async () => {
	const whole = (await batchesOf(opened.connection.transport, 'books')).flat()
	expect(whole).toHaveLength(3003)
	const limits = fc.array(fc.integer({ min: 40, max: 4_000 }), { minLength: 1, maxLength: 20 })
	await fc.assert(
		fc.asyncProperty(limits, fc.boolean(), async (limits, isInOrder) => {
			const keys = isInOrder ? [] : [byPages]
			const expected = isInOrder ? whole : (await batchesOf(opened.connection.transport, 'books', keys)).flat()
			expect((await batchesOf(narrow(opened.connection.transport, limits), 'books', keys)).flat()).toEqual(expected)
		}),
		{ numRuns: 30 },
	)
})

/** Answers of more documents than these limits, one after the other, are too large. */
function narrow(transport: Transport, limits: readonly number[]): Transport {
	let requests = 0
	return changed(transport, (send, isLook, rows) => {
		const most = limits[requests++ % limits.length] ?? 0
		return isLook || rows <= most ? send() : Promise.reject(new OversizedAnswer('too large'))
	})
}

type Change = (send: () => Promise<Reply>, isLook: boolean, rows: number) => Promise<Reply>

/** A transport between which and the engine something stands. */
function changed(transport: Transport, change: Change): Transport {
	function send(request: EngineRequest, signal: AbortSignal) {
		const rows = isJsonObject(request.body) ? Number(request.body.size) : 0
		return change(() => transport.send(request, signal), request.search?.includes('filter_path') ?? false, rows)
	}
	return new Proxy(transport, {
		get(target, name) {
			const value: unknown = Reflect.get(target, name)
			return name === 'send' ? send : typeof value === 'function' ? value.bind(target) : value
		},
	})
}
