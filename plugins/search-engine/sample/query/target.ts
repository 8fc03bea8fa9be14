import { isJsonObject, type Json } from '@roundhouse/kit'
import { type SampleMapping, valuesAt } from '../store/mapping.ts'
import type { StoredDocument } from '../store/stored-index.ts'
import type { SampleField } from '../values/field.ts'
import { type Comparable, comparable, plainText, words } from '../values/field-value.ts'

/** The subject of a query: a document, or one element of a nested object in it. */
export interface Target {
	readonly document: StoredDocument
	readonly element: Json
	/** Path of the nested object, or empty for the document. */
	readonly scope: string
}

/** Returns the score, or `undefined` for no match. */
export type Matcher = (target: Target) => number | undefined

export interface QueryContext {
	readonly index: string
	readonly mapping: SampleMapping
	/** Whether to behave like 7.x. */
	readonly isOld: boolean
}

/** Returns the values of a field within the target. Values in a nested object are invisible from outside. */
export function valuesIn(target: Target, field: SampleField): Json[] {
	if (field.scope !== target.scope) return []
	const path = field.scope === '' ? field.source : field.source.slice(field.scope.length + 1)
	if (!field.isFindable) return []
	const values = leaves(valuesAt(target.element, path), field)
	if (field.ignoreAbove === Number.POSITIVE_INFINITY) return values
	return values.filter(value => (plainText(value)?.length ?? 0) <= field.ignoreAbove)
}

/** A `flattened` field indexes the leaves of its objects as texts, a `join` field the name of the relation. */
function leaves(values: Json[], { type, key }: SampleField): Json[] {
	if (type === 'join') return values.map(value => (isJsonObject(value) ? (value.name ?? null) : value))
	if (type !== 'flattened') return values
	return values
		.flatMap(value => (key === undefined ? leavesOf(value) : valuesAt(value, key).filter(isLeaf)))
		.map(String)
}

function leavesOf(value: Json): Json[] {
	if (Array.isArray(value)) return value.flatMap(leavesOf)
	if (isJsonObject(value)) return Object.values(value).flatMap(leavesOf)
	return value === null ? [] : [value]
}

function isLeaf(value: Json): boolean {
	return !isJsonObject(value) && !Array.isArray(value)
}

/** Returns the values of a field within the target in comparable form. Values that do not match its type are left out. */
export function comparablesIn(target: Target, field: SampleField): readonly Comparable[] {
	return valuesIn(target, field).flatMap(value => comparable(value, field) ?? [])
}

/** Cache of words, because analysis is expensive and a document never changes. */
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
