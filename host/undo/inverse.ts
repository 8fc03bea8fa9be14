import { createHash } from 'node:crypto'
import { type Cell, type Change, type Column, missingCell, type WholeRow } from '@roundhouse/kit'
import { readJsonValue } from '@roundhouse/kit/cell-input'
import { rawText } from '@roundhouse/kit/encoded'
import { type Difference, differences, hiddenIn, type RowDocument, readDocument } from './document.ts'
import type { KeptRow, RowAfter, RowBefore } from './kept-change.ts'

/** The changes that take a kept change back. The version in each of them keeps what others changed since. */

/** What an undo does with one row. */
export type Inverse =
	| { readonly change: Change }
	/** Nothing is left to do. */
	| { readonly isDone: true }
	/** Others changed the row since. */
	| { readonly conflict: string }
	/** It cannot be taken back, whatever others did. */
	| { readonly cannot: string }

/** Returns why the change of a row cannot be taken back, whatever the row is now. */
export function whyNever({ change, outcome, isBegun }: KeptRow): string | undefined {
	if (isBegun) return 'An undo of it was begun, and its end is not known. It may be undone already.'
	if (outcome === 'unknown') return 'The connection was lost during the change, so its outcome is unknown.'
	if (change.kind === 'delete')
		return change.before.insertAgain ? undefined : 'A deleted row cannot be inserted again as it was.'
	return change.after ? undefined : 'The engine did not say which row it is now.'
}

/** @param now the row as it is, or `undefined` if there is none */
export function inverseOf(kept: KeptRow, now: WholeRow | undefined, columns: readonly Column[]): Inverse {
	const { change } = kept
	if (kept.isUndone) return { isDone: true }
	const cannot = whyNever(kept)
	if (cannot !== undefined) return { cannot }
	if (change.kind === 'delete') {
		if (now) return { conflict: 'A row with this key was inserted since.' }
		const values = valuesAgain(change.before, columns)
		return values
			? { change: { kind: 'insert', values } }
			: { cannot: 'A deleted row cannot be inserted again as it was.' }
	}
	const { after } = change
	if (!now || !after) return { conflict: 'The row was deleted since.' }
	const current = readDocument(rawText(now))
	const wereShown = new Set(after.values?.map(([name]) => name))
	if (hiddenIn(now)?.some(name => wereShown.has(name))) return { cannot: hiddenSince }
	if (now.version !== after.version || !isAsItWas(after, current, columns))
		return { conflict: 'The row was changed since.' }
	const row = { rowId: after.id, version: after.version }
	if (change.kind === 'insert') return { change: { kind: 'delete', ...row } }
	const set = valuesBefore({ before: change.before, after }, now, columns)
	if (set === undefined) return { cannot: 'It has values that cannot be written again.' }
	return Object.keys(set).length === 0 ? { isDone: true } : { change: { kind: 'update', ...row, set } }
}

const hiddenSince = 'Columns of the table were hidden from clients since, so only the user can undo it, in the window.'

/** Returns a digest of each value of a row, by name. */
export const valuesOf = ({ texts }: RowDocument): readonly (readonly [string, string])[] =>
	[...texts].map(([name, text]) => [name, createHash('sha256').update(text).digest('base64url').slice(0, 22)])

/** Whether a row has the values that a change left in it. Columns that were added since are left as they are. */
function isAsItWas({ values }: RowAfter, now: RowDocument | undefined, columns: readonly Column[]): boolean {
	if (values === undefined) return true
	const current = new Map(now && valuesOf(now))
	const known = byName(columns)
	return values.every(([name, digest]) => known.get(name)?.isVolatile === true || current.get(name) === digest)
}

type Values = Readonly<Record<string, Cell>>

/** Returns the values of a row that is inserted again. */
function valuesAgain({ document, insertAgain }: RowBefore, columns: readonly Column[]): Values | undefined {
	const read = readDocument(document)
	if (!insertAgain || !read) return undefined
	const known = byName(columns)
	// In a new row a dot separates the levels of an object, unless a column has this name.
	if ([...read.texts.keys()].some(name => name.includes('.') && !known.has(name))) return undefined
	const cells = Object.entries(read.values).map(
		([name, value]) => [name, cellOf({ path: name, value, text: read.texts.get(name) }, known.get(name))] as const,
	)
	const values: Record<string, Cell | undefined> = Object.fromEntries(cells)
	return isWhole(values) ? { ...values, ...insertAgain } : undefined
}

/** Returns the earlier values of what differs now, by column. */
function valuesBefore(
	{ before, after }: { readonly before: RowBefore; readonly after: RowAfter },
	now: WholeRow,
	columns: readonly Column[],
): Values | undefined {
	const [old, current] = [readDocument(before.document), readDocument(rawText(now))]
	if (!old || !current) return undefined
	const changed = new Set([...old.texts.keys(), ...(after.values ?? valuesOf(current)).map(([name]) => name)])
	const there = { ...current, texts: new Map([...current.texts].filter(([name]) => changed.has(name))) }
	const known = byName(columns)
	const nulls = new Set(before.jsonNulls)
	const cells = [...differences(old, there, name => known.get(name)?.kind)].flatMap(difference => {
		const { path } = difference
		const column = known.get(path)
		if (difference.isEmpty || isComputed(column)) return []
		return [[path, nulls.has(path) ? jsonNull : cellOf(difference, column)] as const]
	})
	// A null of JSON and the engine's null are the same text in a document.
	const others = [...new Set([...nulls, ...(now.jsonNulls ?? [])])]
		.filter(
			name => nulls.has(name) !== now.jsonNulls?.includes(name) && old.texts.get(name) === current.texts.get(name),
		)
		.map(name => [name, nulls.has(name) ? jsonNull : null] as const)
	const set: Record<string, Cell | undefined> = Object.fromEntries([...cells, ...others])
	return isWhole(set) ? set : undefined
}

const jsonNull: Cell = { json: 'null' }

/** Returns a value of a document as a change takes it, or `undefined` if the column takes no such value. */
function cellOf({ value, text }: Difference, column: Column | undefined): Cell | undefined {
	if (value === undefined) return missingCell
	// The text of JSON keeps its blanks and repeated keys.
	if (column?.kind === 'json' && value !== null && text !== undefined) return { json: text }
	const typed = readJsonValue(column?.kind ?? 'other', value)
	return 'fault' in typed ? undefined : typed.cell
}

const isWhole = (values: Readonly<Record<string, Cell | undefined>>): values is Values =>
	Object.values(values).every(cell => cell !== undefined)

/** An update cannot set it. */
const isComputed = (column: Column | undefined) =>
	column !== undefined && (column.isReadOnly !== false || column.generated === 'always' || column.isVolatile === true)

/** Returns the names of the values of a row that are not as they were. What was hidden from its client is not compared. */
export function lostOf(before: RowBefore, now: WholeRow, columns: readonly Column[]): readonly string[] {
	const [old, current] = [readDocument(before.document), readDocument(rawText(now))]
	if (!old || !current) return before.document === rawText(now) ? [] : ['the whole row']
	const known = byName(columns)
	const hidden = new Set(before.hidden)
	const names = [...differences(old, current, name => known.get(name)?.kind)]
		.map(({ path }) => path)
		.filter(path => known.get(path)?.isVolatile !== true && !hidden.has(path))
	const isPart = hidden.size > 0 || columns.some(({ isVolatile }) => isVolatile)
	if (names.length > 0 || isPart) return [...new Set(names)]
	return before.document === rawText(now) ? [] : ['order and blanks of its JSON']
}

const byName = (columns: readonly Column[]) => new Map(columns.map(column => [column.name, column]))
