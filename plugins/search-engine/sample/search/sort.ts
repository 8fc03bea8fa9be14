import { exactNumber, isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { listOf } from '../query/clause.ts'
import { comparablesIn, type QueryContext } from '../query/target.ts'
import { valuesAt } from '../store/mapping.ts'
import type { StoredDocument } from '../store/stored-index.ts'
import { illegalArgument, shardFailure } from '../values/failure.ts'
import { type Comparable, comparable, compare, plainText, printDouble } from '../values/field-value.ts'

/** A match of a search: the document, its score, and its place before sorting. */
export interface Match {
	readonly document: StoredDocument
	readonly index: string
	readonly score: number
	/** Position in the view over all indices. `_shard_doc` sorts by it. */
	readonly position: number
}

export interface SortOrder {
	readonly isDescending: boolean
	readonly missingFirst: boolean
	/** Whether this index lacks the field. */
	readonly isUnmapped: boolean
	/** Returns `undefined` for a document without a value. */
	valueOf(match: Match): Comparable | undefined
	/** Returns the value as the engine prints it in `sort`. */
	print(value: Comparable | undefined): Json
	/** Parses a printed value, for `search_after`. */
	read(value: Json): Comparable | undefined
}

/** @throws Failure for a field that cannot be sorted by */
export function readSort(sort: Json | undefined, context: QueryContext): SortOrder[] {
	return listOf(sort).map(entry => {
		const [name, options] =
			typeof entry === 'string' ? [entry, {}] : (Object.entries(isJsonObject(entry) ? entry : {})[0] ?? [])
		if (name === undefined) throw illegalArgument('malformed sort format, within the sort array')
		const settings = isJsonObject(options) ? options : { order: options ?? 'asc' }
		const isDescending = String(settings.order ?? (name === '_score' ? 'desc' : 'asc')).toLowerCase() === 'desc'
		return {
			isDescending,
			missingFirst: settings.missing === '_first',
			isUnmapped: isUnmapped(name, settings, context),
			...keyOf(
				{ name, settings, takesLargest: settings.mode === undefined ? isDescending : settings.mode === 'max' },
				context,
			),
		}
	})
}

function isUnmapped(name: string, settings: JsonObject, { mapping }: QueryContext): boolean {
	return settings.unmapped_type !== undefined && mapping.field(name) === undefined
}

type Key = Pick<SortOrder, 'valueOf' | 'print' | 'read'>

const plain = { print: (value: Comparable | undefined) => (value ?? null) as Json, read: readPlain }

/** A field of a sort. `takesLargest` selects from several values. */
interface SortSettings {
	readonly name: string
	readonly settings: JsonObject
	readonly takesLargest: boolean
}

/** A document with several values is placed by its largest or smallest. */
function keyOf({ name, settings, takesLargest }: SortSettings, context: QueryContext): Key {
	if (name === '_score')
		return {
			valueOf: match => match.score,
			print: value => printDouble(Number(value)),
			read: value => Number(plainText(value)),
		}
	if (name === '_shard_doc' || name === '_doc') return { valueOf: match => match.position, ...plain }
	if (name === '_seq_no') return { valueOf: match => match.document.seqNo, ...plain }
	if (name === '_index') return { valueOf: match => match.index, ...plain }
	if (name === '_id') {
		throw shardFailure(400, {
			type: 'illegal_argument_exception',
			reason:
				'Fielddata access on the _id field is disallowed, you can re-enable it by updating the dynamic cluster setting: indices.id_field_data.enabled',
			index: context.index,
		})
	}
	if (isUnmapped(name, settings, context)) return { valueOf: () => undefined, ...plain }
	const key = fieldKey(name, takesLargest, context)
	checkNested(settings.nested, context)
	if (settings.numeric_type !== 'double') return key
	return { ...key, print: value => (value === undefined ? null : printDouble(Number(value))), read: readNumber }
}

function readNumber(value: Json): number | undefined {
	return value === null ? undefined : Number(plainText(value))
}

function checkNested(nested: Json | undefined, { mapping, index, isOld }: QueryContext) {
	if (!isJsonObject(nested) || mapping.nestedPaths.has(String(nested.path))) return
	const path = String(nested.path)
	const reason = isOld
		? `[nested] nested object under path [${path}] is not of nested type`
		: `[nested] failed to find nested object under path [${path}]`
	throw shardFailure(400, { type: 'query_shard_exception', reason, index })
}

function fieldKey(name: string, takesLargest: boolean, context: QueryContext): Key {
	const field = context.mapping.field(name)
	if (field === undefined) {
		throw shardFailure(400, {
			type: 'query_shard_exception',
			reason: `No mapping found for [${name}] in order to sort on`,
			index: context.index,
		})
	}
	if (field.type === 'text')
		throw shardFailure(400, { type: 'illegal_argument_exception', reason: textSortReason(name), index: context.index })
	if (/geo|binary|_range$/.test(field.type)) {
		const reason = `Fielddata is not supported on field [${name}] of type [${field.type}]`
		throw shardFailure(400, { type: 'illegal_argument_exception', reason, index: context.index })
	}
	return {
		valueOf(match) {
			const { document } = match
			const { scope } = field
			const valuesOf = (element: Json) => comparablesIn({ document, element, scope }, field)
			const values = scope === '' ? valuesOf(document.source) : valuesAt(document.source, scope).flatMap(valuesOf)
			return values.reduce<Comparable | undefined>((best, value) => {
				if (best === undefined) return value
				return compare(value, best) < 0 === takesLargest ? best : value
			}, undefined)
		},
		print: value => printValue(value),
		read: value => (value === null ? undefined : field.type === 'date' ? Number(value) : comparable(value, field)),
	}
}

function printValue(value: Comparable | undefined): Json {
	if (typeof value === 'bigint') return exactNumber(String(value))
	return typeof value === 'boolean' ? Number(value) : (value ?? null)
}

function readPlain(value: Json): Comparable | undefined {
	return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

function textSortReason(name: string): string {
	return `Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead. Alternatively, set fielddata=true on [${name}] in order to load field data by uninverting the inverted index. Note that this can use significant memory.`
}

export type SortValues = readonly (Comparable | undefined)[]

export function compareBy(orders: readonly SortOrder[], a: SortValues, b: SortValues): number {
	for (const [index, order] of orders.entries()) {
		const result = compareOne(order, a[index], b[index])
		if (result !== 0) return result
	}
	return 0
}

function compareOne(order: SortOrder, a: Comparable | undefined, b: Comparable | undefined): number {
	if (a === undefined || b === undefined) {
		if (a === b) return 0
		return (a === undefined) === order.missingFirst ? -1 : 1
	}
	return order.isDescending ? compare(b, a) : compare(a, b)
}
