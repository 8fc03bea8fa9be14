import { type ExportOptions, isJsonObject, type Json, stringifyJson } from '@roundhouse/kit'
import { type CsvOptions, csvHeader } from '@roundhouse/kit/csv'
import type { BytesOut } from '../hits/bytes-out.ts'
import type { Hit } from '../hits/read-hits.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { CsvRows } from './csv-rows.ts'

/** The text of an export: `head`, the rows separated by `between`, `tail`. */
export interface Encoder {
	readonly head: string
	readonly between: string
	readonly tail: string
	row(hit: Hit, out: BytesOut): void
}

/**
 * Returns the encoder of a format. NDJSON and JSON contain each document as the engine shows a hit: `_index`, `_id`,
 * `_routing` if present, and the whole `_source`. Plain `_source` lines would lose the `_id`, and an `_id` inside the
 * document would become a field at the next import. CSV is RFC 4180 with a header.
 *
 * @param columns of a CSV, in order.
 */
export function encoderOf(options: ExportOptions, columns: readonly string[], mapping: Mapping): Encoder {
	if (options.format === 'csv') return csv(columns, mapping, { guardFormulas: options.guardFormulas ?? false })
	const wanted = options.columns === undefined ? undefined : new Set(options.columns)
	const [before, behind] = options.format === 'ndjson' ? ['', '\n'] : ['\n', '']
	// A routing can be made of the values that are left out.
	const isRouted = options.without === undefined
	const row = (hit: Hit, out: BytesOut) => {
		out.text(before)
		writeDocument(hit, { wanted, isRouted }, out)
		out.text(behind)
	}
	return options.format === 'ndjson'
		? { head: '', between: '', tail: '', row }
		: { head: '[', between: ',', tail: '\n]\n', row }
}

interface Written {
	readonly wanted: ReadonlySet<string> | undefined
	readonly isRouted: boolean
}

function writeDocument(hit: Hit, { wanted, isRouted }: Written, out: BytesOut) {
	out.text('{"_index":')
	writeMember(hit, '_index', out)
	out.text(',"_id":')
	writeMember(hit, '_id', out)
	if (isRouted && hit.range('_routing') !== undefined) {
		out.text(',"_routing":')
		writeMember(hit, '_routing', out)
	}
	out.text(',"_source":')
	if (wanted === undefined) writeMember(hit, '_source', out)
	else out.text(stringifyJson(pick(hit.value('_source') ?? null, '', wanted)))
	out.text('}')
}

/** Writes a member as the engine sent it, on one line. */
function writeMember(hit: Hit, name: string, out: BytesOut) {
	const { scanner } = hit
	const place = hit.range(name)
	if (place === undefined) out.text('null')
	else if (hit.isCompact || scanner.isCompact(...place)) out.copy(scanner.bytes, ...place)
	else out.text(stringifyJson(scanner.valueOf(...place)))
}

/**
 * Returns the part of a document under the wanted paths, in the document's shape. Done here, because the engine would
 * reformat numbers.
 */
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
	const rows = new CsvRows(columns, mapping, options)
	return {
		head: `${csvHeader(columns, options)}\r\n`,
		between: '',
		tail: '',
		row: (hit, out) => rows.row(hit, out),
	}
}
