import type { HiddenColumns, Json, JsonObject } from '@roundhouse/kit'

/**
 * Indices of three worlds that differ only in hidden values, and calls of tools that try to tell them apart. `@` stands for
 * the prefix of a world.
 */

export const worldPrefix = (world: number) => `w${world}-`

const marksByIndex: Readonly<Record<string, readonly string[]>> = {
	members: ['email', 'pay', 'person.mail'],
	grown: ['pay'],
	strict: ['extra.mail'],
	visited: ['visits'],
	suggested: ['email', 'nick'],
	sorted: ['pay'],
	piped: ['pay'],
	routed: ['email'],
	dynamic: ['attrs'],
	excluded: ['pay'],
	lookup: ['mail'],
	gone: ['renamed'],
	open: ['mail'],
	copying: ['pay'],
	loose: ['email'],
}

export const searchMarks = (world: number): readonly HiddenColumns[] =>
	Object.entries(marksByIndex).map(([index, columns]) => ({ table: `${worldPrefix(world)}${index}`, columns }))

const keyword = { type: 'keyword' }
const integer = { type: 'integer' }
const text = { type: 'text', fields: { keyword } }

interface WorldIndex {
	readonly mappings: JsonObject
	readonly settings?: JsonObject
	readonly documents: Readonly<Record<string, JsonObject>>
	/** Requests after the documents, by method and path below the index. */
	readonly after?: readonly (readonly [method: string, path: string, body: JsonObject])[]
	readonly routing?: (id: string) => string
}

/** Returns one of three values. */
const of = <T extends Json | undefined>(world: number, ...values: readonly [T, T, T]): T => values[world] as T

const without = (document: Readonly<Record<string, Json | undefined>>): JsonObject =>
	Object.fromEntries(Object.entries(document).filter((entry): entry is [string, Json] => entry[1] !== undefined))

const numbered = (count: number, documentOf: (i: number) => JsonObject) =>
	Object.fromEntries(Array.from({ length: count }, (_, i) => [String(i + 1), documentOf(i + 1)]))

export const worldIndices = (world: number): Readonly<Record<string, WorldIndex>> => ({
	members: {
		mappings: {
			properties: {
				name: text,
				city: keyword,
				low: integer,
				tags: keyword,
				joined: { type: 'date' },
				address: { properties: { street: keyword, zip: keyword } },
				bio: { type: 'flattened' },
				email: { type: 'keyword', copy_to: 'everything' },
				everything: { type: 'text' },
				nickname: { type: 'keyword', copy_to: 'everything' },
				mail: { type: 'alias', path: 'email' },
				pay: { type: 'double' },
				person: { properties: { name: keyword, mail: keyword } },
			},
		},
		documents: numbered(9, i =>
			without({
				...((i + world) % 3 === 0 && { pay: i * of(world, 7919, 15_013, 3571) + 0.5 }),
				name: `Name ${i}`,
				city: i % 2 ? 'Rome' : 'Oslo',
				low: i,
				email: (i * 5 + world) % 4 === 0 ? undefined : `u${100 + ((i * of(world, 31, 57, 83)) % 97)}@example.org`,
				person:
					i % 3 === world
						? [{ name: 'Ada' }, { mail: `p${world}` }]
						: { name: 'Ada', ...(i % 2 === world % 2 && { mail: 'p' }) },
				address: { street: `Street ${i}`, zip: '1000' },
				bio: { team: 'a' },
				nickname: 'nick',
			}),
		),
	},
	// A field that was mapped after its values were written.
	grown: {
		mappings: { dynamic: false, properties: { city: keyword } },
		documents: numbered(3, i =>
			without({ city: 'Rome', pay: i % 3 === world ? 'no number' : of(world, i, undefined, i) }),
		),
		after: [['PUT', '_mapping', { properties: { pay: integer } }]],
	},
	strict: {
		mappings: { properties: { city: keyword, extra: { dynamic: false, properties: { mail: keyword } } } },
		documents: numbered(3, i => ({ city: 'Rome', extra: { mail: 'a', ...(i % 3 === world && { more: 'x' }) } })),
		after: [['PUT', '_mapping', { properties: { extra: { dynamic: 'strict', properties: { mail: keyword } } } }]],
	},
	visited: {
		mappings: { properties: { city: keyword, visits: { type: 'nested', properties: { at: keyword } } } },
		documents: numbered(3, i => ({
			city: 'Rome',
			visits: Array.from({ length: i % 3 === world ? 6 : 1 }, () => ({ at: 'x' })),
		})),
		after: [['PUT', '_settings', { 'index.mapping.nested_objects.limit': 3 }]],
	},
	suggested: {
		mappings: {
			properties: {
				city: keyword,
				email: keyword,
				free: { type: 'completion', contexts: [{ name: 'who', type: 'category', path: 'email' }] },
				nick: { type: 'completion', contexts: [{ name: 'where', type: 'category', path: 'city' }] },
			},
		},
		documents: numbered(3, i => without({ city: 'Rome', ...(i % 3 === world ? { nick: 'x', email: 'e' } : {}) })),
	},
	sorted: {
		mappings: { properties: { city: keyword, pay: integer } },
		settings: { 'index.sort.field': 'pay', 'index.sort.order': 'desc' },
		documents: numbered(6, i => ({ city: `C${i}`, pay: (i * of(world, 7919, 15_013, 3571)) % 1000 })),
	},
	piped: {
		mappings: { properties: { city: keyword, pay: integer } },
		settings: { 'index.default_pipeline': `${worldPrefix(world)}absent` },
		documents: {},
	},
	routed: {
		mappings: { _routing: { required: true }, properties: { city: keyword, email: keyword } },
		routing: id => `r${world}${id}`,
		documents: numbered(3, i => ({ city: 'Rome', email: `r${world}${i}` })),
	},
	// A routing that the mapping does not require.
	loose: {
		mappings: { properties: { city: keyword, email: keyword } },
		routing: id => `r${world}${id}`,
		documents: numbered(3, i => ({ city: 'Rome', email: `r${world}${i}` })),
	},
	dynamic: {
		mappings: { properties: { city: keyword, attrs: { type: 'object', dynamic: true, properties: { a: keyword } } } },
		settings: { 'index.mapping.total_fields.limit': 8 },
		documents: {
			1: {
				city: 'Rome',
				attrs: Object.fromEntries(Array.from({ length: of(world, 1, 4, 2) }, (_, i) => [`k${i}`, 1])),
			},
		},
	},
	excluded: {
		mappings: { _source: { excludes: ['pay'] }, properties: { city: keyword, pay: integer } },
		documents: numbered(3, i => ({ city: 'Rome', pay: i * (world + 1) })),
	},
	// A field that is computed from the hidden one when it is read.
	lookup: {
		mappings: { runtime: { mail: keyword, 'seen.mail': keyword }, dynamic: false, properties: { city: keyword } },
		documents: numbered(3, i => ({ city: 'Rome', mail: `m${world}${i}`, seen: { mail: `m${world}${i}` } })),
	},
	gone: {
		mappings: { properties: { city: keyword, new_name: keyword } },
		documents: numbered(3, i => ({ city: 'Rome', new_name: `n${world}${i}` })),
	},
	// Documents have hidden fields that the mapping lacks.
	open: {
		mappings: { dynamic: false, properties: { city: keyword, low: integer } },
		documents: numbered(3, i =>
			without({
				...(i % 3 === world && { 'mail.at': 'x' }),
				city: 'Rome',
				...(i % 2 === world % 2 && { mail: { [`k${world}`]: 'x', number: 1.1 } }),
				low: i,
			}),
		),
	},
	copying: {
		mappings: { properties: { city: { type: 'keyword', copy_to: 'pay' }, low: integer, pay: { type: 'completion' } } },
		documents: numbered(3, i => without({ low: i, pay: i % 3 === world ? ['x'] : undefined })),
	},
	plain: {
		mappings: { properties: { name: text, amount: integer } },
		documents: numbered(9, i => ({ name: `Plain ${i}`, amount: i })),
	},
})

export const worldAliases = (world: number): readonly JsonObject[] => [
	{
		add: {
			index: `${worldPrefix(world)}members`,
			alias: `${worldPrefix(world)}rich`,
			filter: { range: { pay: { gt: 30_000 } } },
		},
	},
	{ add: { index: `${worldPrefix(world)}members`, alias: `${worldPrefix(world)}everyone` } },
]

export type Attempt = readonly [tool: string, args: JsonObject]

const update = (table: string, id: string, set: JsonObject, more: JsonObject = {}): Attempt => [
	'update_rows',
	{ table: `@${table}`, updates: [{ row_id: JSON.stringify([`@${table}`, id]), set, ...more }] },
]
const insert = (table: string, ...rows: readonly JsonObject[]): Attempt => ['insert_rows', { table: `@${table}`, rows }]
const remove = (table: string, id: string, more: JsonObject = {}): Attempt => [
	'delete_rows',
	{ table: `@${table}`, rows: [{ row_id: JSON.stringify([`@${table}`, id]), ...more }] },
]
const count = (table: string, column: string, operator: string, values: readonly Json[] = []): Attempt => [
	'count_rows',
	{ table: `@${table}`, filters: [{ column, operator, ...(values.length > 0 && { values }) }] },
]
const browse = (table: string, more: JsonObject = {}): Attempt => ['browse_table', { table: `@${table}`, ...more }]

/** Calls that would tell one hidden value from another if only names were compared. */
export const attacks: readonly Attempt[] = [
	// Whether an update of a free field succeeds: the engine reads the whole document again.
	...['1', '2', '3'].flatMap(id => [
		update('grown', id, { city: 'Bern' }),
		update('strict', id, { city: 'Bern' }),
		update('visited', id, { city: 'Bern' }),
		update('suggested', id, { city: 'Bern' }),
		update('suggested', id, { city: null }),
		update('suggested', id, { free: 'x' }),
		update('copying', id, { city: 'Bern' }),
		update('excluded', id, { city: 'Bern' }),
		update('open', id, { city: 'Bern' }),
		update('routed', id, { city: 'Bern' }),
		update('lookup', id, { city: 'Bern' }),
		update('gone', id, { city: 'Bern' }),
		update('gone', id, { new_name: 'x' }),
	]),
	// What an update reads of a document, and what its question shows.
	update('members', '1', { city: 'Bern' }),
	update('members', '3', { city: 'Bern' }),
	update('members', '4', { low: 7 }),
	update('members', '2', { 'address.street': 'New' }),
	update('members', '2', { bio: { team: 'b' } }),
	update('members', '3', { bio: {} }),
	update('members', '4', { bio: { other: 'b' } }),
	update('members', '1', { city: 'Rome' }),
	update('members', '1', { email: 'x' }),
	update('members', '1', { mail: 'x' }),
	update('members', '1', { everything: 'x' }),
	update('members', '1', { nickname: 'x' }),
	update('members', '1', { pay: 1 }),
	update('members', '1', { person: { name: 'x' } }),
	...['1', '2', '3', '4'].map(id => update('members', id, { 'person.name': 'x' })),
	update('members', '1', { 'person.mail': 'x' }),
	update('members', '1', { 'email.x': 'x' }),
	update('members', '1', { unknown: 'x' }),
	update('members', '1', { _routing: 'x' }),
	update('members', '1', { _id: 'x' }),
	update('members', '1', { low: 'no number' }),
	update('members', '1', { city: { a: 1 } }),
	update('members', '1', { city: 'x' }, { version: '1-1' }),
	update('members', '99', { city: 'x' }),
	update('rich', '1', { city: 'x' }),
	update('rich', '3', { city: 'x' }),
	update('everyone', '1', { city: 'x' }),
	['update_rows', { table: '@members', updates: [{ row_id: '1', set: { 'person.name': 'x' } }] }],
	['update_rows', { table: '@plain', updates: [{ row_id: '["@members","1"]', set: { city: 'x' } }] }],
	['update_rows', { table: '@members,@plain', updates: [{ row_id: '["@members","1"]', set: { city: 'x' } }] }],
	['update_rows', { table: '@memb*', updates: [{ row_id: '["@members","1"]', set: { city: 'x' } }] }],
	// Whether an insert succeeds.
	insert('members', { _id: '1', name: 'x' }),
	insert('members', { _id: '50', email: 'x' }),
	insert('members', { _id: '51', 'person.name': 'x' }),
	insert('members', { _id: '52', person: { name: 'x' } }),
	insert('members', { _id: '53', unknown: 'x' }),
	insert('members', { _id: '54', _routing: 'x', name: 'x' }),
	insert('members', { _id: '55', _index: '@plain', name: 'x' }),
	insert('members', { _id: '56', nickname: 'x' }),
	insert('members', { _id: '57', low: 'no number' }),
	insert('dynamic', { _id: '50', fresh: 'x' }),
	insert('dynamic', { _id: '51', 'fresh.deep': 'x', more: 1 }),
	insert('dynamic', { _id: '52', 'attrs.k1': 1 }),
	insert('dynamic', { _id: '53', city: { x: 1 } }),
	insert('piped', { _id: '50', city: 'x' }),
	insert('routed', { _id: '50', city: 'x' }),
	insert('rich', { _id: '58', name: 'x' }),
	insert('copying', { _id: '50', city: 'x' }),
	insert('gone', { _id: '50', city: 'x' }),
	insert('suggested', { _id: '50', free: 'x' }),
	// Which rows there are to delete.
	remove('rich', '1'),
	remove('rich', '3'),
	remove('routed', '1'),
	remove('members', '8', { version: '1-1' }),
	remove('members', '99'),
	remove('sorted', '1'),
	['delete_rows', { table: '@plain', rows: [{ row_id: '["@members","7"]' }] }],
	// A routing that was made of a hidden value.
	update('loose', '1', { city: 'x' }),
	['update_rows', { table: '@loose', updates: [{ row_id: '2', set: { city: 'x' } }] }],
	['delete_rows', { table: '@loose', rows: [{ row_id: '3' }] }],
	remove('loose', '3'),
	// What is left, in what order, and how many rows have what.
	...[
		'members',
		'loose',
		'dynamic',
		'open',
		'grown',
		'strict',
		'visited',
		'suggested',
		'sorted',
		'routed',
		'excluded',
		'lookup',
		'gone',
		'copying',
		'rich',
		'everyone',
		'memb*',
		'plain',
	].flatMap(table => [
		browse(table, { max_rows: 50 }),
		['describe_table', { table: `@${table}` }] as const,
		['count_rows', { table: `@${table}` }] as const,
	]),
	browse('members', { sort: [{ column: 'pay' }] }),
	browse('members', { sort: [{ column: 'mail' }] }),
	browse('members', { sort: [{ column: 'low', direction: 'desc' }], max_rows: 3 }),
	browse('members', { columns: ['name', 'email'] }),
	browse('members', { raw: 'pay:>30000' }),
	count('members', 'email', 'exists'),
	count('members', 'mail', 'exists'),
	count('members', 'everything', 'contains', ['u131']),
	count('members', 'person.name', 'exists'),
	count('members', 'person', 'exists'),
	count('members', 'em*', 'exists'),
	count('members', '*', 'exists'),
	count('members', '_ignored', 'exists'),
	count('members', '_field_names', 'equals', ['email']),
	count('members', '_source', 'exists'),
	count('members', '_score', 'greater', [0]),
	count('members', 'pay', 'greater', [30_000]),
	count('members', 'bio.team', 'equals', ['a']),
	count('lookup', 'seen.mail', 'exists'),
	count('lookup', 'mail', 'starts_with', ['m1']),
	['aggregate', { table: '@members', group_by: [{ column: 'city' }] }],
	['aggregate', { table: '@members', group_by: [{ column: 'email' }] }],
	['aggregate', { table: '@members', group_by: [{ column: 'person.name' }] }],
	['aggregate', { table: '@members', group_by: [{ column: 'everything' }] }],
	['aggregate', { table: '@members', measures: [{ function: 'max', column: 'pay' }] }],
	['aggregate', { table: '@members', measures: [{ function: 'distinct', column: 'mail' }] }],
	['execute_query', { query: 'POST /@members/_update/1\n{"doc":{"city":"x"}}' }],
	[
		'confirm_destructive_operation',
		{ query: 'POST /@members/_delete_by_query\n{"query":{"range":{"pay":{"gt":30000}}}}' },
	],
]

/** Calls that need no hidden value. */
export const harmless: readonly Attempt[] = [
	...['1', '2', '3', '4'].flatMap(id => [
		update('members', id, { city: `City ${id}` }),
		update('members', id, { low: 40, tags: ['a', 'b'] }),
	]),
	update('members', '5', { 'address.street': 'Other' }),
	update('members', '5', { name: 'Ada', joined: '2024-02-29' }),
	update('members', '6', { bio: { team: 'b', more: 'x' } }),
	update('members', '6', { city: null }),
	update('plain', '1', { name: 'x' }),
	update('plain', '2', { amount: 5 }),
	insert('members', { _id: '100', name: 'New', city: 'Bern' }),
	insert('members', { name: 'No id', low: 1 }, { name: 'Another', 'address.zip': '1' }),
	insert('grown', { _id: '100', city: 'Bern' }),
	insert('strict', { _id: '100', city: 'Bern' }),
	insert('visited', { _id: '100', city: 'Bern' }),
	insert('suggested', { _id: '100', city: 'Bern' }),
	insert('dynamic', { _id: '100', city: 'Bern' }),
	insert('excluded', { _id: '100', city: 'Bern' }),
	insert('open', { _id: '100', city: 'Bern', low: 5 }),
	insert('copying', { _id: '100', low: 5 }),
	insert('plain', { _id: '100', name: 'x', other: 1 }),
	remove('members', '7'),
	remove('grown', '1'),
	remove('strict', '2'),
	remove('visited', '3'),
	remove('plain', '9'),
]
