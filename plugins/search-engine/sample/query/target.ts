import { isJsonObject, type Json } from '@roundhouse/kit'
import { type SampleMapping, valuesAt } from '../store/mapping.ts'
import type { StoredDocument } from '../store/stored-index.ts'
import type { SampleField } from '../values/field.ts'
import { plainText, words } from '../values/field-value.ts'

/** What a query looks at: a document, or one element of a nested object in it. */
export interface Target {
	readonly document: StoredDocument
	readonly element: Json
	/** Path of the nested object; empty for the document itself. */
	readonly scope: string
}

/** The score, or `undefined` for no match. */
export type Matcher = (target: Target) => number | undefined

export interface QueryContext {
	readonly index: string
	readonly mapping: SampleMapping
}

/** The values of a field where the query looks. What lies in a nested object is not seen from outside of it. */
export function valuesIn(target: Target, field: SampleField): Json[] {
	if (field.scope !== target.scope) return []
	const path = field.scope === '' ? field.source : field.source.slice(field.scope.length + 1)
	const values = valuesAt(target.element, path)
	if (field.ignoreAbove === Number.POSITIVE_INFINITY) return values
	return values.filter(value => (plainText(value)?.length ?? 0) <= field.ignoreAbove)
}

/** Analysing is what costs; a document never changes, so its words are kept. */
const wordCache = new WeakMap<object, Map<string, string[]>>()

export function wordsIn(target: Target, field: SampleField): string[] {
	if (!isJsonObject(target.element)) return []
	const cached = wordCache.get(target.element) ?? new Map<string, string[]>()
	wordCache.set(target.element, cached)
	const known = cached.get(field.path)
	if (known !== undefined) return known
	const found = words(valuesIn(target, field))
	cached.set(field.path, found)
	return found
}
