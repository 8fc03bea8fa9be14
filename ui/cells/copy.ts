import { fromCell } from '@roundhouse/kit/cell'
import { csvHeader, csvRecord } from '@roundhouse/kit/csv'
import { type Json, parseJson, stringifyJson } from '@roundhouse/kit/json'
import type { Cell } from '../../host/api/api.ts'
import { bytesOf, hexOf } from './bytes.ts'
import { copyText } from './cell-text.ts'

/** Converts a selection for the clipboard. Pure; every digit stays. */

export const copyFormats = ['TSV', 'CSV', 'JSON', 'NDJSON', 'Markdown'] as const
export type CopyFormat = (typeof copyFormats)[number]

/** A format of the window, with or without column names, or one of the driver's, by its id. */
export type CopyChoice = { readonly format: CopyFormat; readonly withNames: boolean } | { readonly exported: string }

export interface Copied {
	readonly columns: readonly string[]
	readonly rows: readonly (readonly Cell[])[]
}

/** Whether a format with optional names has them by default. */
export const hasNames = (format: CopyFormat) => format !== 'TSV'

/** For formats with optional names, `withNames` includes them. */
export function copyAs(format: CopyFormat, { columns, rows }: Copied, withNames = hasNames(format)): string {
	const names = withNames ? [columns] : []
	switch (format) {
		case 'TSV':
			return [...names, ...rows.map(row => row.map(copyText))].map(line => line.map(tsvField).join('\t')).join('\n')
		case 'CSV':
			return [
				...names.map(line => csvHeader(line, csvOptions)),
				...rows.map(row => csvRecord(row.map(csvValue), csvOptions)),
			].join('\r\n')
		case 'JSON':
			return `[\n${rows.map(row => `  ${jsonObject(columns, row)}`).join(',\n')}\n]`
		case 'NDJSON':
			return rows.map(row => jsonObject(columns, row)).join('\n')
		case 'Markdown':
			return [columns, columns.map(() => '-'), ...rows.map(row => row.map(copyText))].map(markdownLine).join('\n')
	}
}

/** Bytes are hexadecimal behind `\x`, which imports and PostgreSQL read. Base64 would be read as other bytes. */
function csvValue(cell: Cell): Json | undefined {
	const isBytes = typeof cell === 'object' && cell !== null && 'bytes' in cell
	return isBytes ? `\\x${hexOf(bytesOf(cell.bytes)).replaceAll(' ', '')}` : fromCell(cell)
}

/** CSV is for spreadsheets, so formulas are guarded as in the default export. */
const csvOptions = { guardFormulas: true }

/** Quotes fields that would end early, as spreadsheets do. */
export function tsvField(text: string): string {
	return /[\t\r\n]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The same as an HTML table. */
export function copyAsHtml({ columns, rows }: Copied, withNames: boolean): string {
	const line = (tag: 'td' | 'th', texts: readonly string[]) =>
		`<tr>${texts.map(text => `<${tag}>${htmlText(text)}</${tag}>`).join('')}</tr>`
	const head = withNames ? line('th', columns) : ''
	return `<table>${head}${rows.map(row => line('td', row.map(copyText))).join('')}</table>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '<br>' }
const htmlText = (text: string) => text.replace(/[&<>\n]/g, character => entities[character] ?? '')

function markdownLine(fields: readonly string[]): string {
	return `| ${fields.map(field => field.replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`
}

/** Existing cells under their names; a missing field stays missing. */
function jsonObject(columns: readonly string[], row: readonly Cell[]): string {
	const members = row.flatMap((cell, index) => {
		const value = jsonValue(cell)
		return value === undefined ? [] : [`${JSON.stringify(columns[index])}:${value}`]
	})
	return `{${members.join(',')}}`
}

function jsonValue(cell: Cell): string | undefined {
	if (typeof cell !== 'object' || cell === null) return JSON.stringify(cell)
	if ('missing' in cell || 'unread' in cell) return undefined
	if ('number' in cell) return cell.number
	if ('text' in cell || 'bytes' in cell) return JSON.stringify(fromCell(cell))
	// A cut value is no longer JSON; it is copied as text.
	return cell.cutFrom === undefined ? stringifyJson(parseJson(cell.json)) : JSON.stringify(cell.json)
}
