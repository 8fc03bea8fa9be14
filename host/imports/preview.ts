import type { Column, Count, Json } from '@roundhouse/kit'
import { cutText, stringifyJson } from '@roundhouse/kit'
import { withoutGuard } from '@roundhouse/kit/csv'
import { importErrors } from './errors.ts'
import { type FileFormat, isGuarded, rowsIn } from './file-format.ts'
import { maxRowLength } from './file-row.ts'
import { Utf8Text } from './utf8-text.ts'

/** The beginning of a file, for the user to see how it is read. */
export interface FilePreview {
	readonly fields: readonly string[]
	/** The first rows by field. A fault is what is wrong with a row. */
	readonly rows: readonly { readonly line: number; readonly texts: readonly string[]; readonly fault?: string }[]
	/** Rows of the file, by its size if it is longer than its beginning. */
	readonly count: Count
	/** The column for each field with such a name. */
	readonly mapping: Readonly<Record<string, string>>
}

const shownRows = 20
/** As many as a plan can name. */
const mostFields = 10_000
const shownLength = 200

interface Beginning {
	readonly head: Uint8Array
	/** Size of the file. */
	readonly sizeBytes: number
	readonly format: FileFormat
	/** Columns that take values. */
	readonly columns: readonly Column[]
}

/** @throws HostError `import/…` */
export function previewOf({ head, sizeBytes, format, columns }: Beginning): FilePreview {
	const isWhole = head.length >= sizeBytes
	const text = new Utf8Text()
	const read = text.read(head, isWhole)
	const found = [...rowsIn(format).read(read, isWhole && text.isValid)]
	text.requireValid()
	if (found.length === 0 && !isWhole && head.length >= maxRowLength) {
		throw importErrors.make('too_long', { line: 1, limit: maxRowLength })
	}
	const fields = [...new Set(found.flatMap(row => ('values' in row ? [...row.values.keys()] : [])))]
	if (fields.length > mostFields) throw importErrors.make('too_wide', { limit: mostFields })
	const rows = found.slice(0, shownRows).map(row => {
		if ('fault' in row) return { line: row.line, texts: fields.map(() => ''), fault: row.fault }
		return { line: row.line, texts: fields.map(field => textOf(row.values.get(field), isGuarded(format))) }
	})
	const count: Count = isWhole
		? { value: found.length, isExact: true }
		: { value: Math.round((found.length * sizeBytes) / head.length), isExact: false, bound: 'about' }
	return { fields, rows, count, mapping: mappingOf(fields, columns) }
}

function textOf(value: Json | undefined, hasGuard: boolean): string {
	if (value === undefined) return ''
	const read = typeof value === 'string' ? value : stringifyJson(value)
	const text = hasGuard ? withoutGuard(read) : read
	return cutText(text, shownLength)
}

/** Proposes columns by their exact name, else by their name in any case, each once. */
function mappingOf(fields: readonly string[], columns: readonly Column[]): Readonly<Record<string, string>> {
	const free = new Set(columns.map(({ name }) => name))
	const found: [field: string, column: string][] = []
	const take = (field: string, column: string | undefined) => {
		if (column === undefined || !free.delete(column)) return
		found.push([field, column])
	}
	const exact = fields.filter(field => free.has(field))
	for (const field of exact) take(field, field)
	for (const field of fields.filter(field => !exact.includes(field))) {
		take(
			field,
			[...free].find(name => name.toLowerCase() === field.trim().toLowerCase()),
		)
	}
	return Object.fromEntries(found)
}
