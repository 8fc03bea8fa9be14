import { expect, test } from 'vitest'
import { colours, connectionColour, tellApart } from './connection-colour.ts'

/** Colours that tell connections apart. */

const connection = (id: string, at: number) => ({ id, isProduction: false, createdAt: `2026-01-0${at}T00:00:00Z` })

test('connections without a chosen colour have different ones, as long as there are some left', () => {
	const all = colours.map((_, at) => connection('same', at + 1)).map((one, at) => ({ ...one, id: `c${at}${at}` }))
	tellApart(all)
	expect(new Set(all.map(connectionColour)).size).toBe(colours.length)
})

test('a chosen colour is left to the one that chose it, and the oldest keeps its own', () => {
	const [old, young] = [connection('first', 1), connection('second', 2)]
	const before = connectionColour(old)
	tellApart([young, old])
	expect(connectionColour(old)).toBe(before)
	for (const colour of colours) {
		const chosen = { ...connection('chosen', 3), colour }
		tellApart([old, chosen])
		expect(connectionColour(old)).not.toBe(connectionColour(chosen))
	}
	expect(connectionColour({ ...old, isProduction: true })).toBe('var(--production)')
})
