import { type FactRow, type FactSection, isDriverError } from '@roundhouse/kit'
import type { Value } from '../sql/literals.ts'
import type { RawRow, Session } from '../wire/session.ts'

/** Sections of facts from queries. A query that fails has a section that says why. */

type Text = string | undefined

export interface ListQuery {
	readonly title: string
	readonly sql: string
	readonly values?: readonly Value[]
	/** Titles of the columns. Further values of a row are for {@link row}. */
	readonly columns: readonly string[]
	/** Shown in place of an empty list. */
	readonly empty?: string
	readonly row?: (values: readonly Text[]) => Omit<FactRow, 'cells'>
	/** The SQL that the console opens, with its values in the text. Default: `sql` if it has no values. */
	readonly statement?: string
}

const mostRows = 500

const textOf = (value: RawRow[number]): Text =>
	value === null ? undefined : typeof value === 'string' ? value : Buffer.from(value).toString('utf8')

export async function listSection(session: Session, query: ListQuery, signal: AbortSignal): Promise<FactSection> {
	const { title, sql, values = [], columns, empty, row = () => ({}), statement } = query
	const shown = statement ?? (values.length === 0 ? sql.trim() : undefined)
	try {
		const { rows, isCut } = await session.read({ sql, values, most: mostRows }, signal)
		if (rows.length === 0) return { title, ...(empty && { notice: empty }), ...(shown && { statement: shown }) }
		const list = rows.map(found => {
			const texts = found.map(textOf)
			return { cells: texts.slice(0, columns.length).map(text => text ?? ''), ...row(texts) }
		})
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

export interface FactsQuery {
	readonly title: string
	/** Titles of the values after the first one of the row, which is a comment. */
	readonly titles: readonly string[]
	/** Has one row. */
	readonly sql: string
	readonly values?: readonly Value[]
}

/** Returns a section of names and values, without those that are NULL or empty. */
export async function factsSection(
	session: Session,
	{ title, titles, sql, values = [] }: FactsQuery,
	signal: AbortSignal,
): Promise<FactSection> {
	try {
		const { rows } = await session.read({ sql, values }, signal)
		const [comment, ...found] = (rows[0] ?? []).map(textOf)
		const facts = titles.flatMap((name, at) => (found[at] ? [{ name, value: found[at] }] : []))
		return { title, facts, ...(comment && { notice: comment }) }
	} catch (error) {
		return failedSection(title, error)
	}
}

/**
 * Returns a section of the definition that a SHOW CREATE answers. @param column title of the column of the definition,
 * without regard to case
 */
export async function codeSection(
	session: Session,
	{ title, sql, column }: { readonly title: string; readonly sql: string; readonly column: RegExp },
	signal: AbortSignal,
): Promise<FactSection> {
	try {
		const { rows, fields } = await session.read({ sql }, signal)
		const at = fields.findIndex(({ name }) => column.test(name))
		const code = textOf(rows[0]?.[at] ?? null)
		if (code === undefined) return { title, notice: 'Your role may not see its definition.' }
		return { title, code, statement: sql }
	} catch (error) {
		return failedSection(title, error)
	}
}

/** Returns a section that says why it is empty. @throws the error, if the connection was lost */
export function failedSection(title: string, error: unknown): FactSection {
	if (!isDriverError(error) || error.code === 'not_connected') throw error
	return { title, notice: `${error.message}.${error.hint === undefined ? '' : ` ${error.hint}`}` }
}

/** Returns SQL of a number of bytes in words. */
export const sizeWords = (bytes: string) =>
	`case when ${bytes} is null then null when ${bytes} < 1024 then concat(${bytes}, ' B') when ${bytes} < 1048576 then concat(round(${bytes} / 1024), ' KiB')
		when ${bytes} < 1073741824 then concat(round(${bytes} / 1048576, 1), ' MiB') else concat(round(${bytes} / 1073741824, 1), ' GiB') end`

/** Returns SQL of a number with a comma for each thousand. */
export const countWords = (count: string) => `format(${count}, 0, 'en_US')`
