import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HostMessage } from '@roundhouse/kit/wire/messages'
import { expect, test } from 'vitest'
import { driverFromSource, listTables, tell } from '../../tests/support/driver-from-source.ts'
import { temporaryServer } from '../../tests/support/temporary-server.ts'
import { DriverNetwork } from './driver-network.ts'

/** A sample that greets its guests, and stops listening at a word while they stay. */
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

test('a sample serves what the host accepts, and stops without losing who is there', async () => {
	await using driver = await driverFromSource('return []', greeter)
	const { url } = await driver.call('startSample', {})
	const port = Number(new URL(url).port)
	expect(driver.ports).toEqual([port])
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
	expect(driver.ports).toEqual([])
	guest.destroy()
	// Node's own way would have the driver tell that its last guest is gone, by the channel where nothing may be told.
	await once(guest, 'close')
	await sleep(200)
	expect((await driver.call('startSample', {})).url).toMatch(/^http/)
})

test('a sample takes the port it is given, and another one where that is taken', async () => {
	await using busy = await temporaryServer()
	await using driver = await driverFromSource('return []', greeter)
	const { url } = await driver.call('startSample', { port: busy.port })
	const port = Number(new URL(url).port)
	expect(port).not.toBe(busy.port)
	const guest = await guestOf(port)
	expect(await said(guest)).toBe('hello\n')
	guest.destroy()
})

test('a sample takes no port but the one it is given', async () => {
	await using driver = await driverFromSource('return []', {
		sample: greeter.sample.replace('port === undefined ? {} : { port }', '{ port: 9229 }'),
	})
	await expect(driver.call('startSample', {})).rejects.toMatchObject({
		code: 'denied',
		message: 'A sample listens where it is told.',
	})
})

test('what a sample listened on is free when its process has ended', async () => {
	const driver = await driverFromSource('return []', greeter)
	const { url } = await driver.call('startSample', {})
	await driver[Symbol.asyncDispose]()
	const late = connect(Number(new URL(url).port), '127.0.0.1')
	const [error] = await once(late, 'error')
	expect(error.code).toBe('ECONNREFUSED')
})

test('what had arrived before a socket was passed arrives, as it does through a proxy that has greeted', async () => {
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
	const reaching = {
		dial: async () => {
			const socket = await guestOf(server.port)
			await once(socket, 'readable')
			return socket.pause()
		},
		close() {},
	}
	expect((await listTables(driver, undefined, reaching))[0]?.name).toBe('early late')
})

test('what a process said before it ended opens nothing after', async () => {
	const said: HostMessage[] = []
	const network = new DriverNetwork({ pass: async () => true }, message => void said.push(message))
	network.allowListening()
	network.close()
	network.receive({ kind: 'listen', id: 1 })
	await sleep(50)
	expect(network.ports).toEqual([])
	expect(said).toMatchObject([{ kind: 'failed', id: 1 }])
})
