import { afterEach, expect, test, vi } from 'vitest'
import { connectHost } from './client.ts'

/** Answers that a driver encoded are read and checked in the window, because the host does not read them. */

/** A socket in memory. The test answers. */
class FakeSocket extends EventTarget {
	static current: FakeSocket
	readonly OPEN = 1
	readonly readyState = 1
	readonly sent: { readonly id: number; readonly method: string; readonly params: unknown }[] = []

	constructor() {
		super()
		FakeSocket.current = this
	}

	send(text: string): void {
		this.sent.push(JSON.parse(text))
	}

	/** Answers the latest call of a method: with bytes as a driver's, or with JSON as the host's. */
	answer(method: string, text: string, isEncoded = false): void {
		const id = this.sent.findLast(call => call.method === method)?.id ?? 0
		const encoded = new Uint8Array([id, 0, 0, 0, ...new TextEncoder().encode(text)]).buffer
		const data = isEncoded ? encoded : `{"id":${id},"result":${text}}`
		this.dispatchEvent(new MessageEvent('message', { data }))
	}
}

afterEach(() => vi.unstubAllGlobals())

function connect() {
	vi.stubGlobal('WebSocket', FakeSocket)
	return { host: connectHost(new URL('ws://localhost')), socket: FakeSocket.current }
}

const statement = { text: 'select 1', start: 0, end: 8, access: 'read', summary: 'select 1' } as const
const sent = { connection: 'c1', session: 1, statement, maxRows: 10, inTransaction: false }

test.each([
	['is not JSON', '{"status": ', 'runConsole: it is not JSON'],
	[
		'has another shape',
		'{"status":"OK","tookMs":1,"notices":[],"body":{"view":"rows","columns":[null],"rows":[[1]]}}',
		'runConsole.body.columns[0]: null is not an object',
	],
])('an answer that %s rejects with the words of the host, which gets its place', async (_, bytes, fault) => {
	const { host, socket } = connect()
	const asked = host.call('console.run', sent)
	socket.answer('console.run', bytes, true)
	await expect
		.poll(() => socket.sent.at(-1))
		.toMatchObject({
			method: 'answers.refuse',
			params: { connection: 'c1', method: 'runConsole', fault },
		})
	socket.answer('answers.refuse', '"The driver Shop answered incorrectly."')
	await expect(asked).rejects.toMatchObject({ message: 'The driver Shop answered incorrectly.' })
})

test('a page of a grid whose rows miss cells is refused with the place', async () => {
	const { host, socket } = connect()
	const asked = host.call('grid.page', { grid: 7, offset: 0, limit: 10 })
	asked.catch(() => {})
	const column = '{"name":"n","type":"text","kind":"text","isKey":false,"isReadOnly":false,"isSortable":true}'
	const rows = '[{"id":"1","cells":["1","2"]}]'
	socket.answer(
		'grid.page',
		`{"columns":[${column}],"rows":${rows},"total":{"value":1,"isExact":true},"tookMs":1,"notices":[]}`,
		true,
	)
	await expect
		.poll(() => socket.sent.at(-1))
		.toMatchObject({
			method: 'answers.refuse',
			params: { grid: 7, method: 'gridPage', fault: expect.stringContaining('rows[0].cells: 2 cells for 1 column') },
		})
})
