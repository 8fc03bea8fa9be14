import { once } from 'node:events'
import { isJsonObject } from '@roundhouse/kit'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ResultWindow } from '../grid/result-window.ts'
import type { SortKey } from '../mapping/sort-key.ts'
import { direct, openSample } from '../test/fixture.ts'
import { recordRequests } from '../test/recorder.ts'
import { sendingBy } from '../test/sending-by.ts'
import { EngineError } from '../transport/engine-error.ts'
import { OversizedAnswer } from '../transport/failure.ts'
import { Reply } from '../transport/reply.ts'
import type { Transport } from '../transport/transport.ts'
import { PointSource } from './point-source.ts'

let opened: Awaited<ReturnType<typeof openSample>>
beforeAll(async () => {
	opened = await openSample()
})
afterAll(() => opened[Symbol.asyncDispose]())

const { signal } = new AbortController()
const byPages: SortKey = { field: 'pages', order: 'asc', nestedIn: [] }

/** Returns the ids of all batches. */
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

test('looks up the end of a batch and starts the next one concurrently, only in document order', async () => {
	const recorder = await recordRequests(opened.sample.url)
	const asked = async (keys: readonly SortKey[], limit?: number) => {
		recorder.clear()
		await batchesOf(recorder.connection.transport, 'events', keys, limit)
		const searches = recorder.requests.filter(({ line }) => line.startsWith('POST /_search'))
		const looks = searches.filter(({ line }) => line.includes('filter_path'))
		return { looks: looks.length, reads: searches.length - looks.length }
	}
	// 200, twice 3,200, about 10,000, the rest and none. A batch that starts before the size of the last one is known is
	// as large as that one, so there may be a batch more. Then 200, 3,200, twice about 10,000, the rest and none.
	const ahead = await asked([])
	expect(ahead.looks).toBe(3)
	expect([6, 7]).toContain(ahead.reads)
	expect(await asked([{ ...byPages, field: '@timestamp' }])).toEqual({ looks: 0, reads: 6 })
	// 200, 3,200 and 100 rows.
	expect(await asked([], 3_500)).toEqual({ looks: 1, reads: 3 })
	await recorder.close()
})

test('requests a batch while the previous one is pending', async () => {
	const [first, last] = [1, 4]
	const sent = Array.from({ length: last + 1 }, () => Promise.withResolvers<void>())
	let reads = 0
	const holding = changed(opened.connection.transport, async ({ send, isLook }) => {
		if (isLook) return send()
		const read = reads++
		sent[read]?.resolve()
		const reply = await send()
		if (read >= first && read < last) await sent[read + 1]?.promise
		return reply
	})
	expect((await batchesOf(holding, 'events')).flat()).toHaveLength(24_000)
})

test('cancels a batch that was started after rows that did not arrive', async () => {
	let reads = 0
	let isStopped = false
	const isAhead = Promise.withResolvers<void>()
	const oversized = changed(opened.connection.transport, async ({ send, isLook, signal }) => {
		const read = isLook ? 0 : ++reads
		if (read === 2) {
			await isAhead.promise
			throw new OversizedAnswer('too large')
		}
		if (read !== 3) return send()
		isAhead.resolve()
		await once(signal, 'abort')
		isStopped = true
		throw signal.reason
	})
	expect((await batchesOf(oversized, 'events')).flat()).toHaveLength(24_000)
	expect(isStopped).toBe(true)
})

test.each([300, 3_000, 9_000])('loses no row with a window of %i rows that only a rejection reveals', async most => {
	const settle = (rows: number | null) =>
		direct(opened.sample.url, '/events/_settings', {
			method: 'PUT',
			body: JSON.stringify({ index: { max_result_window: rows } }),
		})
	await settle(most)
	try {
		expect(new Set((await batchesOf(opened.connection.transport, 'events')).flat()).size).toBe(24_000)
	} finally {
		await settle(null)
	}
})

test('reads all rows if the engine does not say where a batch ends', async () => {
	const silent = changed(opened.connection.transport, ({ send, isLook }) =>
		isLook
			? Promise.reject(new EngineError('query_failed', 'not so', { status: 400, type: 'illegal_argument_exception' }))
			: send(),
	)
	expect((await batchesOf(silent, 'events')).flat()).toHaveLength(24_000)
})

test('a wrong total does not end the export early', async () => {
	for (const total of ['5000', '100', '-1', '"many"', '1e300']) {
		const lying = altered(opened.connection.transport, text => text.replace('"value":24000', `"value":${total}`))
		expect((await batchesOf(lying, 'events')).flat(), total).toHaveLength(24_000)
	}
})

test('fails for rows without sort values', async () => {
	const nowhere = altered(opened.connection.transport, text => text.replaceAll('"sort":', '"short":'))
	await expect(batchesOf(nowhere, 'events')).rejects.toThrow('have no valid sort values')
	const still = altered(opened.connection.transport, text => text.replaceAll(/"sort":\[[0-9]+\]/g, '"sort":[7]'))
	await expect(batchesOf(still, 'events')).rejects.toThrow('have no valid sort values')
})

test('a batch that is read in smaller pieces moves, duplicates and loses no row', async () => {
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

/** Makes answers with more documents than these limits too large, cycling through the limits. */
function narrow(transport: Transport, limits: readonly number[]): Transport {
	let requests = 0
	return changed(transport, ({ send, isLook, rows }) => {
		const most = limits[requests++ % limits.length] ?? 0
		return isLook || rows <= most ? send() : Promise.reject(new OversizedAnswer('too large'))
	})
}

/** Changes the answers of the engine. */
function altered(transport: Transport, alter: (text: string) => string): Transport {
	return changed(transport, async ({ send }) => {
		const { status, statusText, headers, text } = await send()
		return new Reply({ status, statusText, headers, bytes: Buffer.from(alter(text)) })
	})
}

/** A search that is about to be sent. */
interface Sending {
	readonly send: () => Promise<Reply>
	/** Whether it only looks up where its rows end. */
	readonly isLook: boolean
	readonly rows: number
	readonly signal: AbortSignal
}

/** Returns a transport that intercepts searches. */
function changed(transport: Transport, change: (search: Sending) => Promise<Reply>): Transport {
	return sendingBy(transport, (request, signal) => {
		const plainly = () => transport.send(request, signal)
		if (!isJsonObject(request.body) || request.path !== '/_search') return plainly()
		const isLook = request.search?.includes('filter_path') ?? false
		return change({ send: plainly, isLook, rows: Number(request.body.size), signal })
	})
}
