import { isBlank } from '@roundhouse/sql'
import { tokensOf, wordOf } from '../sql/lexer.ts'
import { literal } from '../sql/literals.ts'
import { nameOf, namesSql, type QualifiedName } from '../sql/names.ts'
import type { RawRow, Session } from '../wire/session.ts'
import { changeOf, type ReadingOptions } from './reading.ts'

/**
 * Returns why a statement cannot be rehearsed, as a sentence, or `undefined` for a change that a rollback undoes whole: of
 * tables with transactions, without triggers, routines and keys that change other tables. @param database where names without
 * a database are looked up; default: that of the session
 */
export async function unrehearsable(
	session: Session,
	sql: string,
	{
		database,
		signal,
		...options
	}: Omit<ReadingOptions, 'product'> & {
		readonly database?: string
		readonly signal: AbortSignal
	},
): Promise<string | undefined> {
	const { reason, names } = changeOf(sql, { ...options, product: session.server.product })
	if (reason !== undefined) return reason
	if (names.size > mostNames) return 'It has more names than can be looked up.'
	const first = tokensOf(sql, options.modes).find(token => !isBlank(token))
	const kind = first ? wordOf(sql.slice(first.start, first.end)) : ''
	const { rows } = await session.read({ sql: lookUp([...names], database, actingRule(kind)) }, signal)
	if (rows.length === 0) return 'No table of these names is known.'
	for (const row of rows) {
		const place = nameOf({ database: String(row[0]), table: String(row[1]) })
		if (row[2] === 'BASE TABLE' && row[3] !== 'YES')
			return `${place} has no transactions: its engine keeps what was changed.`
		const reason = reasonOf(row)
		if (reason !== undefined) return reason
	}
	return unseen(session, { rows, kind }, signal)
}

/** Returns why changes of rows of one table may change others, as a sentence. @param kinds of the changes */
export async function reachOfChanges(
	session: Session,
	{ place, kinds }: { readonly place: QualifiedName; readonly kinds: readonly ('insert' | 'update' | 'delete')[] },
	signal: AbortSignal,
): Promise<string | undefined> {
	for (const kind of kinds) {
		const sql = lookUp([place.database, place.table], place.database, actingRule(kind))
		const rows = (await session.read({ sql }, signal)).rows.filter(
			([schema, table]) => schema === place.database && table === place.table,
		)
		const [row] = rows
		if (!row) return 'No table of this name is known.'
		const reason = reasonOf(row) ?? (await unseen(session, { rows, kind }, signal))
		if (reason !== undefined) return reason
	}
	return undefined
}

function reasonOf([schema, table, type, , hasTriggers, hasCascades]: RawRow): string | undefined {
	const place = nameOf({ database: String(schema), table: String(table) })
	if (type !== 'BASE TABLE') return `${place} is no plain table.`
	if (hasTriggers !== '0') return `${place} has triggers, which can do anything.`
	return hasCascades !== '0' ? `A key that refers to ${place} changes rows of another table.` : undefined
}

/**
 * Returns why a trigger, or a key of another table, may not be seen. The server lists keys of the tables on which the role has
 * a right: with one on the database, that is all of its tables. MySQL lists triggers for the right TRIGGER alone.
 */
async function unseen(
	session: Session,
	{ rows, kind }: { readonly rows: readonly RawRow[]; readonly kind: string },
	signal: AbortSignal,
): Promise<string | undefined> {
	const isMariadb = session.server.product === 'MariaDB'
	if (kind === 'insert' && isMariadb) return undefined
	const granted = (await session.read({ sql: 'show grants' }, signal)).rows.map(([line]) => String(line))
	const seen = new Set(
		granted.flatMap(line => {
			const [, rights = '', name] = /^GRANT (.*?) ON (\*\.\*|`(?:[^`]|``)*`\.\*) TO /.exec(line) ?? []
			const shows = isMariadb ? rights !== 'USAGE' : /\b(?:ALL PRIVILEGES|TRIGGER)\b/.test(rights)
			if (name === undefined || !shows) return []
			return name === '*.*'
				? ['*']
				: [
						name
							.slice(1, -3)
							.replaceAll('``', '`')
							.replaceAll(/\\([_%])/g, '$1'),
					]
		}),
	)
	const hidden = seen.has('*') ? undefined : rows.find(([schema]) => !seen.has(String(schema)))
	if (!hidden) return undefined
	const place = nameOf({ database: String(hidden[0]), table: String(hidden[1]) })
	return `The role may not see what else a change of ${place} does: its triggers, and keys that refer to it.`
}

const mostNames = 2_000

/** Returns the condition of a key that changes rows of its table, when a change of this kind changes those that it refers to. */
function actingRule(kind: string): string {
	const acts = (rule: string) => `r.${rule} not in ('RESTRICT', 'NO ACTION')`
	if (kind === 'update') return acts('update_rule')
	return kind === 'insert' ? 'false' : acts('delete_rule')
}

/** All tables that may be meant: a name counts as a table in each database that is named. */
function lookUp(names: readonly string[], database: string | undefined, acts: string): string {
	const list = namesSql(names)
	const main = database === undefined ? 'database()' : literal(database)
	return `
select t.table_schema, t.table_name, t.table_type, e.transactions,
	exists (select 1 from information_schema.triggers g
		where g.event_object_schema = t.table_schema and g.event_object_table = t.table_name),
	exists (select 1 from information_schema.key_column_usage k join information_schema.referential_constraints r
			on r.constraint_schema = k.constraint_schema and r.constraint_name = k.constraint_name and r.table_name = k.table_name
		where k.referenced_table_schema = t.table_schema and k.referenced_table_name = t.table_name
			and ${acts})
from information_schema.tables t left join information_schema.engines e on e.engine = t.engine
where t.table_name in (${list}) and (t.table_schema = ${main} or t.table_schema in (${list}))
order by t.table_schema, t.table_name`
}
