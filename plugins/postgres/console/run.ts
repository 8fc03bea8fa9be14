import { type Cell, type ConsoleResult, DriverError, fromCell, type RunOptions, type Statement } from '@roundhouse/kit'
import { fittingRows, type SameValue, sortedSql } from '@roundhouse/sql'
import { textOf } from '../edit/change-sql.ts'
import { shortCell } from '../grid/cells.ts'
import type { Projection } from '../hidden/project.ts'
import type { Answer, Query, Session } from '../wire/session.ts'
import { type Analysed, placed, sentText } from './analyse.ts'
import { explainedIn } from './costly-part.ts'
import { originsOf } from './origins.ts'
import type { ResultTypes } from './result-types.ts'
import { typedExplain } from './typed-explain.ts'

export interface Run {
	readonly statement: Statement
	readonly verdict: Analysed | undefined
	readonly types: ResultTypes
	/**
	 * If set, the tables that rows are from are looked up: users edit them there, and AI clients never see them. `database`
	 * is set for another one than that of the connection.
	 */
	readonly origins?: { readonly database: string | undefined }
}

/** A literal takes the type of the column. The session of a user may read backslashes in another way. */
const isSame: SameValue = (column, { text }) => {
	const doubled = text.replaceAll("'", "''")
	return `${column} = ${text.includes('\\') ? `E'${doubled.replaceAll('\\', '\\\\')}'` : `'${doubled}'`}`
}

/** Runs one statement, and a read so that the server refuses writes. @throws DriverError */
export async function run(
	session: Session,
	{ statement, verdict, types, origins }: Run,
	{ maxRows, sort, signal }: Pick<RunOptions, 'maxRows' | 'sort'> & { readonly signal: AbortSignal },
): Promise<ConsoleResult> {
	const { fault } = verdict ?? {}
	// The server explains its own errors at the run.
	if (fault && fault.engineCode === undefined) throw new DriverError(fault.code, fault.message, fault)
	const own = queryOf(statement, verdict)
	const isRead = verdict?.access === 'read'
	const sql = sortedSql(own.sql, verdict?.access, sort, isSame)
	// A plan is read whole.
	const query = { ...own, sql, most: maxRows, cutsLong: verdict?.tree?.ExplainStmt === undefined }
	const answer = await placed(statement.text, () => {
		if (verdict?.copy) return session.copyIn(verdict.copy.sql, Buffer.from(verdict.copy.data), signal)
		return isRead ? session.read(query, signal, readOptions(verdict)) : session.query(query, signal)
	})
	// A notice is raised by a function, whose words may have values.
	const { projection } = verdict ?? {}
	const raised = projection?.touches ? withheldNotice(projection) : answer.notices
	const notices = [...raised, ...(await restoreEncoding(session, signal))]
	await types.read(session, answer.fields, signal)
	const result = { ...resultOf({ ...answer, notices }, types, maxRows), tookMs: Math.round(answer.tookMs) }
	if (!origins || result.body.view !== 'rows') return result
	const explained = typedExplain(answer)
	if (explained) return { ...result, ...explained }
	const found = await originsOf(session, { fields: answer.fields, tree: verdict?.tree, ...origins }, signal)
	return { ...result, body: { ...result.body, ...found } }
}

/** Returns what to say if the statement changed the encoding of the texts that the server sends. */
async function restoreEncoding(session: Session, signal: AbortSignal): Promise<readonly string[]> {
	if (session.isUtf8) return []
	await session.command("set client_encoding to 'UTF8'", signal)
	return ['client_encoding was set back to UTF8, in which Roundhouse reads and writes all text.']
}

const withheldNotice = ({ withheld, tokens }: Projection) => [
	...(withheld.length > 0 ? [`Hidden by the user and left out: ${withheld.join(', ')}.`] : []),
	...(tokens.length > 0
		? [
				`Hidden by the user, with tokens in place of values: ${tokens.join(', ')}. Equal values have equal tokens in this answer alone.`,
			]
		: []),
]

const readOptions = (verdict: Analysed | undefined) => ({
	path: 'user' as const,
	guard: verdict?.guard,
	settings: verdict?.projection?.settings,
})

/** Returns the statement for the server, with values apart from the text, and without the columns that its verdict hides. */
export function queryOf(
	{ text, parameters = {} }: Pick<Statement, 'text' | 'parameters'>,
	verdict: Pick<Analysed, 'projection' | 'tree'> | undefined,
): Query {
	const { sql: whole, names } = sentText(text)
	const sql = verdict?.projection?.sql ?? whole
	const cells = names.map(name => parameters[name] ?? null)
	return {
		sql,
		...(verdict?.tree?.ExplainStmt !== undefined && { explained: explainedIn(sql) }),
		values: names.map((name, at) => textOf({ name }, cells[at] ?? null)),
		// A number alone is a number; a text takes the type of its place.
		types: cells.map(typeOf),
	}
}

function typeOf(cell: Cell): number {
	const value = fromCell(cell)
	if (typeof value === 'boolean') return 16
	if (typeof value === 'number') return Number.isInteger(value) ? 20 : 1700
	return typeof cell === 'object' && cell !== null && 'number' in cell ? 1700 : 0
}

const changed = /^(?:INSERT 0|UPDATE|DELETE|MERGE|COPY) (\d+)$/

function resultOf(
	{ fields, rows, tag, isCut, cut, notices }: Answer,
	types: ResultTypes,
	maxRows: number,
): Omit<ConsoleResult, 'tookMs'> {
	const [, affected] = changed.exec(tag) ?? []
	const said = affected === undefined ? {} : { affected: Number(affected) }
	if (fields.length === 0) return { status: tag || 'OK', notices, ...said, body: { view: 'text', text: '' } }
	const columns = types.columns(fields)
	const cells = rows.map(row => columns.map((column, at) => shortCell(column, row[at] ?? null, cut.get(row)?.get(at))))
	const shown = columns.map(({ base, ...column }) => column)
	const fitting = fittingRows({ columns: shown, rows: cells, isTruncated: isCut }, maxRows)
	// The window says how many of more it has.
	const status = fitting.body.isTruncated ? tag.replace(/^SELECT \d+$/, 'SELECT') : tag
	return { status: status || 'OK', ...said, body: fitting.body, notices: [...notices, ...fitting.notices] }
}
