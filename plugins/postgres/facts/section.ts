import { type FactRow, type FactSection, isDriverError } from '@roundhouse/kit'
import { lockNotAvailable } from '../wire/errors.ts'
import type { Session, TextRow } from '../wire/session.ts'

/** Sections of facts from queries. A query that fails has a section that says why. */

export interface ListQuery {
	readonly title: string
	readonly sql: string
	readonly values?: readonly string[]
	/** Where a row has the PID of a session, and where its statement. */
	readonly sessions?: readonly { readonly pid: number; readonly statement: number }[]
	/** Titles of the columns. Further values of a row are for {@link row}. */
	readonly columns: readonly string[]
	/** Shown in place of an empty list. */
	readonly empty?: string
	readonly row?: (values: TextRow) => Omit<FactRow, 'cells'>
	/** The SQL that the console opens, with its values in the text. Default: `sql` if it has no values. */
	readonly statement?: string
	/** Default: {@link mostRows}. */
	readonly most?: number
}

const mostRows = 500

/** Facts do not wait until another session unlocks a table: what needs its lock is left out, with the reason. */
const limits = { lockWaitMs: 200 }

/** @param statements what sessions ran last, by PID, in place of what the server says */
export async function listSection(
	session: Session,
	query: ListQuery,
	signal: AbortSignal,
	statements: ReadonlyMap<string, string> = new Map(),
): Promise<FactSection> {
	const { title, sql, values = [], columns, empty, row = () => ({}), statement, sessions = [], most = mostRows } = query
	const shown = statement ?? (values.length === 0 ? sql.trim() : undefined)
	try {
		const { rows: read, isCut } = await session.read({ sql, values, most }, signal, limits)
		const rows = read.map(values => {
			if (sessions.length === 0) return values
			const said = [...values]
			for (const { pid, statement } of sessions)
				said[statement] = statements.get(values[pid] ?? '') ?? values[statement] ?? null
			return said
		})
		if (rows.length === 0) return { title, ...(empty && { notice: empty }), ...(shown && { statement: shown }) }
		const list = rows.map(found => ({ cells: found.slice(0, columns.length).map(value => value ?? ''), ...row(found) }))
		return {
			title,
			list: { columns, rows: list },
			...(isCut && { notice: `Only the first ${most} rows are shown.` }),
			...(shown && { statement: shown }),
		}
	} catch (error) {
		return failedSection(title, error)
	}
}

/**
 * Returns a query of the rows of others, one column each. The server writes every name with its schema in them, because
 * the search path is empty until the end of the transaction, so what they define does not depend on that of a session.
 */
const withFullNames = (queries: readonly string[]): string =>
	`select unnest(${queries.map(query => `array(${query})`).join(' || ')}) from (select set_config('search_path', '', true) offset 0) path`

interface CodeQuery {
	readonly title: string
	/** Their rows are statements, in the order in which they run. They read `self`. */
	readonly queries: readonly string[]
	/** What the statements define. The name is qualified. */
	readonly self: { readonly oid: string; readonly name?: string }
}

/** Returns a section of statements, or none if the queries have no rows. */
export async function codeSection(
	session: Session,
	{ title, queries, self: { oid, name = '' } }: CodeQuery,
	signal: AbortSignal,
): Promise<readonly FactSection[]> {
	try {
		const sql = `with self(oid, name) as (values ($1::oid, $2::text)) ${withFullNames(queries)}`
		const { rows } = await session.read({ sql, values: [oid, name] }, signal, limits)
		const code = rows.map(([statement]) => `${statement};`).join('\n')
		return code === '' ? [] : [{ title, code, statement: code }]
	} catch (error) {
		return [failedSection(title, error)]
	}
}

interface FactsQuery {
	readonly title: string
	/** Titles of the values after the first one of the row, which is a comment. */
	readonly titles: readonly string[]
	/** Has one row. */
	readonly sql: string
	readonly values?: readonly string[]
}

/** Returns a section of names and values, without those that are NULL. */
export async function factsSection(
	session: Session,
	{ title, titles, sql, values = [] }: FactsQuery,
	signal: AbortSignal,
): Promise<FactSection> {
	try {
		const { rows } = await session.read({ sql, values }, signal, limits)
		const [comment, ...found] = rows[0] ?? []
		const facts = titles.flatMap((name, at) => {
			const value = found[at]
			return typeof value === 'string' ? [{ name, value }] : []
		})
		return { title, facts, ...(typeof comment === 'string' && { notice: comment }) }
	} catch (error) {
		return failedSection(title, error)
	}
}

/**
 * Returns a query of roles and their rights on the object `$1`. @param rights of the row `o` of the catalog, an expression
 * of type aclitem[]
 */
export const rightsOf = (catalog: string, rights: string) => `
select case a.grantee when 0 then 'public' else pg_get_userbyid(a.grantee) end,
	string_agg(lower(a.privilege_type) || case when a.is_grantable then ', may grant it' else '' end, '; ' order by a.privilege_type)
from ${catalog} o cross join lateral aclexplode(${rights}) a where o.oid = $1::oid group by 1 order by 1`

/** Returns a section that says why it is empty. @throws the error, if the connection was lost */
function failedSection(title: string, error: unknown): FactSection {
	if (!isDriverError(error) || error.code === 'not_connected') throw error
	if (error.engineCode === lockNotAvailable) return { title, notice: lockedNotice }
	return { title, notice: `${error.message}${error.hint === undefined ? '' : ` ${error.hint}`}` }
}

const lockedNotice =
	'Another session has locked the table or one that it reads, so this cannot be read. Reload when it is unlocked.'
