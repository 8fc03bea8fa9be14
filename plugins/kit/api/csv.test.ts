import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvHeader, csvRecord, withoutGuard } from './csv.ts'
import { exactNumber } from './json.ts'

const plain = { guardFormulas: false }
const guarded = { guardFormulas: true }

/** Reads one record according to RFC 4180. */
function read(record: string): string[] {
	const fields = record.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)
	return [...fields].map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '')
}

test('any text survives unchanged', () => {
	fc.assert(
		fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), texts => {
			expect(read(csvRecord(texts, plain))).toEqual(texts)
		}),
	)
})

test('distinguishes missing, null and empty text as far as CSV can', () => {
	expect(csvRecord([undefined, null, '', ' '], plain)).toBe(',,""," "')
})

test('numbers keep their digits, and objects are JSON', () => {
	expect(csvRecord([exactNumber('1.10'), exactNumber('9223372036854775807'), true, { a: ['x'] }], guarded)).toBe(
		'1.10,9223372036854775807,true,"{""a"":[""x""]}"',
	)
})

test('guards text that a spreadsheet would run, if requested, but never a number', () => {
	for (const formula of ['=1+1', '+1+cmd', '-SUM(A1)', '-2+3', '@SUM(A1)', ' =1', '\ufeff=1', '\t=1', '＝1', '－1|a']) {
		expect(read(csvRecord([formula], guarded)), formula).toEqual([`'${formula}`])
		expect(read(csvRecord([formula], plain)), formula).toEqual([formula])
	}
	expect(csvRecord([-1, exactNumber('-1.0'), 'a=1'], guarded)).toBe('-1,-1.0,a=1')
})

test.each([
	'-5',
	'+1.5',
	'-1,250',
	'+49 170 1234567',
	'+49 (30) 12-34',
	'-SZabc_1',
	'--',
	'-',
])('a guard leaves the number, phone number or id %s as it is', text => {
	expect(csvRecord([text], guarded)).toBe(csvRecord([text], plain))
})

test('a guard is taken off again, from any text', () => {
	const begin = fc.constantFrom('', "'", "''", ' ', "' ", '\t', "'\t")
	const middle = fc.constantFrom('', '=', '+', '-', '@', 'a', "'")
	fc.assert(
		fc.property(begin, middle, fc.string(), (...parts) => {
			const text = parts.join('')
			const [written = ''] = read(csvRecord([text], guarded))
			expect(withoutGuard(written)).toBe(text)
		}),
	)
})

test('a header is guarded, but not a plain name with @', () => {
	expect(csvHeader(['@timestamp', 'a,b', '=1+1', '@SUM(1)'], { guardFormulas: true })).toBe(
		`@timestamp,"a,b",'=1+1,'@SUM(1)`,
	)
})
