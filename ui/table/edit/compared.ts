import { isCutCell, isUnreadCell } from '@roundhouse/kit/cell'
import { parseJson, stringifyJson } from '@roundhouse/kit/json'
import type { Cell, Column, Row } from '../../../host/api/api.ts'
import { cellOf, cellText, isSameCell } from '../../cells/cell-text.ts'
import { changeIn, type StagedRow } from './staged.ts'

/** What a user compares after a conflict. Pure. */

/** What names rows: those that are loaded, and their columns. */
export interface NamedRows {
	find(rowId: string): Row | undefined
	columns(): readonly Column[]
}

/** Returns the keys of a row as the grid shows them, or as its id has them if it is not loaded; empty if it has none. */
export function nameOfRow(rows: NamedRows, rowId: string): string {
	const row = rows.find(rowId)
	if (!row) return keysIn(rowId)
	const keys = rows.columns().flatMap(({ isKey }, index) => (isKey ? cellText(cellOf(row, index)).text : []))
	return keys.join(', ')
}

/**
 * Returns the first short text of a loaded row that is no key and not changed, by which a person knows it; empty if there
 * is none.
 */
export function titleOfRow(rows: NamedRows, { rowId, cells }: Pick<StagedRow, 'rowId' | 'cells'>): string {
	const row = rows.find(rowId)
	const texts = rows.columns().map(({ name, kind, isKey }, index) => {
		const cell = row && !isKey && kind === 'text' && !cells.has(name) ? cellOf(row, index) : null
		return typeof cell === 'string' && cell.length <= 60 ? cell.trim() : ''
	})
	return texts.find(text => text !== '') ?? ''
}

/** Drivers write an id as they like, most of them as a list of its keys in JSON. */
function keysIn(rowId: string): string {
	if (!/^\[.*\]$/s.test(rowId)) return rowId
	try {
		const keys = parseJson(rowId)
		return Array.isArray(keys)
			? keys.map(key => (typeof key === 'string' ? key : stringifyJson(key))).join(', ')
			: rowId
	} catch {
		return rowId
	}
}

/**
 * Returns the staged cells that a user compares after a conflict. Volatile columns are excluded, because their values
 * change without an edit by another client.
 */
export function comparedCells(mine: StagedRow | undefined, columns: readonly Column[]) {
	const isVolatile = new Map(columns.map(column => [column.name, column.isVolatile]))
	return [...(mine?.cells ?? [])].filter(([name]) => !isVolatile.get(name))
}

/** Returns what another client changed in a shown row, without the compared cells and values that a page leaves out. */
export function otherChanges(
	{ row, columns }: { readonly row: Row; readonly columns: readonly Column[] },
	mine: StagedRow | undefined,
	theirs: (column: string) => Cell,
): readonly { readonly name: string; readonly before: Cell; readonly after: Cell }[] {
	return columns.flatMap(({ name, isVolatile }, index) => {
		const before = cellOf(row, index)
		if (isVolatile || isUnreadCell(before) || changeIn(mine, name)) return []
		const after = theirs(name)
		return isSameCell(before, after) || isSameJson(before, after) || isBeginning(before, after)
			? []
			: [{ name, before, after }]
	})
}

/** Whether two values of JSON differ in nothing but blanks. */
function isSameJson(one: Cell, other: Cell): boolean {
	const [a, b] = [one, other].map(cell =>
		typeof cell === 'object' && cell !== null && 'json' in cell && !isCutCell(cell) ? cell.json : undefined,
	)
	return a !== undefined && b !== undefined && stringifyJson(parseJson(a)) === stringifyJson(parseJson(b))
}

/** Whether a cut cell shows the beginning of a value of the same length. */
function isBeginning(cut: Cell, whole: Cell): boolean {
	if (typeof cut !== 'object' || cut === null || !('cutFrom' in cut) || cut.cutFrom === undefined) return false
	if ('bytes' in cut) {
		return (
			typeof whole === 'object' && whole !== null && 'bytes' in whole && whole.bytes.startsWith(cut.bytes.slice(0, -4))
		)
	}
	const text = typeof whole === 'object' && whole !== null && 'json' in whole ? whole.json : whole
	const start = 'text' in cut ? cut.text : cut.json.slice(0, -'...'.length)
	return typeof text === 'string' && text.length === cut.cutFrom && text.startsWith(start)
}
