import { fromCell, missingCell } from '@roundhouse/kit/cell'
import { newValue, readJsonValue, type Typed } from '@roundhouse/kit/cell-input'
import { isExactNumber, isJsonObject, type Json, type JsonObject, stringifyJson } from '@roundhouse/kit/json'
import type { Cell, Column } from '../../../host/api/api.ts'
import { withNestedValue } from '../../cells/value-at.ts'

/**
 * Finds what changed in a document that was edited as a whole, field by field, so that it is staged like other changes.
 * Pure.
 */

export interface FieldChange {
	readonly name: string
	readonly before: Cell
	readonly after: Cell
}

interface MemberChange {
	readonly name: string
	readonly was: Json | undefined
	readonly is: Json | undefined
}

export type DocumentChanges = { readonly changes: readonly FieldChange[] } | { readonly fault: string }

/** @param columns of the table: an object column is changed as a whole, a read-only one not at all */
export function documentChanges(before: JsonObject, after: Json, columns: readonly Column[]): DocumentChanges {
	if (!isJsonObject(after)) return { fault: 'This is not an object: { … }.' }
	const byName = new Map(columns.map(column => [column.name, column]))
	const changes: FieldChange[] = []
	for (const { name, was, is } of changesIn(before, after, { prefix: '', columns: byName })) {
		const [old, read] = [cellOf(was, byName.get(name)), cellOf(is, byName.get(name))]
		if ('fault' in read) return { fault: `${name} is ${read.fault}.` }
		changes.push({ name, before: 'fault' in old ? newValue(was ?? null) : old.cell, after: read.cell })
	}
	const readOnly = changes.find(({ name }) => byName.get(name)?.isReadOnly)
	if (readOnly) return { fault: `${readOnly.name} cannot be changed.` }
	const outcome = withCells(before, changes)
	// A name with a dot may be read as a path.
	const astray = changes.find(({ name }) => name.includes('.')) ?? changes[0]
	if (!isSameJson(outcome, after)) {
		return { fault: `The name ${astray?.name} matches two values. Change it in the console.` }
	}
	return { changes }
}

/** Returns a document with new values of some fields. */
export function withCells(
	document: JsonObject,
	cells: Iterable<{ readonly name: string; readonly after: Cell }>,
): JsonObject {
	let changed = document
	for (const { name, after } of cells) changed = withNestedValue(changed, name, fromCell(after))
	return changed
}

function changesIn(
	before: JsonObject,
	after: JsonObject,
	{ prefix, columns }: { readonly prefix: string; readonly columns: ReadonlyMap<string, Column> },
): readonly MemberChange[] {
	const keys = new Set([...Object.keys(before), ...Object.keys(after)])
	return [...keys].flatMap((key): readonly MemberChange[] => {
		const name = `${prefix}${key}`
		const [was, is] = [before, after].map(object => (Object.hasOwn(object, key) ? object[key] : undefined))
		if (isSameJson(was, is)) return []
		const isInside = isJsonObject(was) && isJsonObject(is) && !columns.has(name)
		if (isInside && Object.keys(was).length > 0 && Object.keys(is).length > 0) {
			return changesIn(was, is, { prefix: `${name}.`, columns })
		}
		return [{ name, was, is }]
	})
}

/** A name that is no column's has a value of any kind. */
const cellOf = (value: Json | undefined, column: Column | undefined): Typed =>
	value === undefined ? { cell: missingCell } : readJsonValue(column?.kind ?? 'other', value)

/** Returns whether two values are equal digit by digit; the order of fields in an object does not count. */
function isSameJson(a: Json | undefined, b: Json | undefined): boolean {
	if (a === b) return true
	if (a === undefined || b === undefined) return false
	if (isExactNumber(a) || isExactNumber(b)) return stringifyJson(a) === stringifyJson(b)
	if (Array.isArray(a) && Array.isArray(b)) {
		return a.length === b.length && a.every((value, index) => isSameJson(value, b[index]))
	}
	if (!isJsonObject(a) || !isJsonObject(b)) return false
	const keys = Object.keys(a)
	return keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && isSameJson(a[key], b[key]))
}
