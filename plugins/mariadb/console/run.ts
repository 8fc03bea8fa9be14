import {
	type Cell,
	type ConsoleResult,
	DriverError,
	type ResultPart,
	type RunOptions,
	type Statement,
} from '@roundhouse/kit'
import { fittingRows, type SameValue, sendingBy, sortedSql } from '@roundhouse/sql'
import { resultColumns } from '../catalog/types.ts'
import { shortCell } from '../grid/cells.ts'
import { hexText, type Value, valueSql } from '../sql/literals.ts'
import type { Query, Result, Session } from '../wire/session.ts'
import type { Judged } from './judged.ts'
import { originsOf } from './origins.ts'

const { sentText, placed } = sendingBy('question marks')

export { placed }

interface Run {
	readonly statement: Statement
	readonly verdict: Judged | undefined
	readonly maxRows: number
	readonly sort: RunOptions['sort']
	readonly findsOrigins: boolean
}

/**
 * A collation may take other letters for the same, and blanks at an end for nothing. A FLOAT equals its text alone, and a
 * number with another text equals it as a number.
 */
const isSame: SameValue = (column, { text, kind }) => {
	const value = hexText(text)
	const shown = `convert(${column} using utf8mb4)`
	if (kind === 'number') return `(${shown} = ${value} or ${column} = ${valueSql({ number: text })})`
	if (kind !== 'text') return `${column} = ${value}`
	return `(${shown} collate utf8mb4_bin = ${value} and char_length(${shown}) = char_length(${value}))`
}

/** Runs one statement, and a read so that the server refuses writes. @throws DriverError */
export async function run(
	session: Session,
	{ statement, verdict, maxRows, sort, findsOrigins }: Run,
	signal: AbortSignal,
): Promise<ConsoleResult> {
	const own = queryOf(statement)
	const query = { ...own, sql: sortedSql(own.sql, verdict?.access, sort, isSame), most: maxRows }
	const hadWork = session.transaction === 'open'
	const isRead = verdict?.access === 'read'
	const answer = await placed(statement.text, () =>
		isRead ? session.read(query, signal) : session.query(query, signal),
	)
	const isChange = changing.test(statement.text)
	const [first, ...more] = answer.results.map(result => partOf(result, { isChange, maxRows }))
	const ended = hadWork && verdict?.commitsOpenWork ? ['The server committed the work that was open.'] : []
	const truncated = first?.body.view === 'rows' ? first.notices : []
	const head: ResultPart = first ?? { status: 'OK', notices: [], body: { view: 'text', text: '' } }
	const result: ConsoleResult = {
		...head,
		notices: [...answer.notices, ...ended, ...truncated],
		tookMs: Math.round(answer.tookMs),
		...(session.database !== undefined && { database: session.database }),
	}
	const whole = more.length === 0 ? result : { ...result, more }
	const [{ fields } = { fields: [] }] = answer.results
	if (!findsOrigins || result.body.view !== 'rows') return whole
	return { ...whole, body: { ...result.body, ...(await originsOf(session, fields, signal)) } }
}

/** Returns the statement for the server, with values apart from the text. */
export function queryOf({ text, parameters = {} }: Pick<Statement, 'text' | 'parameters'>): Query {
	const { sql, names } = sentText(text)
	return { sql, values: names.map(name => parameterValue(name, parameters[name] ?? null)) }
}

/** A number alone is a number; a text takes the type of its place. */
function parameterValue(name: string, cell: Cell): Value {
	if (cell === null) return cell
	if (typeof cell === 'string') return { text: cell }
	if (typeof cell === 'boolean') return { number: cell ? '1' : '0' }
	if (typeof cell === 'number') return { number: String(cell) }
	if ('number' in cell) return { number: cell.number }
	if ('bytes' in cell) return Buffer.from(cell.bytes, 'base64')
	if ('json' in cell) return { text: cell.json }
	if ('text' in cell) return { text: cell.text }
	throw new DriverError('invalid_argument', `${name} has no value.`)
}

/** What tells a number of rows. The server says 0 of all others. */
const changing = /^\s*(?:insert|update|delete|replace|load|with|call|execute)\b/i

function partOf(
	{ fields, rows, isCut, affected = 0, info }: Result,
	{ isChange, maxRows }: { readonly isChange: boolean; readonly maxRows: number },
): ResultPart {
	if (fields.length === 0) {
		const isCounted = isChange || affected > 0
		const status = isCounted ? `OK, ${affected} ${affected === 1 ? 'row' : 'rows'}` : 'OK'
		const text = info.replace(/^&/, '')
		const part = { status, notices: text === '' ? [] : [text], body: { view: 'text', text: '' } } as const
		return isCounted ? { ...part, affected } : part
	}
	const columns = resultColumns(fields)
	const cells = rows.map(row => columns.map((column, at) => shortCell(column, row[at] ?? null)))
	const { body, notices } = fittingRows({ columns, rows: cells, isTruncated: isCut }, maxRows)
	// The window says how many of more it has read.
	const status = body.isTruncated ? 'OK' : `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`
	return { status, notices, body }
}
