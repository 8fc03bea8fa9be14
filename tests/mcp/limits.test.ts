import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { proves } from '../contract/proves.ts'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'
import { raw } from './wire.ts'

/** Short timeouts, so that a test can wait for them. */
let fixture: EndpointFixture
/** The timeouts of the product, because ten megabytes take a busy machine a second. */
let patient: EndpointFixture
beforeAll(async () => {
	fixture = await startEndpoint({ hasRealClock: true, limits: { idleMs: 300, requestMs: 600 } })
	patient = await startEndpoint({ hasRealClock: true })
})
afterAll(async () => {
	await fixture[Symbol.asyncDispose]()
	await patient[Symbol.asyncDispose]()
})

const limit = 10 * 1024 * 1024
const discover = (by = fixture) => by.modernRequest('server/discover')
/** A discover whose body has exactly this many bytes. */
function padded(size: number) {
	const sent = discover(patient)
	return { ...sent, body: String(sent.body).padEnd(size, ' ') }
}
/** Returns the head of a request as text. */
function head(headers: Record<string, string | number>, by = fixture): string {
	const all = { Host: 'localhost', ...(discover(by).headers as Record<string, string>), ...headers }
	return `POST /mcp HTTP/1.1\r\n${Object.entries(all)
		.map(([name, value]) => `${name}: ${value}\r\n`)
		.join('')}\r\n`
}

describe('body', () => {
	test(proves('A.limits.body', 'of 10 MB is read, and one with one more byte is refused'), async () => {
		expect((await patient.send(padded(limit))).status).toBe(200)
		const answer = await patient.send(padded(limit + 1))
		expect([answer.status, answer.json.id, answer.json.error.code]).toEqual([413, null, -33005])
		expect(answer.headers.connection).toBe('close')
	})

	test(proves('A.limits.body', 'is refused by its declared length before it is sent'), async () => {
		const text = await raw(fixture.port, head({ 'Content-Length': limit + 1 }))
		expect(text).toMatch(/^HTTP\/1\.1 413 .*-33005/s)
	})

	test(proves('A.limits.body', 'without a length is counted while it is read, and refused at the limit'), async () => {
		const socket = connect(patient.port, '127.0.0.1')
		let text = ''
		socket.on('data', (chunk: Buffer) => {
			text += chunk
		})
		socket.on('error', () => {})
		socket.write(head({ 'Transfer-Encoding': 'chunked' }, patient))
		const chunk = Buffer.alloc(1024 * 1024, ' ')
		for (let sent = 0; sent < 64 && text === '' && !socket.destroyed; sent++) {
			socket.write(`${chunk.length.toString(16)}\r\n`)
			socket.write(chunk)
			const isFlushed = socket.write('\r\n')
			if (!isFlushed) await new Promise(resolve => socket.once('drain', resolve).once('close', resolve))
		}
		await vi.waitFor(() => expect(text).toMatch(/^HTTP\/1\.1 413 /))
		socket.destroy()
	})

	test('in chunks is accepted', async () => {
		const { headers, body } = discover()
		expect(body).toBeTypeOf('string')
		const text = String(body)
		const chunks = [text.slice(0, 10), text.slice(10)].map(part => `${part.length.toString(16)}\r\n${part}\r\n`)
		const answer = await raw(
			fixture.port,
			`${head({ 'Transfer-Encoding': 'chunked', Connection: 'close' })}${chunks.join('')}0\r\n\r\n`,
		)
		expect(headers).toBeDefined()
		expect(answer).toMatch(/^HTTP\/1\.1 200 /)
	})

	test('with both a length and chunks is refused, because two readers could disagree on its end', async () => {
		const text = await raw(fixture.port, `${head({ 'Content-Length': 5, 'Transfer-Encoding': 'chunked' })}0\r\n\r\n`)
		expect(text).toMatch(/^HTTP\/1\.1 400 /)
	})
})

test(proves('A.limits.headers', 'headers of 16 KB are accepted, larger ones are refused'), async () => {
	expect((await fixture.call('server/discover', {}, { headers: { 'X-Fill': 'x'.repeat(14 * 1024) } })).status).toBe(200)
	expect(await raw(fixture.port, head({ 'X-Fill': 'x'.repeat(16 * 1024) }))).toMatch(/^HTTP\/1\.1 431 /)
})

test(proves('A.limits.connections', 'the 65th connection is closed'), async () => {
	await using other = await startEndpoint({ hasRealClock: true, drivers: [] })
	const sockets: Socket[] = []
	const open = () =>
		new Promise<boolean>(resolve => {
			const socket = connect(other.port, '127.0.0.1')
			sockets.push(socket)
			socket.on('error', () => resolve(false))
			socket.on('close', () => resolve(false))
			socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{')
			socket.on('data', () => resolve(true))
		})
	const answers = await Promise.all(Array.from({ length: 65 }, open))
	expect(answers.filter(Boolean)).toHaveLength(64)
	for (const socket of sockets) socket.destroy()
	await vi.waitFor(async () => expect((await other.call('server/discover')).status).toBe(200))
})

describe('slow clients', () => {
	test(proves('A.limits.idle', 'a client that connects and sends nothing is disconnected'), async () => {
		expect(await raw(fixture.port, '')).toMatch(/^$|^HTTP\/1\.1 408 /)
	})

	test(proves('A.limits.idle', 'a client that stays connected after an answer is disconnected'), async () => {
		const { body } = discover()
		const text = await raw(fixture.port, head({ 'Content-Length': String(body).length }) + body)
		expect(text).toMatch(/^HTTP\/1\.1 200 /)
	})

	test('a client that sends a header or a body very slowly is disconnected', async () => {
		for (const beginning of ['POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-', `${head({ 'Content-Length': 1000 })}{`]) {
			const socket = connect(fixture.port, '127.0.0.1')
			socket.on('error', () => {})
			socket.write(beginning)
			const trickle = setInterval(() => socket.write('a'), 50)
			await new Promise(resolve => socket.once('close', resolve))
			clearInterval(trickle)
		}
	})
})

test('pipelined requests are answered in order', async () => {
	const one = (id: number, last: boolean) => {
		const { body } = fixture.modernRequest('server/discover', {}, { id })
		return head({ 'Content-Length': String(body).length, ...(last && { Connection: 'close' }) }) + body
	}
	const text = await raw(fixture.port, [1, 2, 3].map(id => one(id, id === 3)).join(''))
	expect([...text.matchAll(/"id":(\d)/g)].map(match => match[1])).toEqual(['1', '2', '3'])
})

describe('JSON', () => {
	const withArguments = (json: string) => {
		const sent = fixture.modernRequest('tools/call', { name: 'ledger_echo', arguments: { nested: 0 } })
		return fixture.send({ ...sent, body: String(sent.body).replace('"nested":0', `"nested":${json}`) })
	}

	test.each([300, 100_000, 1_000_000])('nested %d levels deep is refused', async depth => {
		// The parser is recursive for a number that must keep its digits, and iterative otherwise.
		for (const number of ['1', '1.10']) {
			const lists = await withArguments(`{"a":${'['.repeat(depth)}${number}${']'.repeat(depth)}}`)
			expect([lists.status, lists.json.error.code]).toEqual([400, -32600])
			const objects = await withArguments(`${'{"a":'.repeat(depth)}${number}${'}'.repeat(depth)}`)
			expect([objects.status, objects.json.error.code]).toEqual([400, -32600])
		}
	})

	test('the last value of a repeated key counts, for the check and for the call', async () => {
		const sent = fixture.modernRequest('tools/call', { name: 'ledger_echo', arguments: { text: 'first' } })
		const body = String(sent.body).replace('"name":"ledger_echo"', '"name":"ledger_crash","name":"ledger_echo"')
		expect((await fixture.send({ ...sent, body })).json.result.content[0].text).toBe('{"text":"first"}')
		const swapped = String(sent.body).replace('"name":"ledger_echo"', '"name":"ledger_echo","name":"ledger_crash"')
		expect((await fixture.send({ ...sent, body: swapped })).json.error.code).toBe(-32020)
	})

	test('a lone surrogate passes unchanged', async () => {
		const sent = fixture.modernRequest('tools/call', { name: 'ledger_echo', arguments: { text: 'x' } })
		const body = String(sent.body).replace('"text":"x"', '"text":"\\ud800"')
		expect((await fixture.send({ ...sent, body })).json.result.content[0].text).toBe('{"text":"\\ud800"}')
	})

	test('`__proto__` is an ordinary argument and changes no prototype', async () => {
		const { json } = await withArguments('{"__proto__":{"polluted":true},"constructor":1}')
		expect(json.result.content[0].text).toBe('{"nested":{"__proto__":{"polluted":true},"constructor":1}}')
		expect('polluted' in {}).toBe(false)
		const sent = fixture.modernRequest('tools/call', { name: 'ledger_echo' })
		const body = String(sent.body).replace('{"jsonrpc"', '{"__proto__":{"method":"ping"},"jsonrpc"')
		expect((await fixture.send({ ...sent, body })).status).toBe(200)
	})
})
