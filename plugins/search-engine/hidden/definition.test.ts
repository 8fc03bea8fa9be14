import type { JsonObject } from '@roundhouse/kit'
import { describe, expect, test } from 'vitest'
import { lookUpsOf, partOf, whyUnchanging } from './definition.ts'

/** What no test with real documents can define: types, scripts and modes that the engines of the tests lack. */

const keyword = { type: 'keyword' }
const fields = { city: keyword, email: keyword }
const made = { 'index.version.created': '8536000' }
const indexOf = (mappings: JsonObject, settings: JsonObject = {}, changes = { mapping: 1, settings: 1 }) => ({
	name: 'people',
	mappings,
	settings: { ...made, ...settings },
	changes,
})
const part = (...of: Parameters<typeof indexOf>) => partOf(indexOf(...of), ['email'], [8, 19])

test('an index that was never changed takes its free fields', () => {
	expect(part({ properties: fields })).toEqual({
		columns: ['email'],
		changes: { inserts: true, deletes: true, insertSets: ['_id', 'city'], updates: ['city'] },
	})
})

describe('no row is read', () => {
	test.each<readonly [string, Parameters<typeof indexOf>]>([
		['the mode time_series', [{ properties: fields }, { 'index.mode': 'time_series' }]],
		['the mode logsdb', [{ properties: fields }, { 'index.mode': 'logsdb' }]],
		['in the order of a hidden field', [{ properties: fields }, { 'index.sort.field': ['city', 'email'] }]],
		['in the order of a hidden field', [{ properties: fields }, { 'index.sort.field': 'email' }]],
		['have a routing', [{ properties: fields, _routing: { required: true } }]],
		['has subobjects', [{ properties: fields, subobjects: false }]],
		['has _size', [{ properties: fields, _size: { enabled: true } }]],
		['has the type passthrough', [{ properties: { ...fields, all: { type: 'passthrough', properties: {} } } }]],
		['has the type semantic_text', [{ properties: { ...fields, all: { type: 'semantic_text' } } }]],
		['has no field email', [{ properties: { city: keyword } }]],
	])('%s', (reason, of) => {
		expect(part(...of).refused).toContain(reason)
	})
	test('settings that cannot be read', () => {
		expect(partOf({ ...indexOf({ properties: fields }), settings: undefined }, ['email'], [8, 19]).refused).toContain(
			'cannot be read',
		)
	})
	test('a mark of metadata', () => {
		expect(partOf(indexOf({ properties: fields }), ['_id'], [8, 19]).refused).toContain('_id of people is hidden')
	})
	test('a pattern where fields need no mapping', () => {
		const open = indexOf({ properties: fields, dynamic: 'false' })
		expect(partOf(open, ['em*'], [8, 19]).refused).toContain('what em* hides is not known')
		expect(partOf(indexOf({ properties: fields }), ['em*'], [8, 19]).columns).toContain('email')
	})
})

test.each<readonly [string, JsonObject]>([
	['an alias', { ...fields, mail: { type: 'alias', path: 'email' } }],
	[
		'a copy',
		{
			city: keyword,
			email: { ...keyword, copy_to: ['between'] },
			between: { ...keyword, copy_to: 'mail' },
			mail: keyword,
		},
	],
	[
		'a copy from a form',
		{ city: keyword, email: { properties: { at: { ...keyword, copy_to: 'mail' } } }, mail: keyword },
	],
	['an alias in an object', { ...fields, mail: { properties: { deep: { type: 'alias', path: 'email' } } } }],
])('%s of a hidden field is hidden', (_, properties) => {
	expect(part({ properties }).columns).toContain('mail')
})

test('fields that are computed are hidden, and when a document is written refuse its change', () => {
	expect(part({ properties: fields, runtime: { 'x.y': keyword } }).columns).toEqual(['email', 'x'])
	const computed = part({ properties: { ...fields, twice: { type: 'long', script: { source: '' } } } })
	expect(computed).toMatchObject({ columns: ['email', 'twice'], takesNoChanges: expect.stringContaining('computes') })
})

describe('nothing is updated, and documents are inserted and deleted', () => {
	test.each<readonly [string, Parameters<typeof indexOf>]>([
		['The mapping of people was changed', [{ properties: fields }, {}, { mapping: 2, settings: 1 }]],
		['The settings of people were changed', [{ properties: fields }, {}, { mapping: 1, settings: 2 }]],
		['is a copy', [{ properties: fields }, { 'index.resize.source.name': 'x' }]],
		['is a copy', [{ properties: fields }, { 'index.history.uuid': 'x' }]],
		['is a copy', [{ properties: fields }, { 'index.xpack.ccr.following_index': 'true' }]],
		['made by another version', [{ properties: fields }, { 'index.version.created': '7170099' }]],
		['does not keep its documents', [{ properties: fields, _source: { mode: 'synthetic' } }]],
		['does not keep its documents', [{ properties: fields }, { 'index.mapping.source.mode': 'synthetic' }]],
		['has the type completion', [{ properties: { ...fields, email: { type: 'completion' } } }]],
		['has the type join', [{ properties: { ...fields, kind: { type: 'join' } } }]],
	])('%s', (reason, of) => {
		expect(part(...of).changes).toMatchObject({
			inserts: true,
			deletes: true,
			updates: [],
			reason: expect.stringContaining(reason),
		})
	})
	test('the cluster does not count changes', () => {
		const unknown = { ...indexOf({ properties: fields }), changes: undefined }
		expect(partOf(unknown, ['email'], [8, 19]).changes?.updates).toEqual([])
	})
})

test.each<readonly [string, JsonObject]>([
	['copies into a hidden field', { type: 'keyword', copy_to: 'email' }],
	['has a parameter that is not known', { type: 'keyword', time_series_dimension: true }],
	['has a type that is not settable', { type: 'rank_feature' }],
	['has a form that depends on others', { ...keyword, fields: { c: { type: 'completion', contexts: [] } } }],
	['is a list of objects', { type: 'nested', properties: { a: keyword } }],
])('a free field is not set that %s', (_, other) => {
	const sets = part({ properties: { ...fields, other } }).changes?.insertSets
	expect(sets?.filter(name => name.startsWith('other'))).toEqual([])
})

test('a pipeline refuses changes of every index', () => {
	for (const key of ['index.default_pipeline', 'index.final_pipeline']) {
		expect(whyUnchanging(indexOf({}, { [key]: 'p' }))).toContain('has a pipeline')
		expect(whyUnchanging(indexOf({}, { [key]: '_none' }))).toBeUndefined()
	}
	expect(whyUnchanging({ ...indexOf({}), settings: undefined })).toContain('cannot be read')
	expect(lookUpsOf(indexOf({ runtime: { other: { type: 'lookup' }, plain: keyword } }))).toEqual(['other'])
})
