import { expect, test } from 'vitest'
import { jsonLosses } from './json-losses.ts'

test('a null of JSON and equal keys are said, and nothing else', () => {
	const columns = ['plain', 'twice', 'nulls', 'deep'].map(name => ({ name }))
	const rows = [
		[
			{ json: '{"a":1,"b":{"a":"a\\": :"}}' },
			{ json: '{"b":1,"a":1,"a":2}' },
			{ json: 'null' },
			{ json: '[{"x":{"y":1,"y":1}}]' },
		],
		[null, { json: '{"a" : 1}' }, null, { json: '{"cut":1,"cut":..."', cutFrom: 20_000 }],
	]
	expect(jsonLosses(columns, rows)).toEqual([
		'twice: of equal keys in an object, only the last one is shown.',
		'nulls: a null of JSON is shown as null, like NULL.',
		'deep: of equal keys in an object, only the last one is shown.',
	])
	expect(jsonLosses(columns.slice(0, 1), [[{ json: '{"__proto__":1,"a":[]}' }]])).toEqual([])
})
