import { DriverError, type Explained, type FactSection, type Table, type Verdict } from '@roundhouse/kit'
import { type DialectTable, type KeyPart, type Result, readColumn, referencesIn } from '@roundhouse/sql'
import type { Session } from './database.ts'
import { language, literal } from './language.ts'
import { kindOf, values } from './values.ts'

/** Tables, their columns and keys, facts, and what a statement returns. https://www.sqlite.org/pragma.html */

const listed = `from pragma_table_list where schema = 'main' and type in ('table', 'view', 'virtual')`

export async function listTables(session: Session, signal: AbortSignal): Promise<readonly Table[]> {
	const sql = `select name, type ${listed} and name not like 'sqlite\\_%' escape '\\' order by name`
	const rows = await session.read(sql, signal)
	return rows.map(([name, type]) => ({ name: name ?? '', ...(type !== 'table' && { kind: `${type}` }) }))
}

/** @throws DriverError `not_found` */
export async function describe(session: Session, name: string, signal: AbortSignal): Promise<DialectTable> {
	const read = (sql: string) => session.read(sql, signal)
	const [found] = await read(`select type, wr ${listed} and name = ${literal(name)}`)
	if (!found) throw new DriverError('not_found', `There is no table ${name}.`)
	const [type, isWithoutRowid] = found
	const rows = await read(
		`select name, type, "notnull", dflt_value, pk, hidden from pragma_table_xinfo(${literal(name)}) where hidden <> 1`,
	)
	const isNumbered = isWithoutRowid === '0' && rows.filter(([, , , , place]) => place !== '0').length === 1
	const columns = rows.map(([name, type, notNull, fallback, place, hidden]) =>
		readColumn({
			name: name ?? '',
			type: type || 'any',
			kind: kindOf(type ?? ''),
			keyPosition: Number(place),
			// A key of this type is the number of the row.
			isNotNull: notNull === '1' || (isNumbered && place === '1' && /^integer$/i.test(type ?? '')),
			default: fallback ?? null,
			isComputed: hidden !== '0',
		}),
	)
	const keyed = columns.toSorted((a, b) => (a.keyPosition ?? 0) - (b.keyPosition ?? 0)).filter(({ isKey }) => isKey)
	const rowid = ['rowid', '_rowid_', 'oid'].find(word => !columns.some(column => column.name.toLowerCase() === word))
	const numbered: readonly KeyPart[] = rowid === undefined ? [] : [{ name: rowid, kind: 'number', type: 'integer' }]
	const key = type === 'view' ? [] : isWithoutRowid === '1' ? keyed : numbered
	const indexes = await read(
		`select iif("unique", 'unique ', '') || name || ' (' || (select group_concat(ifnull(name, '(expression)'), ', ') from pragma_index_info(l.name)) || ')'
		from pragma_index_list(${literal(name)}) l where origin <> 'pk' order by 1`,
	)
	// A foreign key without names refers to the primary key.
	const pairs = await read(
		`select t.name, f.id, f."table", f."from", ifnull(f."to", (select name from pragma_table_info(f."table") where pk = f.seq + 1))
		from pragma_table_list t, pragma_foreign_key_list(t.name) f where t.schema = 'main' order by t.name, f.id, f.seq`,
	)
	const keys = referencesIn(pairs, table => table.toLowerCase() === name.toLowerCase())
	return { name, from: language.quoted(name), columns, key, indexes: indexes.map(String), ...keys }
}

const properties = ['page_size', 'page_count', 'user_version', 'application_id', 'auto_vacuum']

export async function facts(session: Session, table: string | undefined, signal: AbortSignal): Promise<FactSection[]> {
	if (table === undefined) {
		const [row = []] = await session.read(
			`select * from ${properties.map(name => `pragma_${name}`).join(', ')}`,
			signal,
		)
		return [{ title: 'File', facts: properties.map((name, at) => ({ name, value: row[at] ?? '' })) }]
	}
	const title = `case type when 'index' then 'Indexes' when 'trigger' then 'Triggers' else 'Definition' end`
	const sql = `select ${title}, group_concat(sql || ';', char(10)) from sqlite_schema where tbl_name = ${literal(table)} and sql is not null group by 1`
	return (await session.read(sql, signal)).map(([title, code]) => ({ title: title ?? '', code: code ?? '' }))
}

/** Describes a statement by a view of it, and reads its values as texts. */
export const result = (session: Session, statement: string, signal: AbortSignal): Promise<Result> =>
	session.asView(statement, signal, async view => {
		const rows = await session.read(`select name, type from pragma_table_info(${literal(view)})`, signal)
		const columns = rows.map(([name, type]) =>
			readColumn({ name: name ?? '', type: type || 'any', kind: kindOf(type ?? '') }),
		)
		const names = columns.map((_, at) => `c${at}`)
		const selected = names.map(name => values.whole(name, { kind: 'other', type: '' })).join(', ')
		return { columns, sql: `with "${view}"(${names.join(', ')}) as (${statement}\n) select ${selected} from "${view}"` }
	})

export async function explain(session: Session, sql: string, signal: AbortSignal): Promise<Explained> {
	const depths = new Map<string | null | undefined, number>()
	const rows = await session.read(`explain query plan ${sql}`, signal)
	const steps = rows.map(([id, parent, , text]) => {
		const [, name = '', detail = ''] = /^([A-Z ]*)(?: |$)(.*)$/s.exec(text ?? '') ?? []
		const depth = (depths.get(parent) ?? -1) + 1
		depths.set(id, depth)
		return { name, detail, depth }
	})
	return { wasRun: false, steps, notices: [] }
}

/** What is no query does not become a view. All functions of SQLite only read, and so does the session. */
export async function judge(
	session: Session,
	statement: string,
	signal: AbortSignal,
): Promise<Pick<Verdict, 'access'>> {
	if (!/^(?:select|values|with)\b/i.test(statement)) return { access: 'destructive' }
	return session.asView(statement, signal, async () => ({ access: 'read' }))
}
