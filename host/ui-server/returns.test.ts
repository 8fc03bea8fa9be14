import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { Returns } from './returns.ts'

const sign = (text: string) => createHmac('sha256', 'key').update(text).digest('base64url')

test('each proves to the other that it knows the key, and a challenge is answered once', () => {
	const returns = new Returns('key', 4000)
	const { challenge, proof } = returns.greet('n')
	expect(proof).toBe(sign(`host 4000 n ${challenge}`))
	const answer = sign(`window 4000 ${challenge}`)
	expect([returns.admits(challenge, answer), returns.admits(challenge, answer)]).toEqual([true, false])
})

test('an answer for another port, with another key, or to what nobody asked lets nobody in', () => {
	const returns = new Returns('key', 4000)
	expect(returns.admits(returns.greet('n').challenge, 'x')).toBe(false)
	const { challenge } = returns.greet('n')
	expect(returns.admits(challenge, sign(`window 4001 ${challenge}`))).toBe(false)
	expect(returns.admits('made up', sign('window 4000 made up'))).toBe(false)
})

test('who asks and never answers does not fill the memory', () => {
	const returns = new Returns('key', 4000)
	const { challenge } = returns.greet('n')
	for (let count = 0; count < 32; count++) returns.greet('n')
	expect(returns.admits(challenge, sign(`window 4000 ${challenge}`))).toBe(false)
})
