import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { Returns } from './returns.ts'

const sign = (text: string) => createHmac('sha256', 'key').update(text).digest('base64url')

test('host and window each prove that they know the key, and a challenge is accepted once', () => {
	const returns = new Returns('key', 4000)
	const { challenge, proof } = returns.greet('n')
	expect(proof).toBe(sign(`host 4000 n ${challenge}`))
	const answer = sign(`window 4000 ${challenge}`)
	expect([returns.admits(challenge, answer), returns.admits(challenge, answer)]).toEqual([true, false])
})

test('an answer for another port, with another key, or without a challenge is refused', () => {
	const returns = new Returns('key', 4000)
	expect(returns.admits(returns.greet('n').challenge, 'x')).toBe(false)
	const { challenge } = returns.greet('n')
	expect(returns.admits(challenge, sign(`window 4001 ${challenge}`))).toBe(false)
	expect(returns.admits('made up', sign('window 4000 made up'))).toBe(false)
})

test('questions of other programs do not evict the challenge of a window', () => {
	const returns = new Returns('key', 4000)
	const { challenge } = returns.greet('n')
	for (let count = 0; count < 1000; count++) returns.greet('n')
	expect(returns.admits(challenge, sign(`window 4000 ${challenge}`))).toBe(true)
})

test('a challenge expires, and its answer is refused afterwards', () => {
	let now = 0
	const returns = new Returns('key', 4000, () => now)
	const { challenge } = returns.greet('n')
	const { challenge: used } = returns.greet('n')
	expect(returns.admits(used, sign(`window 4000 ${used}`))).toBe(true)
	now = 60_001
	expect(returns.admits(challenge, sign(`window 4000 ${challenge}`))).toBe(false)
	expect(returns.admits(used, sign(`window 4000 ${used}`))).toBe(false)
})

test('a host does not accept the challenge of another host, or one with a changed time', () => {
	const returns = new Returns('key', 4000)
	const { challenge } = new Returns('key', 4000).greet('n')
	expect(returns.admits(challenge, sign(`window 4000 ${challenge}`))).toBe(false)
	const later = returns.greet('n').challenge.replace(/^\d+/, time => `${Number(time) + 1}`)
	expect(returns.admits(later, sign(`window 4000 ${later}`))).toBe(false)
})
