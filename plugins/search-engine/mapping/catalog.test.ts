import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { direct, openSample } from '../test/fixture.ts'
import { recordRequests } from '../test/recorder.ts'
import { sendingBy } from '../test/sending-by.ts'
import type { EngineRequest } from '../transport/engine-request.ts'
import { Catalog } from './catalog.ts'

let opened: Awaited<ReturnType<typeof openSample>>
let recorder: Awaited<ReturnType<typeof recordRequests>>
beforeAll(async () => {
	opened = await openSample()
	recorder = await recordRequests(opened.sample.url)
	await put('/kept', { mappings: { properties: { a: { type: 'long' } } } })
})
afterEach(() => {
	vi.useRealTimers()
	recorder.clear()
})
afterAll(async () => {
	await recorder.close()
	await opened[Symbol.asyncDispose]()
})

const { signal } = new AbortController()
const put = (path: string, body: object) =>
	direct(opened.sample.url, path, { method: 'PUT', body: JSON.stringify(body) })
const reads = () => recorder.requests.filter(({ line }) => line === 'GET /kept/_mapping').length

test('caches a mapping for ten seconds', async () => {
	vi.useFakeTimers({ toFake: ['performance'] })
	const catalog = new Catalog(recorder.connection.transport)
	await catalog.mapping('kept', signal)
	vi.advanceTimersByTime(9_900)
	await catalog.mapping('kept', signal)
	expect(reads()).toBe(1)
	vi.advanceTimersByTime(200)
	await catalog.mapping('kept', signal)
	expect(reads()).toBe(2)
})

test('does not cache a mapping that was read during a write of this connection', async () => {
	const { transport } = recorder.connection
	const catalog = new Catalog(transport)
	const request: EngineRequest = { method: 'PUT', path: '/kept/_mapping', body: { properties: {} }, isRead: false }
	const writing = transport.send(request, signal)
	await catalog.mapping('kept', signal)
	await writing
	await catalog.mapping('kept', signal)
	expect(reads()).toBe(2)
})

test('a mapping that was requested earlier does not replace a newer one', async () => {
	const { transport } = recorder.connection
	const held = Promise.withResolvers<void>()
	let isHeld = true
	const slow = sendingBy(transport, async (request, signal) => {
		const wasHeld = isHeld
		const reply = await transport.send(request, signal)
		if (wasHeld) await held.promise
		return reply
	})
	const catalog = new Catalog(slow)
	const older = catalog.refresh('kept', signal)
	await expect.poll(reads).toBe(1)
	isHeld = false
	await put('/kept/_mapping', { properties: { b: { type: 'long' } } })
	const fieldsOf = async (mapping: ReturnType<typeof catalog.mapping>) => [...(await mapping).fields.keys()]
	expect(await fieldsOf(catalog.refresh('kept', signal))).toEqual(['a', 'b'])
	held.resolve()
	await older
	expect(await fieldsOf(catalog.mapping('kept', signal))).toEqual(['a', 'b'])
})
