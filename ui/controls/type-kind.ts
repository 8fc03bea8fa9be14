import type { Column } from '../../host/api/api.ts'

/** Words in the names of types, and the kind of values that they have. The first that is found counts. */
const words: readonly (readonly [RegExp, Column['kind']])[] = [
	[/point|polygon|shape|^ip\b/, 'other'],
	[/json|\[\]$|^(array|map|hstore|xml|object|nested|flattened)\b/, 'json'],
	[/bool/, 'boolean'],
	[/date|time|interval|year/, 'date'],
	[/char|text|clob|string|keyword|enum|^set\b|citext|^name$/, 'text'],
	[/blob|binary|bytea/, 'binary'],
	[/int|serial|num|dec|real|double|float|money|^(bit|long|short|byte)\b/, 'number'],
]

/** Returns the kind of values of a type by its name, as the user or the driver writes it. For an icon only. */
export function kindOfType(type: string): Column['kind'] {
	const name = type.trim().toLowerCase()
	return words.find(([word]) => word.test(name))?.[1] ?? 'other'
}
