import { type Json, type JsonObject, parseJson, stringifyJson } from '@roundhouse/kit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editsFor, isSame, merged, partWith, planEdits } from './document.ts'

const set = (path: string, value: string) => new Map([[path, value]])
const keysTo = (document: JsonObject, path: string) => editsFor(document, path, 'x')[0]?.place
const withValues = (document: JsonObject, values: ReadonlyMap<string, Json | undefined>) =>
	planEdits(document, values).wanted
const partOf = (document: JsonObject, values: ReadonlyMap<string, Json | undefined>) => {
	const { edits, wanted } = planEdits(document, values)
	return partWith(wanted, edits)
}

test('a dotted path follows the spelling of the document', () => {
	expect(keysTo({ author: { name: 'x' } }, 'author.name')).toEqual(['author', 'name'])
	expect(keysTo({ 'author.name': 'x' }, 'author.name')).toEqual(['author.name'])
	expect(keysTo({ a: { 'b.c': 1 } }, 'a.b.c')).toEqual(['a', 'b.c'])
	expect(keysTo({ 'a.b': { c: 1 } }, 'a.b.c')).toEqual(['a.b', 'c'])
	expect(keysTo({ 'a.b': {} }, 'a.b.c')).toEqual(['a.b', 'c'])
	expect(keysTo({}, 'a.b.c')).toEqual(['a', 'b', 'c'])
	expect(keysTo({ a: null }, 'a.b')).toEqual(['a', 'b'])
	expect(keysTo({ a: { x: 1 }, 'a.b': 2 }, 'a.b')).toEqual(['a.b'])
})

test('a value inside a plain value is refused', () => {
	expect(() => keysTo({ authors: ['x'] }, 'authors.name')).toThrow('authors holds 1 elements in this document')
	expect(() => keysTo({ author: 'x' }, 'author.name')).toThrow('author is a plain value in this document')
})

const line = { lines: [{ sku: 'a', count: 1 }, { sku: 'b' }, { sku: 'c', count: 3 }], total: 4 }
const counts = (...values: Json[]) => new Map<string, Json | undefined>([['lines.count', values]])

test('through an array of objects there is a value for each element', () => {
	const { wanted, edits } = planEdits(line, counts(7, null, 3))
	expect(wanted).toEqual({ lines: [{ sku: 'a', count: 7 }, { sku: 'b' }, { sku: 'c', count: 3 }], total: 4 })
	expect(partWith(wanted, edits)).toEqual({ lines: wanted.lines })
	expect(withValues(line, counts(7, 8, null)).lines).toEqual([
		{ sku: 'a', count: 7 },
		{ sku: 'b', count: 8 },
		{ sku: 'c', count: null },
	])
	expect(withValues(line, new Map([['lines.count', undefined]])).lines).toEqual([
		{ sku: 'a' },
		{ sku: 'b' },
		{ sku: 'c' },
	])
	expect(withValues({ a: [[{ b: 1 }], [{ b: 2 }, {}]] }, new Map([['a.b', [[5], [6, null]]]]))).toEqual({
		a: [[{ b: 5 }], [{ b: 6 }, {}]],
	})
})

test('two fields of the elements are edited together', () => {
	const both = new Map<string, Json>([
		['lines.count', [1, 2, 3]],
		['lines.sku', ['x', 'y', 'z']],
	])
	const { wanted, edits } = planEdits(line, both)
	expect(wanted.lines).toEqual([
		{ sku: 'x', count: 1 },
		{ sku: 'y', count: 2 },
		{ sku: 'z', count: 3 },
	])
	expect(isSame(merged(line, partWith(wanted, edits)), wanted)).toBe(true)
})

test('too few values, too many, and one for all are refused with the number', () => {
	for (const values of [counts(1, 2), counts(1, 2, 3, 4), new Map([['lines.count', 5]])]) {
		expect(() => planEdits(line, values)).toThrow(
			'lines holds 3 elements in this document: give lines.count an array of as many values, in their order, or lines as a whole',
		)
	}
})

test('the part holds the new value and nothing else', () => {
	expect(partOf({ author: { name: 'x', born: 1 }, pages: 3 }, set('author.name', 'y'))).toEqual({
		author: { name: 'y' },
	})
	expect(partOf({ 'author.name': 'x' }, set('author.name', 'y'))).toEqual({ 'author.name': 'y' })
})

test('a field is removed from where it is', () => {
	const document = { author: { name: 'x', born: 1 }, pages: 3 }
	expect(withValues(document, new Map([['author.name', undefined]]))).toEqual({ author: { born: 1 }, pages: 3 })
	expect(withValues({ 'a.b': 1, c: 2 }, new Map([['a.b', undefined]]))).toEqual({ c: 2 })
})

const key = fc.constantFrom('a', 'b', 'c', 'a.b', 'b.c', 'a.b.c')
const documents = fc.letrec(tie => ({
	object: fc.dictionary(key, fc.oneof({ depthSize: 'small' }, fc.string(), tie('object')), { maxKeys: 4 }),
})).object as fc.Arbitrary<JsonObject>

/** Where a field's values are, whatever the spelling. */
function places(value: unknown, parts: readonly string[], at = ''): string[] {
	if (parts.length === 0) return [at]
	if (typeof value !== 'object' || value === null) return []
	return parts.flatMap((_, index) => {
		const name = parts.slice(0, index + 1).join('.')
		if (!Object.hasOwn(value, name)) return []
		return places((value as Record<string, unknown>)[name], parts.slice(index + 1), `${at}/${name}`)
	})
}

test('setting a dotted path never makes a second value for the same field', () => {
	fc.assert(
		fc.property(documents, fc.constantFrom('a.b', 'a.b.c', 'b.c', 'a.c'), (document, path) => {
			let changed: JsonObject
			try {
				changed = withValues(document, set(path, 'new'))
			} catch {
				// A plain value is in the way: refused, so nothing changes.
				return
			}
			const before = places(document, path.split('.')).length
			expect(places(changed, path.split('.'))).toHaveLength(Math.max(before, 1))
		}),
		{ numRuns: 2000 },
	)
})

test('what the engine merges from the part is the wanted document', () => {
	fc.assert(
		fc.property(documents, fc.constantFrom('a', 'a.b', 'a.b.c', 'b.c'), (document, path) => {
			try {
				const values = set(path, 'new')
				expect(isSame(merged(document, partOf(document, values)), withValues(document, values))).toBe(true)
			} catch (error) {
				expect(String(error)).toContain('is a plain value')
			}
		}),
		{ numRuns: 1000 },
	)
})

test('documents are compared by value, not by the order of keys, and to the last digit', () => {
	expect(isSame({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true)
	expect(isSame([1, 2], [2, 1])).toBe(false)
	expect(isSame(parseJson('1.10'), parseJson('1.1'))).toBe(false)
	expect(isSame(parseJson('9007199254740993'), parseJson('9007199254740992'))).toBe(false)
	expect(stringifyJson(merged({ n: parseJson('9007199254740993') }, { m: 1 }))).toBe('{"n":9007199254740993,"m":1}')
})

test('a key that every object of the language has is a key like others', () => {
	expect(keysTo({}, 'constructor.name')).toEqual(['constructor', 'name'])
	expect(keysTo({ team: 'x' }, 'toString.valueOf.x')).toEqual(['toString', 'valueOf', 'x'])
	const values = new Map([['__proto__.x', 'y']])
	const { edits, wanted } = planEdits({}, values)
	expect(stringifyJson(wanted)).toBe('{"__proto__":{"x":"y"}}')
	expect(isSame(merged({}, partWith(wanted, edits)), wanted)).toBe(true)
})
