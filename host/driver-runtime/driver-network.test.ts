import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { HostMessage } from '@roundhouse/kit/wire/messages'
import { expect, test } from 'vitest'
import { timeToHappen } from '../../tests/support/absence.ts'
import { driverFromSource, listTables, tell } from '../../tests/support/driver-from-source.ts'
import { temporaryServer } from '../../tests/support/temporary-server.ts'
import { DriverNetwork } from './driver-network.ts'

/** A sample that greets each client. At the text "close" it stops listening and keeps its open connections. */
const greeter = {
	sample: `async startSample(context, { port }) {
		const listener = await context.listen(socket => {
			socket.write('hello\\n')
			socket.on('data', async data => {
				if (String(data) === 'close') await listener.close()
				socket.write('heard ' + data)
			})
		}, port === undefined ? {} : { port })
		return { settings: {}, url: 'http://127.0.0.1:' + listener.port, close: async () => {} }
	},`,
}

async function guestOf(port: number): Promise<Socket> {
	const socket = connect(port, '127.0.0.1')
	await once(socket, 'connect')
	return socket
}

async function said(socket: Socket): Promise<string> {
	const [data] = await once(socket, 'data')
	return String(data)
}

test('a sample serves connections that the host accepts, and keeps them after it stops listening', async () => {
	await using driver = await driverFromSource('return []', greeter)
	const { url } = await driver.startSample()
	const port = Number(new URL(url).port)
	expect(driver.network.ports).toEqual([port])
	const guest = await guestOf(port)
	expect(await said(guest)).toBe('hello\n')
	for (let round = 0; round < 300; round++) {
		const other = await guestOf(port)
		expect(await said(other)).toBe('hello\n')
		other.destroy()
	}
	guest.write('close')
	expect(await said(guest)).toBe('heard close')
	const late = connect(port, '127.0.0.1')
	const [error] = await once(late, 'error')
	expect(error.code).toBe('ECONNREFUSED')
	guest.write('still')
	expect(await said(guest)).toBe('heard still')
	expect(driver.network.ports).toEqual([])
	guest.destroy()
	// Node's own bookkeeping would make the driver report its last closed connection over Node's channel, which is not
	// read.
	await once(guest, 'close')
	await timeToHappen(200)
	expect((await driver.startSample()).url).toMatch(/^http/)
})

test('a sample listens on the port it is given, and on another one if that port is in use', async () => {
	await using busy = await temporaryServer()
	await using driver = await driverFromSource('return []', greeter)
	const { url } = await driver.startSample({ port: busy.port })
	const port = Number(new URL(url).port)
	expect(port).not.toBe(busy.port)
	const guest = await guestOf(port)
	expect(await said(guest)).toBe('hello\n')
	guest.destroy()
})

test('a sample may not choose a port that it was not given', async () => {
	await using driver = await driverFromSource('return []', {
		sample: greeter.sample.replace('port === undefined ? {} : { port }', '{ port: 9229 }'),
	})
	await expect(driver.startSample()).rejects.toMatchObject({
		code: 'denied',
		message: 'A sample may listen only on the port that it was given.',
	})
})

test('the port of a sample is free when its process has ended', async () => {
	const driver = await driverFromSource('return []', greeter)
	const { url } = await driver.startSample()
	await driver[Symbol.asyncDispose]()
	const late = connect(Number(new URL(url).port), '127.0.0.1')
	const [error] = await once(late, 'error')
	expect(error.code).toBe('ECONNREFUSED')
})

test('bytes that arrive before a socket is passed reach the driver, such as the first bytes after a proxy handshake', async () => {
	await using server = await temporaryServer(socket => {
		socket.write('early ')
		socket.once('data', () => socket.end('late'))
	})
	await using driver = await driverFromSource(`
		const socket = await context.connect({ host: 'x', port: 1 })
		socket.write('go on')
		let text = ''
		for await (const chunk of socket) text += chunk
		${tell('text')}`)
	const dialer = {
		dial: async () => {
			const socket = await guestOf(server.port)
			await once(socket, 'readable')
			return socket.pause()
		},
		close() {},
	}
	expect((await listTables(driver, undefined, dialer))[0]?.name).toBe('early late')
})

test('a late message of an ended process opens no port', async () => {
	const said: HostMessage[] = []
	const network = new DriverNetwork({ pass: async () => true }, message => void said.push(message))
	network.allowListening()
	network.close()
	network.receive({ kind: 'listen', id: 1 })
	await timeToHappen(50)
	expect(network.ports).toEqual([])
	expect(said).toMatchObject([{ kind: 'failed', id: 1 }])
})
