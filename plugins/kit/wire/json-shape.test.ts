import { expect, test } from 'vitest'
import { JsonShape } from './json-shape.ts'

const limits = { depth: 3, parts: 6, texts: 3, digits: 4 }

function shapeOf(...chunks: readonly string[]): JsonShape {
	const shape = new JsonShape(limits)
	for (const chunk of chunks) shape.push(Buffer.from(chunk))
	return shape
}

test('what is within the limits is no excess, and closed where it ends', () => {
	const shape = shapeOf('{"a":[1,', '"b\\"]"]}')
	expect([shape.excess, shape.isOpen]).toEqual([undefined, false])
})

test('levels, elements, members, texts and digits are each too many at one more', () => {
	expect(shapeOf('[[[').excess).toBeUndefined()
	expect(shapeOf('[[[[').excess).toBe('depth')
	expect(shapeOf('[1,1,1,1,,').excess).toBeUndefined()
	expect(shapeOf('[1,1,1,1,,,').excess).toBe('parts')
	expect(shapeOf('["","",""]').excess).toBeUndefined()
	expect(shapeOf('["","","",""]').excess).toBe('parts')
	expect(shapeOf('12345').excess).toBe('parts')
})

test('what stands in a text does not count, wherever the chunks are cut', () => {
	const json = '["[[[[,,,,,,\\"99999\\\\"]'
	for (let at = 0; at <= json.length; at++) {
		const shape = shapeOf(json.slice(0, at), json.slice(at))
		expect([shape.excess, shape.isOpen]).toEqual([undefined, false])
	}
})

test('an end in the middle of a text or a list leaves it open', () => {
	expect(shapeOf('{"a').isOpen).toBe(true)
	expect(shapeOf('[1').isOpen).toBe(true)
	expect(shapeOf('"\\"').isOpen).toBe(true)
})
