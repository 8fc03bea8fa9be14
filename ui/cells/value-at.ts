import { isJsonObject, type Json } from '@roundhouse/kit/json'

/**
 * The value of a flattened column in a whole row: a literal dotted key first, then the nested one; `undefined`
 * where the row has neither.
 */
export function valueAt(row: Json | undefined, column: string): Json | undefined {
	if (!isJsonObject(row)) return undefined
	if (Object.hasOwn(row, column)) return row[column]
	for (let dot = column.indexOf('.'); dot > 0; dot = column.indexOf('.', dot + 1)) {
		const parent = column.slice(0, dot)
		if (!Object.hasOwn(row, parent)) continue
		const found = valueAt(row[parent], column.slice(dot + 1))
		if (found !== undefined) return found
	}
	return undefined
}
