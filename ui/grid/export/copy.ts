import { fromCell } from '@roundhouse/kit/cell'
import { csvRecord } from '@roundhouse/kit/csv'
import { parseJson, stringifyJson } from '@roundhouse/kit/json'
import type { Cell } from '../../../host/ui-server/api.ts'
import { copyText } from '../../cells/cell-text.ts'

/** What a selection becomes on the clipboard. Pure; every digit stays. */

export const copyFormats = ['TSV', 'CSV', 'JSON', 'NDJSON', 'Markdown'] as const
export type CopyFormat = (typeof copyFormats)[number]

export interface Copied {
	readonly columns: readonly string[]
	readonly rows: readonly (readonly Cell[])[]
}

export function copyAs(format: CopyFormat, { columns, rows }: Copied): string {
	switch (format) {
		case 'TSV':
			return rows.map(row => row.map(cell => copyText(cell).replace(/[\t\r\n]+/g, ' ')).join('\t')).join('\n')
		case 'CSV':
			return [columns, ...rows.map(row => row.map(fromCell))].map(line => csvRecord(line, csvOptions)).join('\r\n')
		case 'JSON':
			return `[\n${rows.map(row => `  ${jsonObject(columns, row)}`).join(',\n')}\n]`
		case 'NDJSON':
			return rows.map(row => jsonObject(columns, row)).join('\n')
		case 'Markdown':
			return [columns, columns.map(() => '-'), ...rows.map(row => row.map(copyText))].map(markdownLine).join('\n')
	}
}

/** What is copied as CSV goes into a spreadsheet, as the export's default has it too. */
const csvOptions = { guardFormulas: true }

function markdownLine(fields: readonly string[]): string {
	return `| ${fields.map(field => field.replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`
}

/** The cells that are there, under their names; a missing field stays missing. */
function jsonObject(columns: readonly string[], row: readonly Cell[]): string {
	const members = row.flatMap((cell, index) => {
		const value = jsonValue(cell)
		return value === undefined ? [] : [`${JSON.stringify(columns[index])}:${value}`]
	})
	return `{${members.join(',')}}`
}

function jsonValue(cell: Cell): string | undefined {
	if (typeof cell !== 'object' || cell === null) return JSON.stringify(cell)
	if ('missing' in cell) return undefined
	if ('number' in cell) return cell.number
	// What was cut is no JSON any more; it goes as the text that is there.
	return cell.cutFrom === undefined ? stringifyJson(parseJson(cell.json)) : JSON.stringify(cell.json)
}
