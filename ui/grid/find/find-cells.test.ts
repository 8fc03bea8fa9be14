import { expect, test } from 'vitest'
import { firstFrom, isFound, stepFrom } from './find-cells.ts'

const places = [
	{ row: 1, column: 2 },
	{ row: 1, column: 5 },
	{ row: 40, column: 0 },
]

test('finds a text in any case, and nothing if the search text is empty', () => {
	expect(isFound('An Old Book', 'old')).toBe(true)
	expect(isFound('An Old Book', 'new')).toBe(false)
	expect(isFound('An Old Book', '')).toBe(false)
})

test('steps to the next and the previous match from any place, and wraps around', () => {
	expect(stepFrom(places, { row: 1, column: 2 }, 1)).toEqual(places[1])
	expect(stepFrom(places, { row: 7, column: 7 }, 1)).toEqual(places[2])
	expect(stepFrom(places, { row: 40, column: 0 }, 1)).toEqual(places[0])
	expect(stepFrom(places, { row: 1, column: 2 }, -1)).toEqual(places[2])
	expect(stepFrom(places, { row: 7, column: 7 }, -1)).toEqual(places[1])
	expect(stepFrom([], { row: 0, column: 0 }, 1)).toBeUndefined()
})

test('begins at the place itself', () => {
	expect(firstFrom(places, { row: 1, column: 5 })).toEqual(places[1])
	expect(firstFrom(places, { row: 1, column: 6 })).toEqual(places[2])
	expect(firstFrom(places, { row: 41, column: 0 })).toEqual(places[0])
})
