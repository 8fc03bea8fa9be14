import { type FactRow, type FactSection, isDriverError } from '@roundhouse/kit'
import type { Session, TextRow } from '../wire/session.ts'

/** Sections of facts from queries. A query that fails has a section that says why. */

export interface ListQuery {
	readonly title: string
	readonly sql: string
	readonly values?: readonly string[]
	/** Titles of the columns. Further values of a row are for {@link row}. */
	readonly columns: readonly string[]
	readonly empty: string
	readonly row?: (values: TextRow) => Omit<FactRow, 'cells'>
	/** The SQL that the console opens, with its values in the text. Default: `sql` if it has no values. */
	readonly statement?: string
}

const mostRows = 500

export async function listSection(session: Session, query: ListQuery, signal: AbortSignal): Promise<FactSection> {
	const { title, sql, values = [], columns, empty, row = () => ({}), statement } = query
	const shown = statement ?? (values.length === 0 ? sql.trim() : undefined)
	try {
		const { rows, isCut } = await session.read({ sql, values, most: mostRows }, signal)
		if (rows.length === 0) return { title, notice: empty, ...(shown && { statement: shown }) }
		const list = rows.map(found => ({ cells: found.slice(0, columns.length).map(value => value ?? ''), ...row(found) }))
		return {
			title,
			list: { columns, rows: list },
			...(isCut && { notice: `Only the first ${mostRows} rows are shown.` }),
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
		const { rows } = await session.read({ sql, values: [oid, name] }, signal)
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

/** Returns a section of names and values, without those that are NULL. @throws DriverError */
export async function factsSection(
	session: Session,
	{ title, titles, sql, values = [] }: FactsQuery,
	signal: AbortSignal,
): Promise<FactSection> {
	const { rows } = await session.read({ sql, values }, signal)
	const [comment, ...found] = rows[0] ?? []
	const facts = titles.flatMap((name, at) => {
		const value = found[at]
		return typeof value === 'string' ? [{ name, value }] : []
	})
	return { title, facts, ...(typeof comment === 'string' && { notice: comment }) }
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
	return { title, notice: `${error.message}${error.hint === undefined ? '' : ` ${error.hint}`}` }
}
