import {
	type Cell,
	type ConsoleResult,
	DriverError,
	fromCell,
	isDriverError,
	type RunOptions,
	type Statement,
} from '@roundhouse/kit'
import { textOf } from '../edit/change-sql.ts'
import { shortCell } from '../grid/cells.ts'
import type { Answer, Query, Session } from '../wire/session.ts'
import { type Analysed, sentText, statementOffset } from './analyse.ts'
import type { ResultTypes } from './result-types.ts'

export interface Run {
	readonly statement: Statement
	readonly verdict: Analysed | undefined
	readonly types: ResultTypes
}

/** Runs one statement, and a read so that the server refuses writes. @throws DriverError */
export async function run(
	session: Session,
	{ statement, verdict, types }: Run,
	{ maxRows, signal }: Pick<RunOptions, 'maxRows'> & { readonly signal: AbortSignal },
): Promise<ConsoleResult> {
	if (verdict?.fault?.code === 'unsupported') throw new DriverError('unsupported', verdict.fault.message)
	const startedAt = performance.now()
	const query = { ...queryOf(statement), most: maxRows }
	const isRead = verdict?.access === 'read'
	const answer = await placed(statement, () => (isRead ? session.read(query, signal) : session.query(query, signal)))
	const tookMs = Math.round(performance.now() - startedAt)
	await types.read(session, answer.fields, signal)
	return { ...resultOf(answer, types), tookMs }
}

/** Returns the statement for the server, with values apart from the text. */
export function queryOf({ text, parameters = {} }: Pick<Statement, 'text' | 'parameters'>): Query {
	const { sql, names } = sentText(text)
	const cells = names.map(name => parameters[name] ?? null)
	return {
		sql,
		values: names.map((name, at) => textOf(name, cells[at] ?? null)),
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

/** Moves the place of an error from the text that was sent to the statement. */
export async function placed<T>({ text }: Pick<Statement, 'text'>, work: () => Promise<T>): Promise<T> {
	try {
		return await work()
	} catch (error) {
		if (!isDriverError(error) || error.at === undefined) throw error
		const { code, message, hint, engineCode, cause } = error
		throw new DriverError(code, message, {
			at: statementOffset(text, error.at),
			...(hint !== undefined && { hint }),
			...(engineCode !== undefined && { engineCode }),
			cause,
		})
	}
}

const changed = /^(?:INSERT 0|UPDATE|DELETE|MERGE|COPY) (\d+)$/

function resultOf({ fields, rows, tag, isCut, notices }: Answer, types: ResultTypes): Omit<ConsoleResult, 'tookMs'> {
	const [, affected] = changed.exec(tag) ?? []
	const status = { status: tag || 'OK', notices, ...(affected !== undefined && { affected: Number(affected) }) }
	if (fields.length === 0) return { ...status, body: { view: 'text', text: '' } }
	const columns = types.columns(fields)
	const cells = rows.map(row => columns.map((column, at) => shortCell(column, row[at] ?? null)))
	const shown = columns.map(({ base, ...column }) => column)
	return { ...status, body: { view: 'rows', columns: shown, rows: cells, isTruncated: isCut } }
}
