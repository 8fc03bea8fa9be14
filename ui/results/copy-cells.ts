import { isCutCell } from '@roundhouse/kit/cell'
import { copyToClipboard } from '../cells/clipboard.ts'
import { type Copied, type CopyFormat, copyAs } from '../cells/copy.ts'
import { saveFile } from '../controls/save-file.ts'
import { showToast } from '../controls/toasts.tsx'
import type { ResultRows } from './chart-columns.ts'

/** Returns all rows of a result, for copying. */
export const rowsOf = ({ columns, rows }: ResultRows): Copied => ({ columns: columns.map(({ name }) => name), rows })

/** Copies cells as the grid does. */
export async function copyCells(format: CopyFormat, copied: Copied, withNames: boolean): Promise<void> {
	try {
		await copyToClipboard(format, copied, withNames)
	} catch {
		showToast('The browser did not allow the copy.')
		return
	}
	tellCut(copied, 'copied')
}

/** Saves cells as a CSV file. */
export function saveCells(name: string, copied: Copied): void {
	saveFile(name, 'text/csv', new TextEncoder().encode(copyAs('CSV', copied, true)))
	tellCut(copied, 'saved')
}

/** A result has no more than the first characters of a long value. */
function tellCut({ rows }: Copied, done: 'copied' | 'saved'): void {
	if (rows.some(row => row.some(isCutCell))) showToast(`Some values are cut. Only their first characters were ${done}.`)
}
