import { expect, test } from 'vitest'
import { ManualClock } from '../../../tests/mcp/manual-clock.ts'
import { Lockouts } from './lockouts.ts'

const lockMs = 5 * 60_000

test('five failures lock a key and no other, for five minutes', () => {
	const clock = new ManualClock()
	const lockouts = new Lockouts(clock)
	for (let failure = 0; failure < 5; failure++) {
		expect(lockouts.remainingMs('token')).toBe(0)
		lockouts.fail('token')
	}
	expect([lockouts.remainingMs('token'), lockouts.remainingMs('other')]).toEqual([lockMs, 0])
	clock.advance(lockMs)
	expect(lockouts.remainingMs('token')).toBe(0)
})

test('a success between failures resets the count', () => {
	const lockouts = new Lockouts(new ManualClock())
	for (let failure = 0; failure < 8; failure++) {
		if (failure === 4) lockouts.succeed('token')
		lockouts.fail('token')
	}
	expect(lockouts.remainingMs('token')).toBe(0)
})

test('of a thousand invalid tokens the least recently failed one is evicted first', () => {
	const lockouts = new Lockouts(new ManualClock())
	for (const key of ['first', 'second']) for (let failure = 0; failure < 5; failure++) lockouts.fail(key)
	lockouts.fail('first')
	for (let key = 0; key < 999; key++) lockouts.fail(`made up ${key}`)
	expect([lockouts.remainingMs('first'), lockouts.remainingMs('second')]).toEqual([lockMs, 0])
})
