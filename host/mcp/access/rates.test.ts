import { expect, test } from 'vitest'
import { ManualClock } from '../../../tests/mcp/manual-clock.ts'
import type { Caller } from '../protocol/caller.ts'
import { Rates } from './rates.ts'

const caller: Caller = {
	key: 'token',
	tokenId: 'token',
	grantee: 'token',
	name: 'Editor',
	scopes: new Set(),
	groups: undefined,
	connections: undefined,
	expiresAt: undefined,
}

const staying = () => new AbortController().signal

/** Admits a request that does not have to wait. */
function admit(rates: Rates, who: Caller): () => void {
	const ended = rates.admit(who, staying)
	if (ended instanceof Promise) throw new Error('It waits.')
	return ended
}

test('a request over the concurrency limit waits in a queue, and is refused after a timeout', async () => {
	const clock = new ManualClock()
	const rates = new Rates(clock, () => ({ ratePerMinute: 0, concurrentPerToken: 1 }))
	const first = admit(rates, caller)
	const order: string[] = []
	const second = Promise.resolve(rates.admit(caller, staying)).then(ended => {
		order.push('second')
		return ended
	})
	const gone = new AbortController()
	const left = Promise.resolve(rates.admit(caller, () => gone.signal))
	const third = Promise.resolve(rates.admit(caller, staying)).then(ended => {
		order.push('third')
		return ended
	})
	gone.abort(new Error('gone'))
	await expect(left).rejects.toThrow('gone')
	first()
	const fourth = Promise.resolve(rates.admit(caller, staying))
	;(await second)()
	await third
	expect(order).toEqual(['second', 'third'])
	const refused = expect(fourth).rejects.toMatchObject({ code: -33010, data: { retryAfterSeconds: 1 } })
	clock.advance(5_000)
	await refused
	;(await third)()
	admit(rates, caller)()
})

test('the queue has a maximum length', () => {
	const rates = new Rates(new ManualClock(), () => ({ ratePerMinute: 0, concurrentPerToken: 1 }))
	admit(rates, caller)
	const waiting = Array.from({ length: 32 }, () => rates.admit(caller, staying))
	for (const one of waiting) expect(one).toBeInstanceOf(Promise)
	return expect(rates.admit(caller, staying)).rejects.toMatchObject({ code: -33010 })
})

test('a request that ran during a change of the limits is released when it ends', () => {
	let limits = { ratePerMinute: 100, concurrentPerToken: 1 }
	const rates = new Rates(new ManualClock(), () => limits)
	const release = admit(rates, caller)
	limits = { ...limits, ratePerMinute: 200 }
	expect(() => rates.require(caller)).toThrow('At most 1 concurrent requests are allowed for a token.')
	release()
	rates.require(caller)
})

test('a caller that alternates between bridge and direct calls is counted throughout', () => {
	const rates = new Rates(new ManualClock(), () => ({ ratePerMinute: 2, concurrentPerToken: 0 }))
	const bridge = { ...caller, key: 'token bridge' }
	const turns = [caller, bridge, caller, bridge]
	for (const turn of turns) admit(rates, turn)()
	expect(() => admit(rates, caller)).toThrow('At most 2 requests per minute are allowed.')
})

test('refused requests of a bridge that changes its name use no memory', () => {
	const ratePerMinute = 10_000
	const rates = new Rates(new ManualClock(), () => ({ ratePerMinute, concurrentPerToken: 1 }))
	const bridge = (name: number) => ({ ...caller, key: `token ${name}` })
	for (let name = 0; name < 4; name++) admit(rates, bridge(name))
	const before = process.memoryUsage().arrayBuffers
	for (let name = 4; name < 1000; name++)
		expect(() => rates.require(bridge(name))).toThrow('At most 4 concurrent requests')
	const taken = process.memoryUsage().arrayBuffers - before
	expect(taken).toBeLessThan(100 * ratePerMinute)
})
