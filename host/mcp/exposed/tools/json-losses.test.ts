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
		'Of equal keys in an object of twice, only the last one is shown.',
		'A null of JSON in nulls is shown as null, like NULL.',
		'Of equal keys in an object of deep, only the last one is shown.',
	])
	expect(jsonLosses(columns.slice(0, 1), [[{ json: '{"__proto__":1,"a":[]}' }]])).toEqual([])
})
