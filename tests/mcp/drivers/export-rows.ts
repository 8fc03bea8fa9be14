import { type Column, type ExportOptions, fromCell, type Row, type RowExport, stringifyJson } from '@roundhouse/kit'
import { csvRecord } from '@roundhouse/kit/csv'

interface Exported {
	readonly columns: readonly Column[]
	readonly rows: readonly Row[]
	/** Further formats, by id: the text of a row in JSON. */
	readonly formats?: Readonly<Record<string, (row: string) => string>>
}

/** Exports rows in memory as CSV, as lines of JSON or in a format of the driver, in pieces of one row. */
export function exportRows(
	{ columns, rows, formats = {} }: Exported,
	{ format, columns: names = columns.map(({ name }) => name), rowIds, limit, guardFormulas = false }: ExportOptions,
): RowExport {
	const chosen = rowIds ? rowIds.flatMap(wanted => rows.find(({ id }) => id === wanted) ?? []) : rows.slice(0, limit)
	const lines = chosen.map(({ cells }) => {
		const values = names.map(name => fromCell(cells[columns.findIndex(column => column.name === name)] ?? null))
		if (format === 'csv') return `${csvRecord(values, { guardFormulas })}\r\n`
		const json = stringifyJson(Object.fromEntries(names.map((name, index) => [name, values[index] ?? null])))
		return formats[format]?.(json) ?? `${json}\n`
	})
	if (format === 'csv') lines.unshift(`${csvRecord(names, { guardFormulas })}\r\n`)
	let done = 0
	return {
		read: async call => {
			call.progress({ done })
			const line = lines[done++]
			return line === undefined ? undefined : Buffer.from(line)
		},
		close: async () => {},
	}
}
