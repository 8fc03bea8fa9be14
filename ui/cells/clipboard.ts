import type { Cell } from '../../host/api/api.ts'
import { type Copied, type CopyFormat, copyAs, copyAsHtml, tsvField } from './copy.ts'

/** The last copy of the window: text alone does not say which empty fields are null. */
let last: { readonly text: string; readonly rows: readonly (readonly Cell[])[] } | undefined

/** Copies cells; TSV also as an HTML table, which some programs prefer. */
export async function copyToClipboard(format: CopyFormat, copied: Copied, withNames: boolean): Promise<void> {
	const text = copyAs(format, copied, withNames)
	const parts: Record<string, Blob> = { 'text/plain': new Blob([text], { type: 'text/plain' }) }
	if (format === 'TSV') parts['text/html'] = new Blob([copyAsHtml(copied, withNames)], { type: 'text/html' })
	await navigator.clipboard.write([new ClipboardItem(parts)])
	last = format === 'TSV' ? { text, rows: [...(withNames ? [copied.columns] : []), ...copied.rows] } : undefined
}

/** Returns the cells of a clipboard text that the window itself copied. */
export function copiedCells(text: string): readonly (readonly Cell[])[] | undefined {
	// Windows changes line ends.
	const plain = (lines: string) => lines.replaceAll('\r\n', '\n')
	return last !== undefined && plain(last.text) === plain(text) ? last.rows : undefined
}

/** Returns the plain text of the clipboard. If there is no plain text, returns the first HTML table as TSV. */
export function pastedText(data: DataTransfer | null): string | undefined {
	const text = data?.getData('text/plain') ?? ''
	if (text !== '') return text
	const html = data?.getData('text/html') ?? ''
	const table = new DOMParser().parseFromString(html, 'text/html').querySelector('table')
	if (!table) return undefined
	const rows = [...table.rows].map(row => [...row.cells].map(cell => tsvField(cell.textContent.trim())))
	return rows.map(row => row.join('\t')).join('\n')
}
