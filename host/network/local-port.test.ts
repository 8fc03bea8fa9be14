import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { isListening } from './local-port.ts'

test('a port of this machine is found while a program listens on it, and gets no byte', async () => {
	const received: unknown[] = []
	const server = createServer(socket => socket.on('data', data => received.push(data)))
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	const address = server.address()
	const port = typeof address === 'object' && address ? address.port : 0
	expect(await isListening(port)).toBe(true)
	server.close()
	await once(server, 'close')
	expect(await isListening(port)).toBe(false)
	expect(received).toEqual([])
})
