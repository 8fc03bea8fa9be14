import { type Column, type ColumnKind, cellLimit, type FilterOperator } from '@roundhouse/kit'
import { type Field, fieldFlags, types } from '../wire/protocol.ts'
import { isBinary } from '../wire/values.ts'

/** Maps types of MariaDB and MySQL to the column kinds and filter operators of the grid. */

const kinds: Readonly<Record<string, ColumnKind>> = Object.fromEntries(
	(
		[
			['number', 'tinyint smallint mediumint int bigint decimal float double year'],
			['date', 'date datetime timestamp'],
			['text', 'char varchar tinytext text mediumtext longtext enum set time uuid inet4 inet6'],
			['binary', 'binary varbinary tinyblob blob mediumblob longblob vector'],
			['json', 'json'],
		] as const
	).flatMap(([kind, names]) => names.split(' ').map(name => [name, kind])),
)

/** @param base `data_type` of information_schema. A BOOLEAN is a TINYINT, which takes other numbers too. */
export const kindOf = (base: string): ColumnKind => kinds[base] ?? 'other'

/** Types whose values may be longer than a cell shows. */
const unbounded = new Set('char varchar text mediumtext longtext json varbinary blob mediumblob longblob'.split(' '))
/** @param sqlType as the server writes it: values of `varchar(40)` are never longer */
export function isUnbounded(base: string, sqlType: string): boolean {
	const most = /^\w+\((\d+)\)/.exec(sqlType)?.[1]
	return (unbounded.has(base) && !(Number(most) <= cellLimit)) || spatial.has(base)
}

const spatial = new Set(
	'geometry point linestring polygon multipoint multilinestring multipolygon geometrycollection geomcollection'.split(
		' ',
	),
)
export const isSpatial = (base: string): boolean => spatial.has(base)

const comparisonOperators: readonly FilterOperator[] = [
	...(['equals', 'not_equals', 'less', 'less_or_equal', 'greater', 'greater_or_equal'] as const),
	...(['between', 'in', 'not_in', 'exists', 'missing'] as const),
]
const patternOperators: readonly FilterOperator[] = ['contains', 'starts_with', 'ends_with', 'wildcard']

export function operatorsOf(base: string): readonly FilterOperator[] {
	const kind = kindOf(base)
	if (kind === 'binary') return ['equals', 'not_equals', 'exists', 'missing']
	if (isSpatial(base)) return ['exists', 'missing']
	if (kind === 'json') return [...patternOperators, 'exists', 'missing']
	if (kind === 'number' || kind === 'date' || base === 'bit' || base === 'time') return comparisonOperators
	return [...comparisonOperators, ...patternOperators]
}

/** Returns the values of an ENUM or SET as the server writes its type: `enum('a','b''c')`. */
export function choicesIn(columnType: string): readonly string[] {
	const list = /^(?:enum|set)\((.*)\)/is.exec(columnType)?.[1] ?? ''
	return [...list.matchAll(/'((?:[^']|'')*)'/g)].map(([, text = '']) => text.replaceAll("''", "'"))
}

const typeNames: Readonly<Record<number, string>> = {
	[types.decimal]: 'decimal',
	[types.tiny]: 'tinyint',
	[types.short]: 'smallint',
	[types.long]: 'int',
	[types.float]: 'float',
	[types.double]: 'double',
	[types.null]: 'null',
	[types.timestamp]: 'timestamp',
	[types.longlong]: 'bigint',
	[types.int24]: 'mediumint',
	[types.date]: 'date',
	[types.time]: 'time',
	[types.datetime]: 'datetime',
	[types.year]: 'year',
	[types.newdate]: 'date',
	[types.bit]: 'bit',
	[types.vector]: 'vector',
	[types.json]: 'json',
	[types.newdecimal]: 'decimal',
	[types.geometry]: 'geometry',
}

/** Names of texts and bytes by their number of the type. */
const textNames: Readonly<Record<number, readonly [text: string, bytes: string]>> = {
	[types.varchar]: ['varchar', 'varbinary'],
	[types.varString]: ['varchar', 'varbinary'],
	[types.string]: ['char', 'binary'],
	[types.tinyBlob]: ['tinytext', 'tinyblob'],
	[types.mediumBlob]: ['mediumtext', 'mediumblob'],
	[types.longBlob]: ['longtext', 'longblob'],
	[types.blob]: ['text', 'blob'],
}

/** Returns the type of a column of a result, as information_schema names it. */
function baseOf(field: Field): string {
	if (field.extendedTypeName !== undefined) return field.extendedTypeName
	if (field.extendedFormat === 'json') return 'json'
	if ((field.flags & fieldFlags.enum) !== 0 || field.columnType === types.enum) return 'enum'
	if ((field.flags & fieldFlags.set) !== 0 || field.columnType === types.set) return 'set'
	const names = textNames[field.columnType]
	return names?.[isBinary(field) ? 1 : 0] ?? typeNames[field.columnType] ?? 'unknown'
}

/** Returns the columns of a result, with names that are unique. */
export function resultColumns(fields: readonly Field[]): readonly (Column & { readonly base: string })[] {
	const seen = new Map<string, number>()
	return fields.map(field => {
		const base = baseOf(field)
		const count = (seen.get(field.name) ?? 0) + 1
		seen.set(field.name, count)
		const kind = kindOf(base)
		const isUnsigned = kind === 'number' && base !== 'year' && (field.flags & fieldFlags.unsigned) !== 0
		return {
			name: count === 1 ? field.name : `${field.name} (${count})`,
			type: isUnsigned ? `${base} unsigned` : base,
			kind,
			base,
			isKey: false,
			isReadOnly: true,
			isSortable: false,
		}
	})
}
