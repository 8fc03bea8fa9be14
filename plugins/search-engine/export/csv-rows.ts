import type { Json, JsonObject } from '@roundhouse/kit'
import { type CsvOptions, csvRecord } from '@roundhouse/kit/csv'
import { computedValue } from '../grid/page.ts'
import type { BytesOut } from '../hits/bytes-out.ts'
import type { Hit } from '../hits/read-hits.ts'
import type { Scanner } from '../hits/scan.ts'
import { resolve } from '../mapping/exact-field.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { firstKey, type Reader, readerOf } from '../mapping/source.ts'

/** What a column of a CSV shows of a hit. */
type CsvColumn =
	/** A member of the hit beside the document, for example its `_id`. */
	| { readonly kind: 'said' | 'computed'; readonly name: string }
	/** A member of the document by its whole name. */
	| { readonly kind: 'direct'; readonly name: string }
	| { readonly kind: 'deep'; readonly first: string; readonly read: Reader }

/** How documents with the same members are written. */
interface Plan {
	readonly names: readonly string[]
	/** Place of the member that each column shows, or `none`. */
	readonly memberOf: Int32Array
	/** Members with nested columns, which are parsed for them. */
	readonly deep: readonly string[]
}

const said = new Set(['_id', '_index', '_score'])

/**
 * Writes hits as records of CSV, with the texts that `csvRecord` has for the values of its columns. A value that needs no
 * conversion is copied from the bytes of the engine's answer without parsing, and so is a list or an object, as in a grid.
 */
export class CsvRows {
	readonly #columns: readonly CsvColumn[]
	readonly #options: CsvOptions
	readonly #firstKeys: ReadonlySet<string>
	/** Plan of the previous row, because consecutive documents usually have the same members. */
	#plan: Plan | undefined

	constructor(columns: readonly string[], mapping: Mapping, options: CsvOptions) {
		this.#columns = columns.map(name => columnOf(name, mapping))
		this.#options = options
		this.#firstKeys = new Set(this.#columns.flatMap(column => (column.kind === 'deep' ? [column.first] : [])))
	}

	row(hit: Hit, out: BytesOut): void {
		const plan = this.#planOf(hit.inner?.names ?? [])
		const part = plan.deep.length === 0 ? undefined : hit.inner?.values(...plan.deep)
		for (const [at, column] of this.#columns.entries()) {
			if (at > 0) out.byte(comma)
			if (column.kind === 'deep') this.#value(part && readOf(column, part), out)
			else if (column.kind === 'computed') this.#value(computedValue(hit.value('fields'), column.name), out)
			else if (column.kind === 'said') this.#member(hit, hit.names.lastIndexOf(column.name), out)
			else if (hit.inner) this.#member(hit.inner, plan.memberOf[at] ?? none, out)
		}
		out.text('\r\n')
	}

	#planOf(names: readonly string[]): Plan {
		if (this.#plan?.names === names) return this.#plan
		const memberOf = this.#columns.map(column => (column.kind === 'direct' ? names.lastIndexOf(column.name) : none))
		const deep = [...new Set(names)].filter(name => this.#firstKeys.has(firstKey(name)))
		this.#plan = { names, memberOf: Int32Array.from(memberOf), deep }
		return this.#plan
	}

	#member({ scanner, starts, ends, isCompact }: Hit, member: number, out: BytesOut): void {
		const [start, end] = [starts[member], ends[member]]
		if (start === undefined || end === undefined) return
		if (isCompact && (scanner.isObject(start) || scanner.isList(start))) return copyNested(scanner, [start, end], out)
		const form = formOf(scanner, [start, end], this.#options)
		if (form === 'bare') out.copy(scanner.bytes, start, end)
		else if (form === 'text') out.copy(scanner.bytes, start + 1, end - 1)
		else if (form === 'quoted') out.copy(scanner.bytes, start, end)
		else if (form === 'parsed') this.#value(scanner.valueOf(start, end), out)
	}

	#value(value: Json | undefined, out: BytesOut): void {
		if (value !== undefined) out.text(csvRecord([value], this.#options))
	}
}

const readOf = ({ read }: { readonly read: Reader }, part: JsonObject) => read(part)

function columnOf(name: string, mapping: Mapping): CsvColumn {
	if (said.has(name)) return { kind: 'said', name }
	const field = mapping.fields.get(name)
	if (field?.isRuntime) return { kind: 'computed', name }
	const path = field === undefined ? name : resolve(field, mapping).path
	if (path.includes('.')) return { kind: 'deep', first: firstKey(path), read: readerOf(path) }
	return { kind: 'direct', name: path }
}

/**
 * Returns how the JSON between two places is written: a number or word as it is, a text with or without its quotes,
 * nothing for `null`, or as `csvRecord` writes the parsed value.
 */
function formOf(
	{ bytes }: Scanner,
	[start, end]: readonly [number, number],
	{ guardFormulas }: CsvOptions,
): 'bare' | 'text' | 'quoted' | 'parsed' | 'empty' {
	const first = bytes[start]
	if (first === smallN) return 'empty'
	if (first === openBrace || first === openBracket) return 'parsed'
	if (first !== quote) return 'bare'
	// An empty text has its quotes in both.
	if (end - start === 2) return 'quoted'
	const [begin, last] = [bytes[start + 1] as number, bytes[end - 2] as number]
	// A blank at an end is quoted, and Unicode has more of them. A formula may begin with a blank, too.
	if (!isPrintable(begin) || !isPrintable(last) || (guardFormulas && beginsFormula.has(begin))) return 'parsed'
	let form: 'text' | 'quoted' = 'text'
	for (let at = start + 1; at < end - 1; at++) {
		const byte = bytes[at]
		if (byte === backslash) return 'parsed'
		if (byte === comma) form = 'quoted'
	}
	return form
}

/** Copies a list or an object, quoted as a field if its text has a comma or a quote. */
function copyNested({ bytes }: Scanner, [start, end]: readonly [number, number], out: BytesOut): void {
	let at = start
	while (at < end && bytes[at] !== quote && bytes[at] !== comma) at++
	if (at === end) return out.copy(bytes, start, end)
	out.byte(quote)
	out.copyQuoted(bytes, start, end, quote)
	out.byte(quote)
}

const none = -1
const [quote, comma, backslash, smallN, openBrace, openBracket] = [0x22, 0x2c, 0x5c, 0x6e, 0x7b, 0x5b] as const
const isPrintable = (byte: number) => byte > 0x20 && byte < 0x7f
const beginsFormula: ReadonlySet<number> = new Set(Array.from("'=@+-", character => character.charCodeAt(0)))
