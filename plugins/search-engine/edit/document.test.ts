import { type Json, type JsonObject, parseJson, stringifyJson } from '@roundhouse/kit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMapping } from '../mapping/mapping.ts'
import { readerOf } from '../mapping/source.ts'
import { editsFor, isSame, merged, partWith, planEdits } from './document.ts'

const set = (path: string, value: string) => new Map([[path, value]])
const keysTo = (document: JsonObject, path: string) => editsFor(document, { path, value: 'x' })[0]?.place
const withValues = (document: JsonObject, values: ReadonlyMap<string, Json | undefined>) =>
	planEdits(document, values).wanted
const partOf = (document: JsonObject, values: ReadonlyMap<string, Json | undefined>) => {
	const { edits, wanted } = planEdits(document, values)
	return partWith(wanted, edits)
}

test('follows the spelling of the document for a dotted path', () => {
	expect(keysTo({ author: { name: 'x' } }, 'author.name')).toEqual(['author', 'name'])
	expect(keysTo({ 'author.name': 'x' }, 'author.name')).toEqual(['author.name'])
	expect(keysTo({ a: { 'b.c': 1 } }, 'a.b.c')).toEqual(['a', 'b.c'])
	expect(keysTo({ 'a.b': { c: 1 } }, 'a.b.c')).toEqual(['a.b', 'c'])
	expect(keysTo({ 'a.b': {} }, 'a.b.c')).toEqual(['a.b', 'c'])
	expect(keysTo({}, 'a.b.c')).toEqual(['a', 'b', 'c'])
	expect(keysTo({ a: null }, 'a.b')).toEqual(['a', 'b'])
	expect(keysTo({ a: { x: 1 }, 'a.b': 2 }, 'a.b')).toEqual(['a.b'])
})

test('rejects a value inside a plain value', () => {
	expect(() => keysTo({ authors: ['x'] }, 'authors.name')).toThrow('authors has 1 elements in this document')
	expect(() => keysTo({ author: 'x' }, 'author.name')).toThrow('author is a plain value in this document')
})

const line = { lines: [{ sku: 'a', count: 1 }, { sku: 'b' }, { sku: 'c', count: 3 }], total: 4 }
const counts = (...values: Json[]) => new Map<string, Json | undefined>([['lines.count', values]])

test('sets a value for each element of an array of objects', () => {
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

test('edits two fields of the elements together', () => {
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

test('rejects a wrong number of values, and names the right one', () => {
	for (const values of [counts(1, 2), counts(1, 2, 3, 4), new Map([['lines.count', 5]])]) {
		expect(() => planEdits(line, values)).toThrow(
			'lines has 3 elements in this document. Set lines.count to an array of 3 values in the same order, or edit lines in the JSON of the document',
		)
	}
})

test('the part contains only the new value', () => {
	expect(partOf({ author: { name: 'x', born: 1 }, pages: 3 }, set('author.name', 'y'))).toEqual({
		author: { name: 'y' },
	})
	expect(partOf({ 'author.name': 'x' }, set('author.name', 'y'))).toEqual({ 'author.name': 'y' })
})

test('removes a field from its place', () => {
	const document = { author: { name: 'x', born: 1 }, pages: 3 }
	expect(withValues(document, new Map([['author.name', undefined]]))).toEqual({ author: { born: 1 }, pages: 3 })
	expect(withValues({ 'a.b': 1, c: 2 }, new Map([['a.b', undefined]]))).toEqual({ c: 2 })
})

const key = fc.constantFrom('a', 'b', 'c', 'a.b', 'b.c', 'a.b.c')
const documents = fc.letrec(tie => ({
	object: fc.dictionary(key, fc.oneof({ depthSize: 'small' }, fc.string(), tie('object')), { maxKeys: 4 }),
})).object as fc.Arbitrary<JsonObject>

/** Returns the places of a field's values, in any spelling. */
function places(value: unknown, parts: readonly string[], at = ''): string[] {
	if (parts.length === 0) return [at]
	if (typeof value !== 'object' || value === null) return []
	return parts.flatMap((_, index) => {
		const name = parts.slice(0, index + 1).join('.')
		if (!Object.hasOwn(value, name)) return []
		return places((value as Record<string, unknown>)[name], parts.slice(index + 1), `${at}/${name}`)
	})
}

test('a field with two spellings in a document is edited in its JSON only', () => {
	const document = { 'foo.bar': 666, foo: { bar: 333 } }
	expect(() => planEdits(document, new Map([['foo.bar', 1]]))).toThrow(
		'foo.bar has values in two places of this document, ["foo","bar"] and ["foo.bar"]. Edit them in the JSON',
	)
	expect(readerOf('foo.bar')(document)).toEqual([333, 666])
	expect(readerOf('foo.bar')({ 'foo.bar': [1, 2], foo: { bar: 3 } })).toEqual([3, 1, 2])
})

test('setting a dotted path never creates a second value for the same field', () => {
	fc.assert(
		fc.property(documents, fc.constantFrom('a.b', 'a.b.c', 'b.c', 'a.c'), (document, path) => {
			let changed: JsonObject
			try {
				changed = withValues(document, set(path, 'new'))
			} catch {
				// Rejected because of a plain value on the path, so nothing changes.
				return
			}
			const before = places(document, path.split('.')).length
			expect(places(changed, path.split('.'))).toHaveLength(Math.max(before, 1))
		}),
		{ numRuns: 2000 },
	)
})

test('a merge of the part by the engine results in the wanted document', () => {
	fc.assert(
		fc.property(documents, fc.constantFrom('a', 'a.b', 'a.b.c', 'b.c'), (document, path) => {
			try {
				const values = set(path, 'new')
				expect(isSame(merged(document, partOf(document, values)), withValues(document, values))).toBe(true)
			} catch (error) {
				expect(String(error)).toMatch(/is a plain value|in two places/)
			}
		}),
		{ numRuns: 1000 },
	)
})

test('compares documents by value, without regard to the order of keys, to the last digit', () => {
	expect(isSame({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true)
	expect(isSame([1, 2], [2, 1])).toBe(false)
	expect(isSame(parseJson('1.10'), parseJson('1.1'))).toBe(false)
	expect(isSame(parseJson('9007199254740993'), parseJson('9007199254740992'))).toBe(false)
	expect(stringifyJson(merged({ n: parseJson('9007199254740993') }, { m: 1 }))).toBe('{"n":9007199254740993,"m":1}')
})

test('treats a key that every JavaScript object inherits as an ordinary key', () => {
	expect(keysTo({}, 'constructor.name')).toEqual(['constructor', 'name'])
	expect(keysTo({ team: 'x' }, 'toString.valueOf.x')).toEqual(['toString', 'valueOf', 'x'])
	const values = new Map([['__proto__.x', 'y']])
	const { edits, wanted } = planEdits({}, values)
	expect(stringifyJson(wanted)).toBe('{"__proto__":{"x":"y"}}')
	expect(isSame(merged({}, partWith(wanted, edits)), wanted)).toBe(true)
})

test('writes fields below `subobjects: false` with dotted keys, beside a field of their first part', () => {
	const field = { type: 'long' }
	const mappingOf = (mappings: JsonObject) => readMapping({ a: { mappings } }).flat
	const values = new Map<string, Json>([
		['m', 1],
		['m.max', 2],
		['m.max.at', 3],
	])
	const root = mappingOf({ subobjects: false, properties: { m: field, 'm.max': field, 'm.max.at': field } })
	expect(planEdits({}, values, root).wanted).toEqual({ m: 1, 'm.max': 2, 'm.max.at': 3 })
	expect(planEdits({ m: [1, 2] }, new Map([['m.max', 2]]), root).wanted).toEqual({ m: [1, 2], 'm.max': 2 })
	const inner = mappingOf({ properties: { o: { subobjects: false, properties: { m: field, 'm.max': field } } } })
	const below = new Map<string, Json>([
		['o.m', 1],
		['o.m.max', 2],
	])
	expect(planEdits({}, below, inner).wanted).toEqual({ o: { m: 1, 'm.max': 2 } })
})
