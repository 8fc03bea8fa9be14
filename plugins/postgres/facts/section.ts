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
export const withFullNames = (queries: readonly string[]): string =>
	`select unnest(${queries.map(query => `array(${query})`).join(' || ')}) from (select set_config('search_path', '', true) offset 0) path`

export interface CodeQuery {
	readonly title: string
	/** Its rows are statements. It takes a LIMIT at its end. */
	readonly sql: string
	/** What the statements define, for messages: `functions`. */
	readonly what: string
}

/** Definitions that a section shows at most. */
const mostDefinitions = 200

/** Returns a section of statements, or none if the server has no such object. */
export async function codeSection(
	session: Session,
	{ title, sql, what }: CodeQuery,
	signal: AbortSignal,
): Promise<readonly FactSection[]> {
	try {
		const { rows } = await session.read({ sql: withFullNames([`${sql} limit ${mostDefinitions + 1}`]) }, signal)
		if (rows.length === 0) return []
		const isCut = rows.length > mostDefinitions
		const code = rows
			.slice(0, mostDefinitions)
			.map(([definition]) => `${(definition ?? '').trimEnd()};`)
			.join('\n\n')
		const notice = `Only the first ${mostDefinitions} ${what} are shown.`
		return [{ title, code, statement: sql.trim(), ...(isCut && { notice }) }]
	} catch (error) {
		return [failedSection(title, error)]
	}
}

/** Returns a section that says why it is empty. @throws the error, if the connection was lost */
export function failedSection(title: string, error: unknown): FactSection {
	if (!isDriverError(error) || error.code === 'not_connected') throw error
	return { title, notice: `${error.message}${error.hint === undefined ? '' : ` ${error.hint}`}` }
}
