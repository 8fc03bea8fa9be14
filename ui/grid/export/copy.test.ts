import { expect, test } from 'vitest'
import { copyAs } from './copy.ts'

const copied = {
	columns: ['_id', 'text', 'price'],
	rows: [
		['1', 'a "quoted", line\nand | more', { number: '1.10' }],
		['2', { missing: true }, null],
		['3', { json: '["x",12345678901234567890]' }, 5],
	],
} as const

test('JSON keeps every digit, null, and what is missing', () => {
	expect(copyAs('NDJSON', copied).split('\n')).toEqual([
		'{"_id":"1","text":"a \\"quoted\\", line\\nand | more","price":1.10}',
		'{"_id":"2","price":null}',
		'{"_id":"3","text":["x",12345678901234567890],"price":5}',
	])
	expect(JSON.parse(copyAs('JSON', copied))).toHaveLength(3)
})

test('CSV quotes what needs it (RFC 4180)', () => {
	expect(copyAs('CSV', copied).split('\r\n').slice(0, 2)).toEqual([
		'_id,text,price',
		'1,"a ""quoted"", line\nand | more",1.10',
	])
})

test('CSV is guarded: no text that was copied runs as a formula in a spreadsheet', () => {
	const formula = '=HYPERLINK("http://evil.example")'
	const text = copyAs('CSV', { columns: ['=a', 'b'], rows: [[formula, { number: '-1.50' }]] })
	expect(text.split('\r\n')).toEqual([`'=a,b`, `"'=HYPERLINK(""http://evil.example"")",-1.50`])
})

test('TSV is one line a row, and Markdown keeps its columns', () => {
	expect(copyAs('TSV', copied).split('\n')).toHaveLength(3)
	expect(copyAs('Markdown', copied).split('\n')[2]).toBe('| 1 | a "quoted", line and \\| more | 1.10 |')
})

test('a cut value is copied as the text that is there', () => {
	expect(copyAs('NDJSON', { columns: ['a'], rows: [[{ json: '["x...', cutFrom: 20_000 }]] })).toBe('{"a":"[\\"x..."}')
})
