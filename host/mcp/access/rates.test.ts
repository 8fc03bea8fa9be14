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
	connections: undefined,
	expiresAt: undefined,
}

test('what ran while the limits were changed leaves its place when it ends', () => {
	let limits = { ratePerMinute: 100, concurrentPerToken: 1 }
	const rates = new Rates(new ManualClock(), () => limits)
	const release = rates.admit(caller)
	limits = { ...limits, ratePerMinute: 200 }
	expect(() => rates.require(caller)).toThrow('At most 1 requests of one token run at once.')
	release()
	rates.require(caller)
})

test('who calls as a bridge and as itself by turns is counted all the while', () => {
	const rates = new Rates(new ManualClock(), () => ({ ratePerMinute: 2, concurrentPerToken: 0 }))
	const bridge = { ...caller, key: 'token bridge' }
	const turns = [caller, bridge, caller, bridge]
	for (const turn of turns) rates.admit(turn)()
	expect(() => rates.admit(caller)).toThrow('At most 2 requests a minute.')
})

test('a bridge that takes a new name for each request gets no memory for those that are refused', () => {
	const ratePerMinute = 10_000
	const rates = new Rates(new ManualClock(), () => ({ ratePerMinute, concurrentPerToken: 1 }))
	const bridge = (name: number) => ({ ...caller, key: `token ${name}` })
	for (let name = 0; name < 4; name++) rates.admit(bridge(name))
	const before = process.memoryUsage().arrayBuffers
	for (let name = 4; name < 1000; name++) expect(() => rates.require(bridge(name))).toThrow('At most 4 requests')
	const taken = process.memoryUsage().arrayBuffers - before
	expect(taken).toBeLessThan(100 * ratePerMinute)
})
