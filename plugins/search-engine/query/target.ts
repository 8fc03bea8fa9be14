import { DriverError } from '@roundhouse/kit'
import { isMetaColumn } from '../mapping/columns.ts'
import { exactField, resolve } from '../mapping/exact-field.ts'
import type { Field, Variant } from '../mapping/field.ts'
import { isText } from '../mapping/field-type.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { zoneOf } from '../mapping/time-zone.ts'
import { isAtLeast, type Version } from '../transport/product.ts'

/** The properties of a column that filter operators need. */
export interface Target {
	/** Name of the column in the filter. */
	readonly column: string
	/** The field itself, for `exists`. */
	readonly field: Field
	/** The field to compare: `.keyword` of analysed text, if it exists. */
	readonly exact: Field
	/** Whether it is analysed text without `.keyword`: only words can be compared. */
	readonly isWords: boolean
	/** Whether the engine can ignore case (7.10 and later). */
	readonly canIgnoreCase: boolean
	/** Where a date without a time is a day. `UTC` for a field whose dates never have a time. */
	readonly timeZone: string
}

/** What a comparison needs to know beside the mapping. */
export interface Comparing {
	readonly version: Version
	/** The zone of the connection. */
	readonly timeZone: string
}

/** Type of one key of a `flattened` field. Not a type of the engine. */
export const flattenedKey = 'flattened key'

export function targetOf(column: string, field: Field, { version, timeZone }: Comparing): Target {
	const exact = exactField(field)
	return {
		column,
		field,
		exact: exact ?? field,
		isWords: isText(field.type) && exact === undefined,
		canIgnoreCase: isAtLeast(version, 7, 10),
		timeZone: zoneOf(exact ?? field, timeZone),
	}
}

/**
 * Returns the fields behind a column, one for each definition in the indices. The column can be a column of the table,
 * another index form of its values (`title.english`), or a key of a `flattened` field (`labels.team`).
 *
 * @throws DriverError `invalid_argument` if there is none
 */
export function fieldsBehind(column: string, mapping: Mapping): readonly Variant[] {
	for (let end = column.length; end > 0; end = column.lastIndexOf('.', end - 1)) {
		const known = mapping.fields.get(column.slice(0, end))
		if (known === undefined) continue
		const rest = column.slice(end + 1)
		const variants = known.variants ?? [{ indices: [], field: known }]
		const found = variants.flatMap(({ indices, field }) => {
			const own = within(resolve(field, mapping), rest)
			return own === undefined ? [] : [{ indices, field: own }]
		})
		if (found.length > 0) return found
	}
	if (isMetaColumn(column) && column !== '_score') return [{ indices: [], field: metaField(column) }]
	throw new DriverError('invalid_argument', `${column} cannot be filtered: it is not in the mapping.`)
}

function within(field: Field, rest: string): Field | undefined {
	if (rest === '') return field
	const isKey = field.type === 'flattened'
	const key = { ...field, path: `${field.path}.${rest}`, type: flattenedKey, subfields: new Map() }
	return field.subfields.get(rest) ?? (isKey ? key : undefined)
}

function metaField(path: string): Field {
	return {
		path,
		type: path,
		nestedIn: [],
		subfields: new Map(),
		isRuntime: false,
		hasDocValues: true,
		isIndexed: true,
		isFindable: true,
	}
}
