import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { openSupportDirectory } from '../../base/support-directory.ts'
import type { ApiMessage } from '../../host/api/api.ts'
import { connectToHost } from '../../host/api/client.ts'
import { Roundhouse } from '../support/roundhouse.ts'
import { TestRegistry } from '../support/test-registry.ts'

/** Exports over HTTP: a slow reader, one that disconnects, and one that is cancelled. */
let roundhouse: Roundhouse
let connection = ''
let ledgers: TestRegistry
/** A connection whose exports have the length that their query requests. */
let ledger = ''
let cookie = ''
/** The path of the window. */
let window = ''

beforeAll(async () => {
	roundhouse = await Roundhouse.make()
	connection = await roundhouse.addSample()
	ledgers = await TestRegistry.make()
	await ledgers.addOwn('ledger')
	const { url, fingerprint } = ledgers.source
	await roundhouse.json(['plugin', 'registries', 'add', url, '--fingerprint', fingerprint])
	await roundhouse.json(['plugin', 'install', 'ledger'])
	const saved = ['connection', 'add', '--driver', 'ledger', '--name', 'Ledger']
	ledger = (await roundhouse.json<{ id: string }>(saved)).id
	await roundhouse.serve()
	const { fallbackUrl } = await roundhouse.enter()
	window = fallbackUrl.replace(/enter\?.*/, '')
	cookie = (await fetch(fallbackUrl)).headers.get('set-cookie')?.split(';')[0] ?? ''
})
afterAll(async () => {
	await roundhouse?.[Symbol.asyncDispose]()
	await ledgers?.[Symbol.asyncDispose]()
})

const query = { table: 'events', filters: [], match: 'all', sort: [] } as const

async function connect() {
	const client = await connectToHost(await openSupportDirectory(roundhouse.home))
	if (!client) throw new Error('no host answers')
	return client
}

async function fetchExport(id: string, headers = { cookie }): Promise<IncomingMessage> {
	const [response] = await once(get(`${window}export/${id}`, { headers }), 'response')
	return response
}

/** Ends with `end`, or with the reason of the failure. */
const ending = (response: IncomingMessage) =>
	new Promise<string>(resolve => {
		response.once('end', () => resolve(response.complete ? 'whole' : 'cut short'))
		response.once('error', () => resolve('cut short'))
	})

test('an export can be fetched once, and only by the window', async () => {
	await using client = await connect()
	const { id } = await client.call('exports.begin', { connection, query, options: { format: 'ndjson' } })
	await client.call('workspace.write', { key: `export/${connection}/${id}`, value: {}, writer: 'test' })
	expect((await fetchExport(id, { cookie: '' })).statusCode).toBe(403)
	const response = await fetchExport(id)
	let lines = 0
	response.on('data', (chunk: Buffer) => {
		for (const byte of chunk) if (byte === 10) lines++
	})
	expect(await ending(response)).toBe('whole')
	expect(lines).toBe(24_000)
	expect((await fetchExport(id)).statusCode).toBe(404)
	// Whole, so it is not begun again, whether or not a window saw its end.
	await vi.waitFor(async () => expect(Object.keys(await client.call('workspace.read', {}))).toEqual([]))
})

test('of two requests for one export, one gets it and the other is refused', async () => {
	await using client = await connect()
	const { id } = await client.call('exports.begin', { connection, query, options: { format: 'ndjson' } })
	const both = await Promise.all([fetchExport(id), fetchExport(id)])
	expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404])
	const whole = both.find(({ statusCode }) => statusCode === 200)
	if (!whole) throw new Error('no client got it')
	let lines = 0
	whole.on('data', (chunk: Buffer) => {
		for (const byte of chunk) if (byte === 10) lines++
	})
	expect(await ending(whole)).toBe('whole')
	expect(lines).toBe(24_000)
})

test('a reader that stops reading pauses the export, and a cancellation ends it', async () => {
	await using client = await connect()
	const events = new WebSocket(`${window.replace('http', 'ws')}api`, {
		headers: { cookie, origin: new URL(window).origin },
	})
	onTestFinished(() => events.close())
	await once(events, 'open')
	const reported = new Map<string, number>()
	events.on('message', (data: Buffer) => {
		const message: ApiMessage = JSON.parse(data.toString())
		if ('event' in message && message.event === 'export.changed') reported.set(message.data.id, message.data.rows)
	})
	// Some hundred megabytes, because the few of the sample fit into the buffers of the sockets.
	const long = { connection: ledger, query: { ...query, table: 'accounts', raw: '4000000' } }
	const { id } = await client.call('exports.begin', { ...long, options: { format: 'csv' } })
	const response = await fetchExport(id)
	response.pause()
	await vi.waitFor(() => expect(reported.get(id)).toBeGreaterThan(0))
	for (let seen = 0; (reported.get(id) ?? 0) > seen; ) {
		seen = reported.get(id) ?? 0
		await new Promise(resolve => setTimeout(resolve, 1000))
	}
	expect(reported.get(id)).toBeLessThan(1_000_000)
	expect(await client.call('exports.running', {})).toEqual([id])
	await client.call('exports.cancel', { id })
	const ended = ending(response)
	response.resume()
	expect(await ended).toBe('cut short')
	await vi.waitFor(async () => expect(await client.call('exports.running', {})).toEqual([]))
})

test('an export of a missing table fails before a file is created', async () => {
	await using client = await connect()
	const begun = client.call('exports.begin', {
		connection,
		query: { ...query, table: 'nothing' },
		options: { format: 'csv' },
	})
	await expect(begun).rejects.toThrow(/nothing/)
})
