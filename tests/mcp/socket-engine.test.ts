import { mkdtemp, realpath, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryServer } from '../support/temporary-server.ts'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'

/** A driver with a pool of sockets, over TCP and over a Unix socket (drivers/till). */

let fixture: EndpointFixture
let folder: string
let guests: Set<Socket>
beforeEach(async () => {
	fixture = await startEndpoint({ drivers: [join(import.meta.dirname, 'drivers', 'till')] })
	folder = await realpath(await mkdtemp(join(tmpdir(), 'rh-')))
	guests = new Set()
})
afterEach(async () => {
	await fixture[Symbol.asyncDispose]()
	await rm(folder, { recursive: true, force: true })
})

/** Repeats each line after a moment. */
function serve(guest: Socket): void {
	guests.add(guest)
	guest
		.once('close', () => guests.delete(guest))
		.on('data', async line => {
			await sleep(30)
			guest.write(line)
		})
}

const connect = async (settings: Record<string, string | number>) =>
	(await fixture.addConnection({ driverId: 'till', settings })).id
const run = async (connection: string, query: string) =>
	(await fixture.callTool('query', { connection_id: connection, query })).json.result

test('statements at the same time share two sockets, and a socket that the engine closes is replaced', async () => {
	await using server = await temporaryServer(serve)
	const connection = await connect({ host: '127.0.0.1', port: server.port })
	const lines = Array.from({ length: 6 }, (_, index) => `line ${index}`)
	const answers = await Promise.all(lines.map(line => run(connection, line)))
	expect(answers.map(({ structuredContent }) => structuredContent.text)).toEqual(lines)
	expect(server.visits).toBe(2)
	for (const guest of guests) guest.destroy()
	await expect.poll(() => guests.size).toBe(0)
	// The driver learns of the end after this side.
	await sleep(50)
	expect((await run(connection, 'again')).structuredContent.text).toBe('again')
})

test('a connection over a Unix socket runs statements', async () => {
	const path = join(folder, 'till.sock')
	await using server = await temporaryServer(serve, path)
	const connection = await connect({ socket: path })
	expect((await run(connection, 'hello there')).structuredContent.text).toBe('hello there')
	expect(server.visits).toBe(1)
})

test('a path that is no socket fails with the reason', async () => {
	const { content } = await run(await connect({ socket: folder }), 'x')
	expect(content[0].text).toContain('was not opened: it is not a socket')
})
