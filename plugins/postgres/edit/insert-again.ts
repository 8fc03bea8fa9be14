import { type Cell, missingCell } from '@roundhouse/kit'
import type { Shape, ShapeColumn } from '../catalog/shape.ts'
import { qualified } from '../sql/names.ts'
import type { Query } from '../wire/session.ts'

/**
 * Whether a deletion or an insertion does more than that: to rows that refer to this one, by a trigger or by a rule, also
 * those of a partition. It looks the table up by its name, because others may have made it again.
 */
export const sideEffects = ({ place }: Shape): Query => ({
	sql: `
with asked as (select to_regclass($1) as oid), own as (
	select oid from asked union select p.relid from asked, pg_partition_tree(asked.oid) p)
select exists (select from pg_constraint where confrelid in (select oid from own) and contype = 'f' and confdeltype in ('c', 'n', 'd'))
	or exists (select from pg_trigger where tgrelid in (select oid from own) and not tgisinternal and tgenabled <> 'D')
	or exists (select from pg_rewrite where ev_class in (select oid from own))`,
	values: [qualified(place)],
})

/**
 * Returns what an insert needs beside the values of a row to make it again after it was deleted. `undefined` if another
 * row would result, or if other rows would be missing: the server sets a value itself, the role does not see or set every
 * column, or there are side effects.
 * @param jsonNulls the columns whose `null` is a null of JSON
 */
export function insertAgain(
	shape: Shape,
	{ hasSideEffects, jsonNulls }: { readonly hasSideEffects: boolean; readonly jsonNulls: readonly string[] },
): Readonly<Record<string, Cell>> | undefined {
	const { kind, hasChildren, key, cannot, columns, isWholeReadable } = shape
	// A row of a child would be made in its parent.
	const isTable = (kind === 'r' || kind === 'p') && !hasChildren && key.length > 0 && isWholeReadable
	if (!isTable || hasSideEffects || cannot?.insert !== undefined || !columns.every(takesItsValue)) return undefined
	const computed = columns.filter(({ isComputed }) => isComputed)
	return Object.fromEntries([
		...computed.map(({ name }) => [name, missingCell] as const),
		...jsonNulls.map(name => [name, { json: 'null' }] as const),
	])
}

const takesItsValue = ({ isComputed, isReadOnly, generated }: ShapeColumn) =>
	isComputed || (generated !== 'always' && isReadOnly !== true)
