import {
	type Column,
	denseCells,
	fromCell,
	type Json,
	type JsonObject,
	parseJson,
	type Row,
	stringifyJson,
	toCell,
} from '@roundhouse/kit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readHits } from '../hits/read-hits.ts'
import { columnsOf, unmappedColumn } from '../mapping/columns.ts'
import { type Mapping, readMapping } from '../mapping/mapping.ts'
import { collectUnmapped } from '../mapping/source.ts'
import { anyHit, bookMapping as mapping, valueReaderOf } from '../test/any-hit.ts'
import { Reply } from '../transport/reply.ts'
import { encodeRowId, rowKeyOf, rowVersionOf } from './row-id.ts'
import { RowPrinter } from './row-printer.ts'

/** A path that already has a column need not be reported again. */
function without(columns: readonly Column[], unmapped: ReadonlySet<string>): string[] {
	return [...unmapped].filter(path => columns.every(({ name }) => name !== path)).toSorted()
}

/** The reference implementation: parses everything. */
function plainly(text: string, columns: readonly Column[], of: Mapping) {
	const answer = parseJson(text) as { hits: { hits: JsonObject[] } }
	const unmapped = new Set<string>()
	const rows = answer.hits.hits.map(hit => {
		if (hit._source !== undefined) collectUnmapped(hit._source, of, unmapped)
		const version = rowVersionOf(hit)
		return {
			id: encodeRowId(rowKeyOf(hit)),
			...(version !== undefined && { version }),
			cells: columns.map(({ name }) => toCell(valueReaderOf(name, of)(hit))),
		}
	})
	return { rows, unmapped: without(columns, unmapped) }
}

function printed(text: string, columns: readonly Column[], of: Mapping) {
	const bytes = Buffer.from(text)
	const { hits } = readHits(new Reply({ status: 200, statusText: 'OK', headers: {}, bytes }))
	const unmapped = new Set<string>()
	const rows: Row[] = JSON.parse(new TextDecoder().decode(new RowPrinter(columns, of).print(hits, unmapped)))
	const dense = rows.map(({ at, cells, ...row }) => ({
		...row,
		cells: denseCells({ cells, ...(at && { at }) }, columns.length),
	}))
	return { rows: dense, unmapped: without(columns, unmapped) }
}

test('prints the same rows as parsing, for any documents', () => {
	const columns = [...columnsOf(mapping), ...['new', 'new.key', 'author.year', '__proto__'].map(unmappedColumn)]
	fc.assert(
		fc.property(fc.array(anyHit, { maxLength: 5 }), hits => {
			const text = `{"hits":{"hits":[${hits.join(',')}]}}`
			expect(comparable(printed(text, columns, mapping))).toEqual(comparable(plainly(text, columns, mapping)))
		}),
		{ numRuns: 500 },
	)
})

/** Compares parsed values, because JSON texts may differ in escapes. */
function comparable({ rows, unmapped }: { readonly rows: readonly Row[]; readonly unmapped: readonly string[] }) {
	const text = (value: Json | undefined) => (value === undefined ? 'missing' : stringifyJson(value))
	return { unmapped, rows: rows.map(row => ({ ...row, cells: row.cells.map(cell => text(fromCell(cell))) })) }
}

test('a table of many columns has only the cells of its documents', () => {
	const wide = readMapping({
		wide: {
			mappings: {
				properties: Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`f${at}`, { type: 'long' }])),
			},
		},
	})
	const columns = columnsOf(wide)
	for (const count of [0, 3, 350]) {
		const source = Array.from({ length: count }, (_, at) => `"f${399 - at}":1.${at}0`).join(',')
		const text = `{"hits":{"hits":[{"_index":"wide","_id":"é","_source":{${source}}}]}}`
		const rows: Row[] = JSON.parse(
			Buffer.from(
				new RowPrinter(columns, wide).print(
					readHits(new Reply({ status: 200, statusText: '', headers: {}, bytes: Buffer.from(text) })).hits,
					new Set(),
				),
			).toString(),
		)
		expect(rows[0]?.cells.length).toBe(count === 350 ? 403 : count + 3)
		expect(comparable(printed(text, columns, wide))).toEqual(comparable(plainly(text, columns, wide)))
	}
})

test('cuts and compacts long JSON like a cell', () => {
	const long = `[${'"é",'.repeat(6_000)}1.50]`
	const columns = columnsOf(mapping)
	const text = `{"hits":{"hits":[{"_index":"books","_id":"1","_source":{"title":${long},"place": { "lat" : 1.50 }}}]}}`
	expect(printed(text, columns, mapping)).toEqual(plainly(text, columns, mapping))
})

test('a value that is too deep to be parsed is cut as the engine printed it', () => {
	const [open, close] = ['['.repeat(50_000), ']'.repeat(50_000)]
	const text = `{"hits":{"hits":[{"_index":"books","_id":"1","_source":{"title":${open}${close}}}]}}`
	const reply = new Reply({ status: 200, statusText: 'OK', headers: {}, bytes: Buffer.from(text) })
	const columns = columnsOf(mapping)
	const printed = new RowPrinter(columns, mapping).print(readHits(reply).hits, new Set())
	const [row] = parseJson(Buffer.from(printed).toString()) as unknown as Row[]
	const at = columns.findIndex(({ name }) => name === 'title')
	expect(row && denseCells(row, columns.length)[at]).toEqual({ json: `${'['.repeat(10_000)}...`, cutFrom: 100_000 })
})
