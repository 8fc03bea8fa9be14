import type { Reference } from '@roundhouse/kit'
import { nameOf, type QualifiedName } from '../sql/names.ts'
import type { Query, RawRow } from '../wire/session.ts'

/** What a table refers to, and what refers to it. */
export interface References {
	readonly references: readonly Reference[]
	readonly referrers: readonly Reference[]
	/** Tables whose rows a deletion or a change of a key here also changes, by a foreign key with CASCADE or SET NULL. */
	readonly cascadesTo: readonly string[]
}

/** Foreign keys of the table, and those of other tables that refer to it: one row for each pair of columns. */
export const foreignKeys = ({ database, table }: QualifiedName): Query => ({
	sql: `
select k.constraint_schema, k.constraint_name, k.table_schema, k.table_name, k.column_name,
	k.referenced_table_schema, k.referenced_table_name, k.referenced_column_name, r.update_rule, r.delete_rule
from information_schema.key_column_usage k
join information_schema.referential_constraints r
	on r.constraint_schema = k.constraint_schema and r.constraint_name = k.constraint_name and r.table_name = k.table_name
where k.referenced_table_name is not null
	and ((k.table_schema = ? and k.table_name = ?) or (k.referenced_table_schema = ? and k.referenced_table_name = ?))
order by k.constraint_schema, k.table_name, k.constraint_name, k.ordinal_position`,
	values: [database, table, database, table],
})

/** Returns the foreign keys in the rows of {@link foreignKeys}, both ways. */
export function referencesIn(rows: readonly RawRow[], place: QualifiedName): References {
	const here = nameOf(place)
	const keys = new Map<string, { from: string; to: string; rules: string[]; pairs: (readonly [string, string])[] }>()
	for (const row of rows) {
		const [schema, constraint, fromSchema, fromTable, column, toSchema, toTable, toColumn, ...rules] = row.map(String)
		const name = JSON.stringify([schema, fromTable, constraint])
		const from = nameOf({ database: fromSchema ?? '', table: fromTable ?? '' })
		const to = nameOf({ database: toSchema ?? '', table: toTable ?? '' })
		const key = keys.get(name) ?? { from, to, rules, pairs: [] }
		key.pairs.push([column ?? '', toColumn ?? ''])
		keys.set(name, key)
	}
	const all = [...keys.values()]
	const isActing = (rule: string) => rule === 'CASCADE' || rule === 'SET NULL'
	return {
		references: all
			.filter(({ from }) => from === here)
			.map(({ to, pairs }) => ({ columns: pairs.map(([a]) => a), table: to, to: pairs.map(([, b]) => b) })),
		referrers: all
			.filter(({ to }) => to === here)
			.map(({ from, pairs, rules: [, onDelete = ''] }) => ({
				columns: pairs.map(([, b]) => b),
				table: from,
				to: pairs.map(([a]) => a),
				onDelete: onDelete.toLowerCase(),
			})),
		cascadesTo: [
			...new Set(all.filter(({ to, rules }) => to === here && rules.some(isActing)).map(({ from }) => from)),
		],
	}
}
