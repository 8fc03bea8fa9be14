import { expect, test } from 'vitest'
import { byLevel, partColours } from './part-colours.ts'

test('levels of a log have known colours, and no two values share one', () => {
	const [info, other, error, third] = partColours(['info', 'unusual', 'ERROR', 'odd'])
	expect([info, error]).toEqual(['info', 'error'])
	expect(new Set([info, other, error, third]).size).toBe(4)
})

test('levels are ordered from the calmest to the worst, whatever their counts are', () => {
	expect(['INFO', 'ERROR', 'odd', 'DEBUG', 'WARN'].toSorted(byLevel)).toEqual(['DEBUG', 'INFO', 'WARN', 'ERROR', 'odd'])
})
