import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { SocketChannel } from './socket-channel.ts'

/** A child whose writes end on request. A real one cannot be made that late. */
function openChannel() {
	const written: ((error: Error | null) => void)[] = []
	const told: unknown[] = []
	const child = Object.assign(new EventEmitter(), {
		connected: true,
		[Symbol('kChannelHandle')]: { readStop() {} },
		send: (_message: object, _socket: Socket, _options: object, done: (error: Error | null) => void) =>
			written.push(done),
	})
	child.on('internalMessage', message => told.push(message))
	const channel = new SocketChannel(child as unknown as ChildProcess)
	const pass = () => channel.pass({ id: 1 }, new Socket())
	return { channel, pass, written, told }
}

test('an acknowledgement that overtakes the report of the write counts once the socket was written', async () => {
	const { channel, pass, written, told } = openChannel()
	const first = pass()
	const second = pass()
	expect(channel.acknowledged()).toBeUndefined()
	expect(told).toEqual([])
	expect(written).toHaveLength(1)
	written[0]?.(null)
	expect(await first).toBe(true)
	expect(told).toEqual([{ cmd: 'NODE_HANDLE_ACK' }])

	written[1]?.(null)
	expect(channel.acknowledged()).toBeUndefined()
	expect(await second).toBe(true)
})

test('a second acknowledgement of a socket is a fault, and so is one without a socket', () => {
	const { channel, pass, written, told } = openChannel()
	const fault = 'it acknowledged a socket that was not sent'
	expect(channel.acknowledged()).toBe(fault)
	void pass()
	expect(channel.acknowledged()).toBeUndefined()
	expect(channel.acknowledged()).toBe(fault)
	expect(told).toEqual([])
	written[0]?.(null)
	expect(channel.acknowledged()).toBe(fault)
})
