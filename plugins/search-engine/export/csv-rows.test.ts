import { type JsonObject, parseJson } from '@roundhouse/kit'
import { csvRecord } from '@roundhouse/kit/csv'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BytesOut } from '../hits/bytes-out.ts'
import { type Hit, readHits } from '../hits/read-hits.ts'
import { columnsOf } from '../mapping/columns.ts'
import { anyHit, bookMapping, valueReaderOf } from '../test/any-hit.ts'
import { Reply } from '../transport/reply.ts'
import { CsvRows } from './csv-rows.ts'

const unguarded = { guardFormulas: false }

/** Returns the text of a list or an object as the engine printed it, if that has no white space. */
function nestedText(document: Hit | undefined, column: string): string | undefined {
	const range = document?.isCompact ? document.range(column === 'heading' ? 'title' : column) : undefined
	if (!document || !range || column.includes('.')) return undefined
	const text = document.scanner.bytes.toString('utf8', ...range)
	return /^[[{]/.test(text) ? text : undefined
}

test.each([
	false,
	true,
])('records have the parsed values, and lists and objects as the engine printed them, for any documents (formulas guarded: %s)', guardFormulas => {
	const columns = [
		...columnsOf(bookMapping).map(({ name }) => name),
		'new',
		'new.key',
		'author.year',
		'__proto__',
		'_score',
	]
	const readers = columns.map(column => valueReaderOf(column, bookMapping))
	fc.assert(
		fc.property(fc.array(anyHit, { maxLength: 5 }), texts => {
			const bytes = Buffer.from(`{"hits":{"hits":[${texts.join(',')}]}}`)
			const { hits } = readHits(new Reply({ status: 200, statusText: 'OK', headers: {}, bytes }))
			const rows = new CsvRows(columns, bookMapping, { guardFormulas })
			const out = new BytesOut(0)
			for (const hit of hits) rows.row(hit, out)
			const expected = texts.map((text, at) => {
				const parsed = parseJson(text) as JsonObject
				const fields = readers.map((read, column) => {
					const nested = nestedText(hits[at]?.inner, columns[column] ?? '')
					return nested === undefined ? csvRecord([read(parsed)], { guardFormulas }) : csvRecord([nested], unguarded)
				})
				return `${fields.join(',')}\r\n`
			})
			expect(out.bytes.toString()).toBe(expected.join(''))
		}),
		{ numRuns: 1_000 },
	)
})
