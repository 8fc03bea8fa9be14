import { type ExportOptions, isJsonObject, type Json, type JsonObject, stringifyJson } from '@roundhouse/kit'
import { type CsvOptions, csvRecord } from '@roundhouse/kit/csv'
import { valueReaderOf } from '../grid/page.ts'
import type { Mapping } from '../mapping/mapping.ts'

/** The text of an export: `head`, the rows with `between` among them, `tail`. */
export interface Encoder {
	readonly head: string
	readonly between: string
	readonly tail: string
	row(hit: JsonObject): string
}

/**
 * NDJSON and JSON hold each document as the engine shows a hit: `_index`, `_id`, `_routing` where there is one, and the
 * whole `_source`. Plain `_source` lines would lose the `_id`, and an `_id` mixed into the document would be a field of
 * it after the next import. CSV is RFC 4180 with a header.
 *
 * @param columns of a CSV, in their order.
 */
export function encoderOf(options: ExportOptions, columns: readonly string[], mapping: Mapping): Encoder {
	if (options.format === 'csv') return csv(columns, mapping, { guardFormulas: options.guardFormulas ?? false })
	const wanted = options.columns === undefined ? undefined : new Set(options.columns)
	const json = (hit: JsonObject) => stringifyJson(documentOf(hit, wanted))
	if (options.format === 'ndjson') return { head: '', between: '', tail: '', row: hit => `${json(hit)}\n` }
	return { head: '[', between: ',', tail: '\n]\n', row: hit => `\n${json(hit)}` }
}

function documentOf({ _index, _id, _routing, _source }: JsonObject, wanted: ReadonlySet<string> | undefined): Json {
	return {
		_index: _index ?? null,
		_id: _id ?? null,
		...(_routing !== undefined && { _routing }),
		_source: wanted === undefined ? (_source ?? null) : pick(_source ?? null, '', wanted),
	}
}

/** The part of a document under the wanted paths, in the document's own shape. Picked here: the engine would print numbers anew. */
function pick(value: Json, prefix: string, wanted: ReadonlySet<string>): Json {
	if (Array.isArray(value)) return value.map(element => pick(element, prefix, wanted))
	if (!isJsonObject(value)) return value
	const kept = Object.entries(value).flatMap(([key, inner]): [string, Json][] => {
		const path = `${prefix}${key}`
		if (wanted.has(path)) return [[key, inner]]
		const isAbove = [...wanted].some(name => name.startsWith(`${path}.`))
		return isAbove ? [[key, pick(inner, `${path}.`, wanted)]] : []
	})
	return Object.fromEntries(kept)
}

function csv(columns: readonly string[], mapping: Mapping, options: CsvOptions): Encoder {
	const readers = columns.map(column => valueReaderOf(column, mapping))
	const line = (values: readonly (Json | undefined)[]) => `${csvRecord(values, options)}\r\n`
	return {
		head: line(columns),
		between: '',
		tail: '',
		row: hit => line(readers.map(read => read(hit))),
	}
}
