import { type JsonObject, parseJson } from '@roundhouse/kit'
import { csvRecord } from '@roundhouse/kit/csv'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BytesOut } from '../hits/bytes-out.ts'
import { readHits } from '../hits/read-hits.ts'
import { columnsOf } from '../mapping/columns.ts'
import { anyHit, bookMapping, valueReaderOf } from '../test/any-hit.ts'
import { Reply } from '../transport/reply.ts'
import { CsvRows } from './csv-rows.ts'

test.each([
	false,
	true,
])('records are those of the parsed values, for any documents (formulas guarded: %s)', guardFormulas => {
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
			const parsed = texts.map(text => parseJson(text) as JsonObject)
			const expected = parsed.map(
				hit =>
					`${csvRecord(
						readers.map(read => read(hit)),
						{ guardFormulas },
					)}\r\n`,
			)
			expect(out.bytes.toString()).toBe(expected.join(''))
		}),
		{ numRuns: 1_000 },
	)
})
