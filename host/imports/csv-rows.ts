import { importErrors } from './errors.ts'
import { type FileRow, type FileRows, maxRowLength } from './file-row.ts'

interface CsvRecord {
	/** `undefined` for an empty field without quotes; `""` for an empty quoted field. */
	readonly fields: readonly (string | undefined)[]
	readonly fault?: string
	/** Where the next record begins. */
	readonly end: number
}

/**
 * Reads CSV (RFC 4180). A quote inside a field without quotes is text, and empty lines are left out. Fields without a
 * header are named by their position.
 */
export class CsvRows implements FileRows {
	readonly #delimiter: string
	readonly #unquotedField: RegExp
	readonly #hasHeader: boolean
	#names: readonly string[] | undefined
	#rest = ''
	#line = 1

	constructor({ delimiter, hasHeader }: { readonly delimiter: string; readonly hasHeader: boolean }) {
		this.#delimiter = delimiter
		this.#unquotedField = delimiter === '|' ? /[^|\n]*/y : new RegExp(`[^${delimiter}\\n]*`, 'y')
		this.#hasHeader = hasHeader
	}

	*read(piece: string, isEnd: boolean): Iterable<FileRow> {
		const text = this.#rest + piece
		let at = 0
		while (at < text.length) {
			const record = this.#record(text, at, isEnd)
			if (record === undefined) break
			const row = this.#rowOf(record)
			this.#line += linesIn(text, at, record.end)
			at = record.end
			if (row) yield row
		}
		this.#rest = text.slice(at)
		if (this.#rest.length > maxRowLength) throw importErrors.make('too_long', { line: this.#line, limit: maxRowLength })
	}

	#rowOf({ fields, fault }: CsvRecord): FileRow | undefined {
		const line = this.#line
		if (fault !== undefined) return { line, fault }
		if (fields.length === 1 && fields[0] === undefined) return undefined
		if (this.#names === undefined) {
			this.#names = this.#hasHeader ? distinct(fields) : fields.map((_, place) => `column ${place + 1}`)
			if (this.#hasHeader) return undefined
		}
		const names = this.#names
		if (fields.length !== names.length) {
			return { line, fault: `the first line has ${names.length} values, and this one ${fields.length}` }
		}
		return { line, values: new Map(names.map((name, place) => [name, fields[place]])) }
	}

	/** Returns the record that begins at an offset, or `undefined` if the record is incomplete. */
	#record(text: string, start: number, isEnd: boolean): CsvRecord | undefined {
		const fields: (string | undefined)[] = []
		for (let at = start; ; at++) {
			const isQuoted = text[at] === '"'
			let end: number
			if (isQuoted) {
				end = closingQuote(text, at)
				if (end < 0) return isEnd ? { fields, fault: 'a quote is not closed', end: text.length } : undefined
				fields.push(text.slice(at + 1, end - 1).replaceAll('""', '"'))
				if (text[end] === '\r' && text[end + 1] === '\n') end++
			} else {
				this.#unquotedField.lastIndex = at
				const field = this.#unquotedField.exec(text)?.[0] ?? ''
				end = at + field.length
				const value = text[end] === this.#delimiter ? field : field.replace(/\r$/, '')
				fields.push(value === '' ? undefined : value)
			}
			if (end >= text.length) return isEnd ? { fields, end } : undefined
			if (text[end] === '\n') return { fields, end: end + 1 }
			if (text[end] !== this.#delimiter) {
				const lineEnd = text.indexOf('\n', end)
				if (lineEnd < 0 && !isEnd) return undefined
				return { fields, fault: 'text follows a closing quote', end: lineEnd < 0 ? text.length : lineEnd + 1 }
			}
			at = end
		}
	}
}

/** Returns the offset after the closing quote of a field, or -1 if the field is not closed. */
function closingQuote(text: string, start: number): number {
	for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 2)) {
		if (text[at + 1] !== '"') return at + 1
	}
	return -1
}

function linesIn(text: string, start: number, end: number): number {
	let lines = 0
	for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines++
	return lines
}

/** Returns a unique name for each field of the header. */
function distinct(fields: readonly (string | undefined)[]): readonly string[] {
	const names = new Set<string>()
	/** Next suffix to try for each name. Otherwise a header with many equal names would take quadratic time. */
	const numbers = new Map<string, number>()
	for (const [place, field] of fields.entries()) {
		const plain = field?.trim() || `column ${place + 1}`
		let name = plain
		let number = numbers.get(plain) ?? 2
		while (names.has(name)) name = `${plain} (${number++})`
		numbers.set(plain, number)
		names.add(name)
	}
	return [...names]
}
