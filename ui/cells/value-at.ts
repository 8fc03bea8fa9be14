import { isJsonObject, type Json } from '@roundhouse/kit/json'

/**
 * The value of a flattened column in a whole document: a literal dotted key first, then the nested one; `undefined`
 * where the document has neither.
 */
export function valueAt(document: Json | undefined, column: string): Json | undefined {
	if (!isJsonObject(document)) return undefined
	if (Object.hasOwn(document, column)) return document[column]
	for (let dot = column.indexOf('.'); dot > 0; dot = column.indexOf('.', dot + 1)) {
		const parent = column.slice(0, dot)
		if (!Object.hasOwn(document, parent)) continue
		const found = valueAt(document[parent], column.slice(dot + 1))
		if (found !== undefined) return found
	}
	return undefined
}
