import { expect, test } from 'vitest'
import type { Cell, Column } from '../../../host/api/api.ts'
import { readTrace, traceColumn } from './read-trace.ts'

const columns = [
	'@timestamp',
	'message',
	'level',
	'service',
	'trace.id',
	'span.id',
	'parent.id',
	'span.duration.us',
].map((name): Column => ({ name, type: 'x', kind: 'text', isKey: false, isReadOnly: true, isSortable: true }))
const words = { time: '@timestamp', message: 'message', level: 'level', sources: ['service'] }
const row = (at: number, name: string, [span, parent, us]: readonly Cell[], trace = 't') => ({
	id: name,
	cells: [new Date(at).toISOString(), name, 'INFO', 'cart', trace, span ?? null, parent ?? null, us ?? null],
})
const outline = (rows: Parameters<typeof readTrace>[1]) =>
	readTrace(columns, rows, words)?.spans.map(
		({ name, start, duration, depth }) => `${'.'.repeat(depth)}${name} ${start}+${duration}`,
	)

test('spans stand below the one around them, in the order of their starts; lines of a log in the span that they name', () => {
	const found = readTrace(
		columns,
		[
			row(1_030, 'write', ['c', 'a', 20_000]),
			row(1_000, 'request', ['a', null, 100_000]),
			row(1_010, 'read', ['b', 'a', 5_000]),
			row(1_012, 'retry', ['b', 'a', null]),
		],
		words,
	)
	expect(found?.length).toBe(100)
	expect(found?.spans.map(({ name, depth, start }) => [name, depth, start])).toEqual([
		['request', 0, 0],
		['read', 1, 10],
		['retry', 2, 12],
		['write', 1, 30],
	])
})

test('a span whose parent is missing begins at the edge, and two that name each other are shown once', () => {
	expect(outline([row(5, 'one', ['a', 'b', 1_000]), row(6, 'two', ['b', 'a', 1_000])])).toEqual(['one 0+1', '.two 1+1'])
	expect(outline([row(5, 'one', ['a', 'gone', 1_000])])).toEqual(['one 0+1'])
})

test('rows of several traces, or without a duration, are no waterfall', () => {
	expect(outline([row(5, 'one', ['a', null, 1]), row(6, 'two', ['b', 'a', 1], 'u')])).toBeUndefined()
	expect(outline([row(5, 'one', ['a', null, null])])).toBeUndefined()
	expect(traceColumn(columns)?.name).toBe('trace.id')
})
