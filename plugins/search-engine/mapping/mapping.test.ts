import fc from 'fast-check'
import { expect, test } from 'vitest'
import { proves } from '../../../tests/contract/proves.ts'
import { columnsOf } from './columns.ts'
import { readMapping } from './mapping.ts'
import { collectUnmapped, readerOf } from './source.ts'

const keyword = { type: 'keyword' }
const mappingOf = (properties: object) => readMapping({ x: { mappings: { properties } } } as never)
const shown = (properties: object) =>
	columnsOf(mappingOf(properties))
		.slice(3)
		.map(({ name, type }) => `${name}:${type}`)

test(proves('B.columns.meta', 'the three metadata columns come first, read-only, with _id as the key'), () => {
	expect(columnsOf(mappingOf({ a: keyword })).map(({ name, isKey, isReadOnly }) => [name, isKey, isReadOnly])).toEqual([
		['_id', true, 'after_insert'],
		['_index', false, true],
		['_score', false, true],
		['a', false, false],
	])
})

test(
	proves(
		'B.columns.flatten',
		'objects flatten to dotted paths; a nested array is one column and its fields are read-only',
	),
	() => {
		expect(shown({ a: { properties: { b: { properties: { c: keyword } }, d: { type: 'long' } } } })).toEqual([
			'a.b.c:keyword',
			'a.d:long',
		])
		const columns = columnsOf(mappingOf({ n: { type: 'nested', properties: { s: { type: 'byte' } } } })).slice(3)
		expect(columns).toMatchObject([
			{ name: 'n', type: 'nested', kind: 'json', isReadOnly: false, isSortable: false },
			{
				name: 'n.s',
				type: 'byte',
				kind: 'number',
				isReadOnly: true,
				isSortable: true,
				note: expect.stringContaining('edit the array in n'),
			},
		])
	},
)

test('names multi-fields, but does not show them as columns', () => {
	const columns = columnsOf(mappingOf({ t: { type: 'text', fields: { keyword, en: { type: 'text' } } } })).slice(3)
	expect(columns).toMatchObject([{ name: 't', note: 'Subfields: .keyword, .en.', isSortable: true }])
})

test('shows alias, runtime, flattened and empty objects with their type', () => {
	const mapping = readMapping({
		x: {
			mappings: {
				runtime: { r: keyword },
				properties: {
					a: keyword,
					b: { type: 'alias', path: 'a' },
					f: { type: 'flattened' },
					o: { type: 'object', enabled: false },
					e: {},
				},
			},
		},
	})
	expect(columnsOf(mapping).slice(3)).toMatchObject([
		{ name: 'a' },
		{ name: 'b', type: 'alias', kind: 'text', isReadOnly: true, note: 'Another name for a.' },
		{ name: 'f', type: 'flattened', kind: 'json', isReadOnly: false },
		{ name: 'o', type: 'object', kind: 'json' },
		{ name: 'e', type: 'object', kind: 'json' },
		{ name: 'r', type: 'keyword', isReadOnly: true, note: expect.stringContaining('Computed') },
	])
})

test('merges the indices behind one name, and shows disagreements', () => {
	const text = { type: 'text', fields: { keyword } }
	const mapping = readMapping({
		one: { mappings: { properties: { a: text, b: { type: 'long' } } } },
		two: { mappings: { properties: { a: { type: 'text' }, b: keyword, c: keyword } } },
		empty: { mappings: {} },
	})
	expect(
		columnsOf(mapping)
			.slice(3)
			.map(({ name, type, isSortable }) => [name, type, isSortable]),
	).toEqual([
		['a', 'text', false],
		['b', 'long | keyword', false],
		['c', 'keyword', true],
	])
})

test('a field whose types are of one kind has that kind, in whichever order the indices come', () => {
	const mapping = readMapping({
		one: { mappings: { properties: { a: keyword, b: { type: 'integer' }, at: { type: 'date' } } } },
		two: { mappings: { properties: { a: { type: 'text' }, b: { type: 'long' }, at: { type: 'date_nanos' } } } },
	})
	const kinds = columnsOf(mapping).flatMap(({ type, kind }) => (type.includes('|') ? [[type, kind]] : []))
	expect(kinds).toEqual([
		['keyword | text', 'text'],
		['integer | long', 'number'],
		['date | date_nanos', 'date'],
	])
})

test('finds a value in either spelling, and one for each element of an array', () => {
	const read = readerOf('a.b')
	expect(read({ a: { b: 1 } })).toBe(1)
	expect(read({ 'a.b': 2 })).toBe(2)
	expect(read({ a: { c: 1 }, 'a.b': 2 })).toBe(2)
	expect(read({ a: [{ b: 1 }, { c: 1 }, { b: 3 }] })).toEqual([1, null, 3])
	expect(read({ a: [{ c: 1 }] })).toBeUndefined()
	expect(read({ a: null })).toBeUndefined()
	expect(read({ a: { b: null } })).toBeNull()
	expect(read({})).toBeUndefined()
	expect(readerOf('toString')({})).toBeUndefined()
	expect(readerOf('a.constructor')({ a: {} })).toBeUndefined()
})

test('finds unmapped keys at any depth', () => {
	const mapping = mappingOf({
		a: { properties: { b: keyword } },
		n: { type: 'nested', properties: { s: keyword } },
		f: { type: 'flattened' },
	})
	const found = new Set<string>()
	const document = { a: { b: 1, x: 1 }, n: [{ s: 1 }, { y: 1 }], f: { any: 1 }, z: { deep: 1 }, 'a.b': 1, 'a.q': 1 }
	collectUnmapped(document, mapping, found)
	expect([...found].sort()).toEqual(['a.q', 'a.x', 'n.y', 'z'])
})

test('every leaf of a mapping becomes one column', () => {
	const leaf = fc.constantFrom('keyword', 'long', 'date', 'geo_point', 'ip').map(type => ({ type }))
	const name = fc.stringMatching(/^[a-z]{1,6}$/)
	const tree = fc.letrec(tie => ({
		node: fc.oneof(
			{ depthSize: 'small' },
			leaf,
			fc.dictionary(name, tie('node'), { minKeys: 1, maxKeys: 4 }).map(properties => ({ properties })),
		),
	})).node
	fc.assert(
		fc.property(fc.dictionary(name, tree, { maxKeys: 5 }), properties => {
			const leaves: string[] = []
			const visit = (nodes: Record<string, unknown>, prefix: string) => {
				for (const [key, node] of Object.entries(nodes as Record<string, { properties?: Record<string, unknown> }>)) {
					if (node.properties === undefined) leaves.push(prefix + key)
					else visit(node.properties, `${prefix}${key}.`)
				}
			}
			visit(properties as Record<string, unknown>, '')
			expect(shown(properties as object).map(text => text.split(':')[0])).toEqual(leaves)
		}),
	)
})

test('reads ten thousand fields without a noticeable delay', () => {
	const properties = Object.fromEntries(
		Array.from({ length: 10_000 }, (_, index) => [`f${index}`, { properties: { v: keyword } }]),
	)
	expect(columnsOf(mappingOf(properties))).toHaveLength(10_003)
})

test('deeply nested subfields take linear time', () => {
	let subfield: object = { type: 'keyword' }
	for (let depth = 0; depth < 40; depth++) subfield = { type: 'keyword', fields: { k: subfield } }
	const { fields } = mappingOf({ name: subfield })
	expect(fields.get('name')?.subfields.get('k')?.type).toBe('keyword')
})
