import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit/json'

/**
 * Returns the value of a flattened column in a whole row: a literal key with dots first, then the nested one;
 * `undefined` if there is none.
 */
export function valueAt(row: Json | undefined, column: string): Json | undefined {
	return findIn(row, column, valueAt)
}

/**
 * Returns the value that a page shows for a column of a whole row: like {@link valueAt}, but for a list on the path one
 * value for each element, and `null` for an element without one.
 */
export function shownValueAt(row: Json | undefined, column: string): Json | undefined {
	if (!Array.isArray(row)) return findIn(row, column, shownValueAt)
	const values = row.map(element => shownValueAt(element, column))
	return values.every(value => value === undefined) ? undefined : values.map(value => value ?? null)
}

/** @param findInside looks for the rest of the path in a member */
function findIn(row: Json | undefined, column: string, findInside: typeof valueAt): Json | undefined {
	if (!isJsonObject(row)) return undefined
	if (Object.hasOwn(row, column)) return row[column]
	for (let dot = column.indexOf('.'); dot > 0; dot = column.indexOf('.', dot + 1)) {
		const parent = column.slice(0, dot)
		if (!Object.hasOwn(row, parent)) continue
		const found = findInside(row[parent], column.slice(dot + 1))
		if (found !== undefined) return found
	}
	return undefined
}

/**
 * Returns the row with another value in a flattened column, at the place where {@link valueAt} finds it. `undefined`
 * removes it.
 */
export function withValueAt(row: JsonObject, column: string, value: Json | undefined): JsonObject {
	if (!Object.hasOwn(row, column)) {
		for (let dot = column.indexOf('.'); dot > 0; dot = column.indexOf('.', dot + 1)) {
			const parent = row[column.slice(0, dot)]
			if (isJsonObject(parent)) {
				return { ...row, [column.slice(0, dot)]: withValueAt(parent, column.slice(dot + 1), value) }
			}
		}
	}
	const { [column]: _, ...others } = row
	return value === undefined ? others : { ...row, [column]: value }
}

/** Like {@link withValueAt}, but adds and removes the objects on the path, for a row that was created here. */
export function withNestedValue(row: JsonObject, column: string, value: Json | undefined): JsonObject {
	const dot = column.indexOf('.')
	const [head, rest] = [column.slice(0, dot), column.slice(dot + 1)]
	const parent = Object.hasOwn(row, head) ? row[head] : undefined
	if (dot < 0 || Object.hasOwn(row, column) || (parent !== undefined && !isJsonObject(parent))) {
		return withValueAt(row, column, value)
	}
	const inner = withNestedValue(parent ?? {}, rest, value)
	return withValueAt(row, head, Object.keys(inner).length === 0 ? undefined : inner)
}
