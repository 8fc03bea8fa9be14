import { expect, test } from 'vitest'
import { partColours } from './part-colours.ts'

test('levels of a log have known colours, and no two values share one', () => {
	const [info, other, error, third] = partColours(['info', 'unusual', 'ERROR', 'odd'])
	expect([info, error]).toEqual(['info', 'error'])
	expect(new Set([info, other, error, third]).size).toBe(4)
})
