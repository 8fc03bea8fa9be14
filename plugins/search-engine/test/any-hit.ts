import type { Json, JsonObject } from '@roundhouse/kit'
import fc from 'fast-check'
import { computedValue } from '../grid/page.ts'
import { resolve } from '../mapping/exact-field.ts'
import { type Mapping, readMapping } from '../mapping/mapping.ts'
import { readerOf } from '../mapping/source.ts'

/** Hits of any shape, and how their values are read by parsing: what faster ways are compared with. */

export const bookMapping = readMapping({
	books: {
		mappings: {
			properties: {
				title: { type: 'text' },
				pages: { type: 'long' },
				place: { type: 'geo_point' },
				author: { properties: { name: { type: 'keyword' }, born: { properties: { year: { type: 'long' } } } } },
				heading: { type: 'alias', path: 'title' },
				writer: { type: 'alias', path: 'author.name' },
			},
			runtime: { weight: { type: 'long' } },
		},
	},
})

/** Reads one complete value of a hit. Returns `undefined` if the document has none. */
type ValueReader = (hit: JsonObject) => Json | undefined

const metaReaders: ReadonlyMap<string, ValueReader> = new Map([
	['_id', hit => hit._id],
	['_index', hit => hit._index],
	['_score', hit => hit._score ?? null],
])

export function valueReaderOf(column: string, mapping: Mapping): ValueReader {
	return metaReaders.get(column) ?? fieldReader(column, mapping)
}

function fieldReader(path: string, mapping: Mapping): ValueReader {
	const field = mapping.fields.get(path)
	if (field?.isRuntime) return hit => computedValue(hit.fields, path)
	const read = readerOf(field === undefined ? path : resolve(field, mapping).path)
	return hit => (hit._source === undefined ? undefined : read(hit._source))
}

const number = fc.stringMatching(/^-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,9})?([eE][+-]?[0-9]{1,3})?$/)
const leaf = fc.oneof(
	number,
	fc.string().map(text => JSON.stringify(text)),
	fc.constantFrom(
		'null',
		'true',
		'[]',
		'{}',
		'"\\u00e9"',
		'""',
		'"a,b"',
		'" a"',
		'"a\u00a0"',
		'"=1+1"',
		'"\'=1"',
		'"-5"',
		'"a\\n"',
	),
)
const name = fc.constantFrom(
	'title',
	'pages',
	'place',
	'author',
	'author.name',
	'name',
	'born',
	'born.year',
	'year',
	'new',
	'new.key',
	'__proto__',
	'lat',
)
const object = fc.letrec<{ object: string }>(tie => ({
	object: fc
		.uniqueArray(
			fc.tuple(
				name,
				fc.oneof(
					{ maxDepth: 3 },
					leaf,
					tie('object'),
					fc.array(fc.oneof(leaf, tie('object')), { maxLength: 3 }).map(parts => `[${parts.join(', ')}]`),
				),
			),
			{
				selector: ([key]) => key,
				maxLength: 6,
			},
		)
		.map(members => `{${members.map(([key, value]) => `"${key}":${value}`).join(',')}}`),
})).object
/** A hit of {@link bookMapping} as JSON. */
export const anyHit = fc
	.record({
		id: fc.string(),
		routing: fc.option(fc.string()),
		score: fc.option(number),
		source: fc.option(object),
		weight: fc.option(number),
	})
	.map(({ id, routing, score, source, weight }) =>
		[
			`{"_index":"books","_id":${JSON.stringify(id)}`,
			...(routing === null ? [] : [`"_routing":${JSON.stringify(routing)}`]),
			...(score === null ? [] : [`"_score":${score},"_seq_no":12345678901234567890,"_primary_term":1`]),
			...(weight === null ? [] : [`"fields":{"weight":[${weight}]}`]),
			...(source === null ? [] : [`"_source":${source}`]),
		].join(','),
	)
	.map(text => `${text}}`)
