import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { temporaryServer } from '../../../tests/support/temporary-server.ts'
import { DriverError } from './errors.ts'
import { Pool, type PoolOptions } from './pool.ts'

const { signal } = new AbortController()

/** A server that repeats what it hears, and a pool of sockets to it. `open` are the sockets that the pool has not closed. */
async function world(options: Partial<PoolOptions<Socket>> = {}) {
	const guests = new Set<Socket>()
	const server = await temporaryServer(guest => {
		guests.add(guest)
		guest.on('data', data => guest.write(data)).once('close', () => guests.delete(guest))
	})
	const open = new Set<Socket>()
	const pool = new Pool<Socket>({
		most: 2,
		open: async signal => {
			const socket = connect({ port: server.port, host: '127.0.0.1', signal })
			await once(socket, 'connect')
			open.add(socket)
			return socket.on('error', () => {})
		},
		close: socket => {
			expect(open.delete(socket)).toBe(true)
			socket.destroy()
		},
		isUsable: ({ destroyed, writable }) => !destroyed && writable,
		...options,
	})
	const kept = { pool, open, guests, server }
	return {
		...kept,
		async [Symbol.asyncDispose]() {
			await pool.close()
			await server[Symbol.asyncDispose]()
		},
	}
}

const say = (text: string) => async (socket: Socket) => {
	socket.write(text)
	const [heard] = await once(socket, 'data')
	return String(heard)
}

test('calls share no socket, use at most so many, and the first that waits is the first to run', async () => {
	await using scenario = await world()
	const order: number[] = []
	const answers = Array.from({ length: 20 }, async (_, index) => {
		const heard = await scenario.pool.use(say(`${index}`), signal)
		order.push(index)
		return heard
	})
	expect(await Promise.all(answers)).toEqual(Array.from({ length: 20 }, (_, index) => `${index}`))
	expect(scenario.server.visits).toBe(2)
	expect(order.slice(2).every((value, index) => Math.abs(value - index - 2) <= 1)).toBe(true)
})

test('an error of the engine keeps the socket, any other error closes it', async () => {
	await using scenario = await world()
	const failing = (error: Error) => scenario.pool.use(() => Promise.reject(error), signal).catch(() => {})
	await failing(new DriverError('query_failed', 'No.'))
	expect([scenario.open.size, scenario.server.visits]).toEqual([1, 1])
	await failing(new TypeError('bad'))
	expect(scenario.open.size).toBe(0)
	await failing(new DriverError('not_connected', 'Lost.'))
	expect(scenario.open.size).toBe(0)
	expect(await scenario.pool.use(say('again'), signal)).toBe('again')
	expect(scenario.server.visits).toBe(3)
})

test('a socket that the engine closed is not used again', async () => {
	await using scenario = await world()
	await scenario.pool.use(say('one'), signal)
	for (const guest of scenario.guests) guest.destroy()
	await expect.poll(() => [...scenario.open].every(({ destroyed }) => destroyed)).toBe(true)
	expect(await scenario.pool.use(say('two'), signal)).toBe('two')
	expect(scenario.open.size).toBe(1)
})

test('a socket outlives the abort of the call that opened it', async () => {
	await using scenario = await world()
	const opener = new AbortController()
	await scenario.pool.use(say('one'), opener.signal)
	opener.abort()
	expect(await scenario.pool.use(say('two'), signal)).toBe('two')
	expect(scenario.server.visits).toBe(1)
})

test('an idle socket is closed after its time', async () => {
	await using scenario = await world({ idleMs: 50 })
	await scenario.pool.use(say('one'), signal)
	expect(scenario.open.size).toBe(1)
	await expect.poll(() => scenario.open.size).toBe(0)
	expect(await scenario.pool.use(say('two'), signal)).toBe('two')
})

test('a call that waits is cancelled alone, and one that runs closes its socket', async () => {
	await using scenario = await world({ most: 1 })
	const [running, waiting] = [new AbortController(), new AbortController()]
	const first = scenario.pool.use(() => sleep(10_000, undefined, { signal: running.signal }), running.signal)
	const second = scenario.pool.use(say('two'), waiting.signal)
	const third = scenario.pool.use(say('three'), signal)
	await expect.poll(() => scenario.open.size).toBe(1)
	waiting.abort(new Error('not needed'))
	await expect(second).rejects.toThrow('not needed')
	running.abort()
	await expect(first).rejects.toThrow()
	expect(await third).toBe('three')
	expect(scenario.server.visits).toBe(2)
})

test('a failed opening goes to its caller, and the next one gets the place', async () => {
	let fails = true
	await using scenario = await world({ most: 1 })
	const pool = new Pool<object>({
		most: 1,
		open: async () => {
			await sleep(10)
			if (fails) throw new DriverError('denied', 'Wrong password.')
			return {}
		},
		close() {},
		isUsable: () => true,
	})
	const first = pool.use(async () => 1, signal)
	const second = pool.use(async () => 2, signal)
	await expect(first).rejects.toThrow('Wrong password.')
	fails = false
	expect(await second).toBe(2)
	await pool.close()
	expect(scenario.server.visits).toBe(0)
})

test('close ends the sockets in use, those that idle or are being opened, and the calls that wait', async () => {
	await using scenario = await world()
	const endOf = (socket: Socket) => once(socket, 'close').then(() => Promise.reject(new Error('ended')))
	const held = [1, 2].map(() => scenario.pool.use(endOf, signal))
	const waiting = scenario.pool.use(say('late'), signal)
	await expect.poll(() => scenario.open.size).toBe(2)
	const outcomes = Promise.allSettled([...held, waiting])
	const isGone = Promise.all([...scenario.open].map(socket => once(socket, 'close')))
	await scenario.pool.close()
	await isGone
	expect(scenario.open.size).toBe(0)
	await expect(waiting).rejects.toMatchObject({ code: 'not_connected' })
	await expect(scenario.pool.use(say('later'), signal)).rejects.toMatchObject({ code: 'not_connected' })
	expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
	await scenario.pool.close()

	await using other = await world()
	const refused = expect(other.pool.use(say('x'), signal)).rejects.toThrow()
	await other.pool.close()
	await refused
	await expect.poll(() => other.guests.size).toBe(0)
})
