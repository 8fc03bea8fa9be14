import { DriverError } from '@roundhouse/kit'
import type { Bind, Identity } from '@roundhouse/sql'
import { columnIn, comparison, from, type Shape, textSql } from '../catalog/shape.ts'
import { quoted } from '../sql/names.ts'

/**
 * How rows are identified: by their key if there is one, otherwise by their place in the table, with a digest of their
 * values as the version. Rows of views are identified by that digest. With children, a row also has its table
 * (`isPerTable`), because a key is unique in each table only.
 */
export type RowKey =
	| { readonly by: 'key'; readonly columns: readonly string[]; readonly isPerTable: boolean }
	| { readonly by: 'place' }
	| { readonly by: 'digest' }

/** Alias of the table in queries. No column has this name, so it refers to the whole row. */
export const row = '"roundhouse row"'

export function rowKeyOf({ key, kind, hasChildren, isWholeReadable }: Keyed): RowKey {
	if (key.length > 0) return { by: 'key', columns: key, isPerTable: hasChildren }
	return { by: isWholeReadable && (kind === 'r' || kind === 'p' || kind === 'm') ? 'place' : 'digest' }
}

type Keyed = Pick<Shape, 'key' | 'kind' | 'hasChildren' | 'isWholeReadable'>

/** A role that may read only some columns cannot read the whole row. */
function digestOf({ columns, isWholeReadable }: Shape): string {
	const value = isWholeReadable ? row : `row(${columns.map(({ name }) => quoted(name)).join(', ')})`
	// A cast to text may be a function of the user who owns the table.
	return `pg_catalog.md5(pg_catalog.concat(${value}))`
}

/** Whether the server reports the transaction that wrote a row. */
const hasVersions = ({ kind, isWholeReadable }: Shape) => kind !== 'f' && isWholeReadable

/** The table, with its alias if the query refers to the whole row. */
export const target = (shape: Shape, as = '') =>
	rowKeyOf(shape).by === 'key' && hasVersions(shape) ? from(shape) : `${from(shape)}${as} ${row}`

/** Expressions that make id and version of a row, in the order in which {@link idOf} and {@link versionOf} read them. */
export function identityOf(shape: Shape): readonly string[] {
	const key = rowKeyOf(shape)
	const digest = digestOf(shape)
	if (key.by === 'digest') return [digest]
	const version = 'xmin::text'
	if (key.by === 'place') return ['tableoid::text', 'ctid::text', `${version} || '-' || ${digest}`]
	const values = key.columns.map(name => textSql(columnIn(shape, name)))
	return [...values, ...(key.isPerTable ? ['tableoid::text'] : []), hasVersions(shape) ? version : digest]
}

/**
 * Returns what a change returns of its row. A row that goes into a partition has no `xmin` to return, which is the number
 * of the transaction. Nor has it a digest.
 */
export function returnedOf(shape: Shape): readonly string[] {
	const identity = identityOf(shape)
	if (shape.kind !== 'p') return identity
	const isNumbered = rowKeyOf(shape).by === 'key' && hasVersions(shape)
	return [...identity.slice(0, -1), isNumbered ? 'pg_catalog.pg_current_xact_id()::xid::text' : 'null']
}

/** Returns id and version from the values of {@link identityOf} or {@link returnedOf}. */
export function identityIn(values: readonly (string | null)[]): Identity {
	const version = values.at(-1) ?? undefined
	const id = JSON.stringify(values.length === 1 ? values : values.slice(0, -1))
	return { id, ...(version !== undefined && { version }) }
}

/** Returns the condition of one row. @throws DriverError `not_found` for a text that is no id of this table */
export function isRow(shape: Shape, id: string, bind: Bind): string {
	const values = idValues(shape, id)
	return matchesRow(shape, (at, type) => bind(values[at] ?? '', type))
}

/** Returns the condition that a row is the one with these parts of an id. @param part SQL of a part */
export function matchesRow(shape: Shape, part: (at: number, type: string) => string): string {
	const key = rowKeyOf(shape)
	if (key.by === 'digest') return `${digestOf(shape)} = ${part(0, 'text')}`
	if (key.by === 'place') return `tableoid = ${part(0, 'oid')} and ctid = ${part(1, 'tid')}`
	const equal = key.columns.map((name, at) => {
		const column = columnIn(shape, name)
		return `${quoted(name)} ${comparison(column, '=')} ${part(at, column.sqlType)}`
	})
	return [...equal, ...(key.isPerTable ? [`tableoid = ${part(equal.length, 'oid')}`] : [])].join(' and ')
}

/** Returns the parts of an id. @throws DriverError `not_found` for a text that is no id of this table */
export function idValues(shape: Shape, id: string): readonly string[] {
	const key = rowKeyOf(shape)
	// The grid numbers equal rows of a view.
	const plain = key.by === 'digest' ? id.replace(/#\d+$/, '') : id
	const values = valuesIn(plain, partsOf(key))
	if (values === undefined) throw noId(shape, id)
	const [table = '', place = ''] = values
	if (key.by === 'place' && !(isOid(table) && /^\(\d+,\d+\)$/.test(place))) throw noId(shape, id)
	if (key.by === 'key' && key.isPerTable && !isOid(values.at(-1) ?? '')) throw noId(shape, id)
	return values
}

const isOid = (text: string) => /^\d{1,10}$/.test(text)

function partsOf(key: RowKey): number {
	if (key.by === 'key') return key.columns.length + (key.isPerTable ? 1 : 0)
	return key.by === 'place' ? 2 : 1
}

/** Returns the condition that a row has not changed since its version was read. */
export function hasVersion(shape: Shape, version: string, bind: Bind): string {
	return `${identityOf(shape).at(-1)} = ${bind(version)}`
}

function valuesIn(id: string, count: number): readonly string[] | undefined {
	try {
		const values: unknown = JSON.parse(id)
		if (Array.isArray(values) && values.length === count && values.every(value => typeof value === 'string'))
			return values
	} catch {
		// The caller says more.
	}
	return undefined
}

/** A value alone is no id: the error shows how an id is written. */
function noId(shape: Shape, id: string): DriverError {
	const key = rowKeyOf(shape)
	const isOne = key.by === 'key' && partsOf(key) === 1
	const form = isOne ? `, as ${JSON.stringify([id])}` : ''
	return new DriverError('not_found', `${id} is no row id of ${shape.name}. Row ids come with the rows${form}.`)
}

export const noRow = (id: string) => new DriverError('not_found', `There is no row ${id}.`)
