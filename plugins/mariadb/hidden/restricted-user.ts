import type { HiddenColumns } from '@roundhouse/kit'
import { inQuotes, nameOf, parseName } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'

/** SQL of a user who may read all but hidden columns. The server then keeps them from it, whatever a statement does. */

const inMain = 'table_schema = coalesce(?, table_schema)'
const notSystem = "table_schema not in ('mysql', 'sys', 'information_schema', 'performance_schema')"
const columnsSql = `
select c.table_schema, c.table_name, c.column_name, t.table_type, c.extra from information_schema.columns c
join information_schema.tables t using (table_schema, table_name)
where c.${inMain} and c.${notSystem} order by 1, 2, c.ordinal_position`
const referencesSql = `
select table_schema, table_name, column_name, referenced_table_schema, referenced_table_name, referenced_column_name
from information_schema.key_column_usage where referenced_table_name is not null and ${inMain} and ${notSystem}`

const user = "'roundhouse_ai'@'%'"

interface Asked {
	readonly hidden: readonly HiddenColumns[]
	/** The database of the connection; `undefined` for all. */
	readonly main: string | undefined
}

export async function userSql(session: Session, { hidden, main }: Asked, signal: AbortSignal): Promise<string> {
	const values = [main ?? null]
	const { rows: columns } = await session.read({ sql: columnsSql, values }, signal)
	const { rows: references } = await session.read({ sql: referencesSql, values }, signal)
	const textOf = (value: unknown) => String(value ?? '')
	const keyOf = (...parts: readonly unknown[]) => JSON.stringify(parts.map(textOf))
	const withheld = new Set(
		hidden.flatMap(mark => {
			const { database, table } = parseName(mark.table, main)
			return mark.columns.map(column => keyOf(database, table, column))
		}),
	)
	// A reference has the values of what it refers to. A set grows until each is known.
	for (let before = -1; before !== withheld.size; ) {
		before = withheld.size
		for (const [database, table, column, ...to] of references)
			if (withheld.has(keyOf(...to))) withheld.add(keyOf(database, table, column))
	}
	const tables = Map.groupBy(columns, ([database, table]) => keyOf(database, table))
	const grants = [...tables.values()].map(own => {
		const [database, table, , type] = (own[0] ?? []).map(textOf)
		const name = nameOf({ database: database ?? '', table: table ?? '' })
		if (type === 'VIEW') return comment(`Left out: the view ${name}, which may show hidden columns.`)
		const isMarked = own.some(([, , column]) => withheld.has(keyOf(database, table, column)))
		if (!isMarked) return `grant select on ${name} to ${user};`
		// The server computes these from other columns.
		const isComputed = (extra: unknown) => /\b(?:virtual|stored|persistent)\b/i.test(textOf(extra))
		const free = own.filter(
			([, , column, , extra]) => !withheld.has(keyOf(database, table, column)) && !isComputed(extra),
		)
		if (free.length === 0) return comment(`${name} has hidden and computed columns alone.`)
		return `grant select (${free.map(([, , column]) => inQuotes(textOf(column))).join(', ')}) on ${name} to ${user};`
	})
	return [
		comment('A user that the server itself keeps from hidden columns. Run it as an administrator.'),
		comment('Remove the lines of tables that AI clients need not read. A new table needs a new line.'),
		comment('Grants on a whole database, or to PUBLIC or an anonymous user, would be rights of this user too.'),
		`create user ${user} identified by 'choose a password';`,
		...grants,
	]
		.join('\n')
		.concat('\n')
}

/** A name can have line ends. */
const comment = (text: string) => `-- ${text.replaceAll(/[\r\n]+/g, ' ')}`
