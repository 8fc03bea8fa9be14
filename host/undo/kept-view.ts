import { type Cell, cutText, fromCell, isJsonObject, type Json, stringifyJson } from '@roundhouse/kit'
import { readDocument } from './document.ts'
import { whyNever } from './inverse.ts'
import type { KeptChange, KeptRow } from './kept-change.ts'

/** A kept change for the person who looks at it: the beginnings of values, of the first rows. */

const most = { rows: 50, values: 50, characters: 300 }

/** A value before and after, as the beginning of its JSON; absent if the row has none. */
interface KeptValueView {
	readonly name: string
	readonly before?: string
	readonly after?: string
}

export interface KeptRowView {
	readonly kind: 'insert' | 'update' | 'delete'
	/** As the driver names it; absent for a new row that was not found again. */
	readonly id?: string
	readonly values: readonly KeptValueView[]
	/** More values are left out. */
	readonly isCut: boolean
	readonly isUndone: boolean
	/** Why it cannot be undone, whatever others did since. */
	readonly cannot?: string
}

export interface KeptChangeView {
	readonly table: string
	readonly rows: readonly KeptRowView[]
	/** Of all rows, also those that are left out. */
	readonly count: number
	readonly undone: number
	/** Whether a row is left that may be undone. */
	readonly canUndo: boolean
}

export function viewOf({ table, rows }: KeptChange): KeptChangeView {
	return {
		table,
		rows: rows.slice(0, most.rows).map(rowOf),
		count: rows.length,
		undone: rows.filter(({ isUndone }) => isUndone).length,
		canUndo: rows.some(row => !row.isUndone && whyNever(row) === undefined),
	}
}

function rowOf(row: KeptRow): KeptRowView {
	const { change, isUndone = false } = row
	const cannot = whyNever(row)
	const id = change.kind === 'insert' ? change.after?.id : change.before.id
	const values = valuesOf(row)
	return {
		kind: change.kind,
		...(id !== undefined && { id }),
		values: values.slice(0, most.values),
		isCut: values.length > most.values,
		isUndone,
		...(cannot !== undefined && { cannot }),
	}
}

function valuesOf({ change }: KeptRow): readonly KeptValueView[] {
	if (change.kind === 'insert')
		return Object.entries(change.sent).flatMap(([name, cell]) => ({ name, ...shown('after', textOf(cell)) }))
	const before = readDocument(change.before.document)
	if (change.kind === 'delete')
		return [...(before?.texts ?? [])].map(([name, text]) => ({ name, ...shown('before', text) }))
	return Object.entries(change.sent).map(([name, cell]) => {
		const old = before?.texts.get(name) ?? textAt(before?.values, name.split('.'))
		return { name, ...shown('before', old), ...shown('after', textOf(cell)) }
	})
}

const shown = (side: 'before' | 'after', text: string | undefined) =>
	text === undefined ? {} : { [side]: cutText(text.trim(), most.characters) }

function textOf(cell: Cell): string | undefined {
	const value = fromCell(cell)
	return value === undefined ? undefined : stringifyJson(value)
}

/** Returns the text of a value in nested objects. */
function textAt(value: Json | undefined, [key, ...rest]: readonly string[]): string | undefined {
	if (value === undefined) return undefined
	if (key === undefined) return stringifyJson(value)
	return isJsonObject(value) && Object.hasOwn(value, key) ? textAt(value[key], rest) : undefined
}
