import { type Cell, missingCell } from '@roundhouse/kit'
import type { Shape, ShapeColumn } from '../catalog/shape.ts'
import { hasKey } from '../grid/row-key.ts'
import type { Query } from '../wire/session.ts'

/** Whether a deletion or an insertion does more than that: to rows that refer to this one, or by a trigger. */
export const sideEffects = ({ place: { database, table } }: Shape): Query => ({
	sql: `
select exists (select 1 from information_schema.triggers where event_object_schema = ? and event_object_table = ?)
	or exists (select 1 from information_schema.key_column_usage k join information_schema.referential_constraints r
		on r.constraint_schema = k.constraint_schema and r.constraint_name = k.constraint_name and r.table_name = k.table_name
		where k.referenced_table_schema = ? and k.referenced_table_name = ? and r.delete_rule in ('CASCADE', 'SET NULL'))`,
	values: [database, table, database, table],
})

/**
 * Returns what an insert needs beside the values of a row to make it again after it was deleted. `undefined` if another
 * row would result, or if other rows would be missing: the server gives a number in place of 0, the role does not set
 * every column, or there are side effects.
 * @param cells the row
 */
export function insertAgain(
	shape: Shape,
	{ hasSideEffects, cells }: { readonly hasSideEffects: boolean; readonly cells: readonly Cell[] },
): Readonly<Record<string, Cell>> | undefined {
	const { kind, columns, cannot } = shape
	const isPlain = kind === undefined && hasKey(shape) && cannot?.insert === undefined && !hasSideEffects
	if (!isPlain || !columns.every((column, at) => takesItsValue(column, cells[at] ?? null))) return undefined
	const computed = columns.filter(({ isComputed }) => isComputed)
	return Object.fromEntries([
		...computed.map(({ name }) => [name, missingCell] as const),
		...jsonNullsIn(shape, cells).map(name => [name, { json: 'null' }] as const),
	])
}

const takesItsValue = ({ isComputed, generated, isReadOnly }: ShapeColumn, cell: Cell) =>
	isComputed || (isReadOnly !== true && !(generated === 'default' && (cell === 0 || cell === null)))

/** Returns the columns whose value is a null of JSON. */
export const jsonNullsIn = ({ columns }: Shape, cells: readonly Cell[]): readonly string[] =>
	columns.flatMap(({ name }, at) => (isJsonNull(cells[at] ?? null) ? [name] : []))

const isJsonNull = (cell: Cell) =>
	typeof cell === 'object' && cell !== null && 'json' in cell && cell.json.trim() === 'null'
