import { expect, test } from 'vitest'
import { copyAs, copyAsHtml } from './copy.ts'

const copied = {
	columns: ['_id', 'text', 'price'],
	rows: [
		['1', 'a "quoted", line\nand | more', { number: '1.10' }],
		['2', { missing: true }, null],
		['3', { json: '["x",12345678901234567890]' }, 5],
	],
} as const

test('JSON keeps every digit, null and missing values', () => {
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

test('CSV has bytes as hexadecimal, which imports read', () => {
	const bytes = { columns: ['a', 'b'], rows: [[{ bytes: 'AP8=' }, { bytes: '' }]] } as const
	expect(copyAs('CSV', bytes)).toBe('a,b\r\n\\x00ff,\\x')
	expect(copyAs('NDJSON', bytes)).toBe('{"a":"AP8=","b":""}')
})

test('CSV is guarded, so that no copied text runs as a formula in a spreadsheet', () => {
	const formula = '=HYPERLINK("http://evil.example")'
	const text = copyAs('CSV', { columns: ['=a', 'b'], rows: [[formula, { number: '-1.50' }]] })
	expect(text.split('\r\n')).toEqual([`'=a,b`, `"'=HYPERLINK(""http://evil.example"")",-1.50`])
})

test('TSV quotes text that would end a field early, like spreadsheets, and keeps all other text', () => {
	expect(copyAs('TSV', copied)).toBe(
		'1\t"a ""quoted"", line\nand | more"\t1.10\n2\t\t\n3\t["x",12345678901234567890]\t5',
	)
	expect(copyAs('TSV', { columns: ['a', 'b'], rows: [['"x', 'a "b"']] }, true)).toBe('a\tb\n"""x"\ta "b"')
})

test('the HTML table escapes the markup of cells', () => {
	const rows = [['<img src=x onerror=alert(1)>', 'a\nb & c']]
	expect(copyAsHtml({ columns: ['x', 'y'], rows }, true)).toBe(
		'<table><tr><th>x</th><th>y</th></tr><tr><td>&lt;img src=x onerror=alert(1)&gt;</td><td>a<br>b &amp; c</td></tr></table>',
	)
})

test('Markdown escapes the separators of columns', () => {
	expect(copyAs('Markdown', copied).split('\n')[2]).toBe('| 1 | a "quoted", line and \\| more | 1.10 |')
})

test('a cut value is copied as its shown text', () => {
	expect(copyAs('NDJSON', { columns: ['a'], rows: [[{ json: '["x...', cutFrom: 20_000 }]] })).toBe('{"a":"[\\"x..."}')
})
