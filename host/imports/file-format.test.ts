import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../tests/support/any-character.ts'
import { type FileFormat, rowsIn } from './file-format.ts'
import type { FileRow } from './file-row.ts'
import { Utf8Text } from './utf8-text.ts'

const csv = { format: 'csv', delimiter: ',', hasHeader: true } as const

/** Reads bytes in pieces of a size. */
function read(bytes: Uint8Array, format: FileFormat, size = bytes.length + 1): readonly FileRow[] {
	const text = new Utf8Text()
	const rows = rowsIn(format)
	const found: FileRow[] = []
	for (let at = 0; at <= bytes.length; at += size) {
		const isEnd = at + size > bytes.length
		const read = text.read(bytes.subarray(at, at + size), isEnd)
		found.push(...rows.read(read, isEnd && text.isValid))
		text.requireValid()
	}
	return found
}

/** `line: values` or `line: !fault`. */
function shown(text: string | Uint8Array, format: FileFormat = csv, size?: number): readonly string[] {
	const bytes = typeof text === 'string' ? Buffer.from(text) : text
	return read(bytes, format, size).map(row => {
		const what = 'fault' in row ? `!${row.fault}` : JSON.stringify([...row.values].map(([, value]) => value ?? null))
		return `${row.line}: ${what}`
	})
}

describe('CSV', () => {
	test('quoted fields have delimiters, quotes and line ends, and each row has the line in which it begins', () => {
		expect(shown('a,b\r\n1,"x\r\ny"\r\n2,"he said ""hi"""\r\n')).toEqual([
			'2: ["1","x\\r\\ny"]',
			'4: ["2","he said \\"hi\\""]',
		])
	})

	test('an empty field is missing, and an empty text in quotes is a text', () => {
		expect(shown('a,b,c\n1,,""\n')).toEqual(['2: ["1",null,""]'])
	})

	test('a wrong row is a fault with its line, and the next ones are read', () => {
		expect(shown('a,b\n1,2\n3\n"4"x,5\n6,7')).toEqual([
			'2: ["1","2"]',
			'3: !the first line has 2 values, and this one 1',
			'4: !text follows a closing quote',
			'5: ["6","7"]',
		])
	})

	test('a quote that is not closed is a fault of the row in which it begins', () => {
		expect(shown('a,b\n1,2\n3,"4\n5,6\n')).toEqual(['2: ["1","2"]', '3: !a quote is not closed'])
	})

	test('an empty file and a lone header have no rows, and empty lines are none', () => {
		expect(shown('')).toEqual([])
		expect(shown('a,b\n')).toEqual([])
		expect(shown('a,b')).toEqual([])
		expect(shown('a,b\n\n1,2\r\n\r\n3,4\n')).toEqual(['3: ["1","2"]', '5: ["3","4"]'])
	})

	test('fields without a header, or with the same name, have distinct names', () => {
		const names = (text: string, format: FileFormat) =>
			read(Buffer.from(text), format).map(row => ('values' in row ? [...row.values.keys()] : []))
		expect(names('1,2\n', { ...csv, hasHeader: false })).toEqual([['column 1', 'column 2']])
		expect(names('a,a,\n1,2,3\n', csv)).toEqual([['a', 'a (2)', 'column 3']])
	})

	test('twenty thousand fields with the same name are named at once', () => {
		const began = performance.now()
		const [row] = read(Buffer.from(`${'a,'.repeat(19_999)}a\n${'1,'.repeat(19_999)}1\n`), csv)
		expect(row && 'values' in row && row.values.size).toBe(20_000)
		expect(performance.now() - began).toBeLessThan(2_000)
	})

	test('other delimiters separate too', () => {
		for (const delimiter of [';', '\t', '|'] as const) {
			expect(shown(`a${delimiter}b\n1,5${delimiter}2\n`, { ...csv, delimiter })).toEqual(['2: ["1,5","2"]'])
		}
	})
})

describe('JSON', () => {
	test('a line of NDJSON is a row, and numbers keep their digits', () => {
		expect(shown('{"a":12345678901234567890}\n\n{"a":\n[1]\n{"a":1.10}', { format: 'ndjson' })).toEqual([
			'1: [12345678901234567890]',
			'3: !it is not JSON: Unexpected end of JSON input',
			'4: !it is not a JSON object',
			'5: [1.10]',
		])
	})

	test('each object of an array is a row, with the line in which it begins', () => {
		const text = '\n[\n  {"a": "x,]}\\"", "b": [1, {"c": 2}]},\n  7,\n  {"a": 12345678901234567890\n}\n]\n'
		expect(shown(text, { format: 'json' })).toEqual([
			'3: ["x,]}\\"",[1,{"c":2}]]',
			'4: !it is not a JSON object',
			'5: [12345678901234567890]',
		])
	})

	test('a row of too many levels is a fault, and the next ones are read', () => {
		const deep = (levels: number) => `{"a":${'['.repeat(levels - 1)}1.10${']'.repeat(levels - 1)}}`
		const fault = '!it has more than 1000 levels'
		const rows = shown(`${deep(1_000)}\n${deep(1_001)}\n${deep(1_000_000)}\n{"a":1}`, { format: 'ndjson' })
		expect(rows.slice(1)).toEqual([`2: ${fault}`, expect.stringMatching(/^3: !it /), '4: [1]'])
	})

	test('a bracket without its other half ends the reading, and separates no rows', () => {
		for (const text of ['[{"a":1}}{"a":2}]', '[{"a":1}},{"a":2}]', '[}{"a":2}]'])
			expect(() => shown(text, { format: 'json' })).toThrow('Line 1: a bracket closes nothing')
	})

	test('an array is empty, or is refused if it is not whole', () => {
		expect(shown(' [ ] ', { format: 'json' })).toEqual([])
		expect(shown('', { format: 'json' })).toEqual([])
		expect(() => shown('[{"a":1},\n', { format: 'json' })).toThrow('Line 2: the array is not closed')
		expect(() => shown('{"a":1}', { format: 'json' })).toThrow('Line 1: the file is not a JSON array')
		expect(() => shown('[]\n\n[]', { format: 'json' })).toThrow('text follows the array')
	})
})

describe('UTF-8', () => {
	test('a byte-order mark is no part of the first field', () => {
		expect(read(Buffer.from('\ufeff"a"\n1\n'), csv).map(row => 'values' in row && [...row.values.keys()])).toEqual([
			['a'],
		])
	})

	test('a wrong byte is an error with its line', () => {
		const bytes = Buffer.concat([Buffer.from('a\n1\n'), Buffer.from([0x66, 0xfc, 0x0a])])
		for (const size of [1, 2, 100]) expect(() => shown(bytes, csv, size)).toThrow('Line 3 is not UTF-8.')
		expect(() => shown(Buffer.from('a\nb', 'utf16le'), csv, 3)).not.toThrow()
		expect(() => shown(Buffer.from([0x61, 0x0a, 0xe2, 0x82]))).toThrow('Line 2 is not UTF-8.')
	})
})

test('pieces of any size give the same rows', () => {
	const text = fc.array(fc.constantFrom('a', '"', ',', '\n', '\r\n', '€', '🚂', '\\', '{', '}', '[', ']', '""', '1'), {
		maxLength: 40,
	})
	const formats = [csv, { format: 'ndjson' }, { format: 'json' }] as const
	const outcome = (text: string, format: FileFormat, size?: number) => {
		try {
			return shown(text, format, size)
		} catch (error) {
			return String(error)
		}
	}
	fc.assert(
		fc.property(text, fc.constantFrom(...formats), fc.integer({ min: 1, max: 9 }), (parts, format, size) => {
			const text = (format.format === 'json' ? '[' : 'a,b\n') + parts.join('')
			const inPieces = outcome(text, format, size)
			const atOnce = outcome(text, format)
			// A fault behind some rows ends them all here; only its own text must agree.
			expect(inPieces).toEqual(atOnce)
		}),
		{ numRuns: 1000 },
	)
})

test('what the export writes as CSV is read as the same texts', async () => {
	const { csvRecord } = await import('@roundhouse/kit/csv')
	fc.assert(
		fc.property(
			fc.array(fc.oneof(fc.string({ unit: anyCharacter }), fc.constant(null)), { minLength: 2, maxLength: 5 }),
			values => {
				const header = csvRecord(
					values.map((_, place) => `c${place}`),
					{ guardFormulas: false },
				)
				const text = `${header}\r\n${csvRecord(values, { guardFormulas: false })}\r\n`
				const [row] = read(Buffer.from(text), csv)
				expect(row && 'values' in row ? [...row.values].map(([, value]) => value ?? null) : row).toEqual(values)
			},
		),
	)
})
