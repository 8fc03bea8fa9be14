import type { Cell } from '../../../host/ui-server/api.ts'
import { type Copied, type CopyFormat, copyAs, copyAsHtml, tsvField } from './copy.ts'

/** What the grid copied last: text alone does not say which of its empty fields are null. */
let last: { readonly text: string; readonly rows: readonly (readonly Cell[])[] } | undefined

/** Puts cells on the clipboard; as TSV also as a table, which programs that know one take rather. */
export async function copyToClipboard(format: CopyFormat, copied: Copied, withNames: boolean): Promise<void> {
	const text = copyAs(format, copied, withNames)
	const parts: Record<string, Blob> = { 'text/plain': new Blob([text], { type: 'text/plain' }) }
	if (format === 'TSV') parts['text/html'] = new Blob([copyAsHtml(copied, withNames)], { type: 'text/html' })
	await navigator.clipboard.write([new ClipboardItem(parts)])
	last = format === 'TSV' && !withNames ? { text, rows: copied.rows } : undefined
}

/** The cells that a text on the clipboard stands for, where the grid itself put it there. */
export function copiedCells(text: string): readonly (readonly Cell[])[] | undefined {
	// Windows gives its own line ends back.
	const plain = (lines: string) => lines.replaceAll('\r\n', '\n')
	return last !== undefined && plain(last.text) === plain(text) ? last.rows : undefined
}

/** A block on the clipboard as text; of a page that gave no text, its first table. */
export function pastedText(data: DataTransfer | null): string | undefined {
	const text = data?.getData('text/plain') ?? ''
	if (text !== '') return text
	const html = data?.getData('text/html') ?? ''
	const table = new DOMParser().parseFromString(html, 'text/html').querySelector('table')
	if (!table) return undefined
	const rows = [...table.rows].map(row => [...row.cells].map(cell => tsvField(cell.textContent.trim())))
	return rows.map(row => row.join('\t')).join('\n')
}
