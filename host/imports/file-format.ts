import { z } from 'zod'
import { CsvRows } from './csv-rows.ts'
import type { FileRows } from './file-row.ts'
import { JsonArrayRows, JsonLineRows } from './json-rows.ts'

/** How the text of a file is read. */
export const fileFormat = z.discriminatedUnion('format', [
	z.object({
		format: z.literal('csv'),
		delimiter: z.enum([',', ';', '\t', '|']),
		hasHeader: z.boolean(),
		/** Whether a `'` is before each text that a spreadsheet would run as a formula, as exports write it. */
		isGuarded: z.boolean().optional(),
	}),
	z.object({ format: z.literal('ndjson') }),
	z.object({ format: z.literal('json') }),
])
export type FileFormat = z.output<typeof fileFormat>

/** Whether guards against formulas are taken off the texts. */
export const isGuarded = (format: FileFormat): boolean => format.format === 'csv' && format.isGuarded === true

export function rowsIn(format: FileFormat): FileRows {
	if (format.format === 'csv') return new CsvRows(format)
	return format.format === 'ndjson' ? new JsonLineRows() : new JsonArrayRows()
}
