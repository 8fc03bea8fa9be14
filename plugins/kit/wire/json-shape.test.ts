import { expect, test } from 'vitest'
import { JsonShape } from './json-shape.ts'

const limits = { depth: 3, parts: 6, texts: 3, digits: 4 }

function shapeOf(...chunks: readonly string[]): JsonShape {
	const shape = new JsonShape(limits)
	for (const chunk of chunks) shape.push(Buffer.from(chunk))
	return shape
}

test('a text within the limits has no excess, and is closed at its end', () => {
	const shape = shapeOf('{"a":[1,', '"b\\"]"]}')
	expect([shape.excess, shape.isOpen]).toEqual([undefined, false])
})

test('rejects one more than the limit of levels, elements, members, texts and digits', () => {
	expect(shapeOf('[[[').excess).toBeUndefined()
	expect(shapeOf('[[[[').excess).toBe('depth')
	expect(shapeOf('[1,1,1,1,,').excess).toBeUndefined()
	expect(shapeOf('[1,1,1,1,,,').excess).toBe('parts')
	expect(shapeOf('["","",""]').excess).toBeUndefined()
	expect(shapeOf('["","","",""]').excess).toBe('parts')
	expect(shapeOf('12345').excess).toBe('parts')
})

test('ignores the content of strings, however the chunks are split', () => {
	const json = '["[[[[,,,,,,\\"99999\\\\"]'
	for (let at = 0; at <= json.length; at++) {
		const shape = shapeOf(json.slice(0, at), json.slice(at))
		expect([shape.excess, shape.isOpen]).toEqual([undefined, false])
	}
})

test('reports a text that ends inside a string or a list as open', () => {
	expect(shapeOf('{"a').isOpen).toBe(true)
	expect(shapeOf('[1').isOpen).toBe(true)
	expect(shapeOf('"\\"').isOpen).toBe(true)
})
