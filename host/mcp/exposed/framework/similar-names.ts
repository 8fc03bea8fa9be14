import { DriverError, isDriverError, isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import type { ClientSession } from '../../access/client-session.ts'
import { decodeAnswer } from '../../access/decode-answer.ts'
import { nearestTo } from './nearest.ts'

/** Errors that a misspelt name can cause. */
const causes: ReadonlySet<string> = new Set(['not_found', 'invalid_argument', 'query_failed', 'unsupported'])

/** Names in one message. */
const maxNamed = 3

/** What a failed call named, and where its names could be looked up. */
interface Looked {
	readonly args: JsonObject
	readonly open: () => Promise<ClientSession>
	readonly signal: AbortSignal
}

/**
 * Returns the error with the tables or columns whose names are nearest to those that the call named, if these do not
 * exist. Any other error is returned unchanged, also if the names cannot be looked up.
 */
export async function withSimilarNames(error: unknown, looked: Looked): Promise<unknown> {
	if (!isDriverError(error) || !causes.has(error.code)) return error
	const similar = await similarNames(error, looked).catch(() => undefined)
	if (similar === undefined) return error
	return new DriverError(error.code, `${error.message} ${similar}`, error)
}

async function similarNames(error: DriverError, { args, open, signal }: Looked): Promise<string | undefined> {
	const rows = isJsonObject(args.browse) ? args.browse : args
	const session = await open()
	const tables = (await session.call('listTables', {}, { signal })).map(({ name }) => name)
	if (typeof rows.table !== 'string') {
		// A statement: the engine's message quotes what it did not find.
		return error.code === 'not_found' ? similarSentence('Tables', quotedIn(error.message), tables) : undefined
	}
	if (!tables.includes(rows.table) && error.code === 'not_found') return similarSentence('Tables', [rows.table], tables)
	const described = await session.call('describeTable', { table: rows.table }, { signal })
	const { columns } = decodeAnswer('describeTable', described, session)
	return similarSentence(
		'Columns',
		columnsIn(rows),
		columns.map(({ name }) => name),
	)
}

/** Returns the known names that are nearest to those that are unknown, as a sentence. */
export function similarSentence(
	what: 'Tables' | 'Columns',
	named: readonly string[],
	known: readonly string[],
): string | undefined {
	const missing = named.filter(name => !known.includes(name))
	const similar = new Set(missing.flatMap(name => nearestTo(name, known, maxNamed)))
	if (similar.size === 0) return undefined
	const names = [...similar].slice(0, maxNamed).map(name => `"${name}"`)
	return `${what} with a similar name: ${names.join(', ')}.`
}

function quotedIn(message: string): readonly string[] {
	return [...message.matchAll(/["[]([^"\]]{1,200})["\]]/g)].map(([, name = '']) => name)
}

/** Returns the names of columns in the arguments of all tools on rows. */
function columnsIn({ columns, filters, sort, group_by: groups, measures, updates, rows }: JsonObject): string[] {
	const named = [filters, sort, groups, measures].flatMap(list =>
		objectsIn(list).flatMap(({ column }) => (typeof column === 'string' ? column : [])),
	)
	const chosen = Array.isArray(columns) ? columns.filter(column => typeof column === 'string') : []
	const set = objectsIn(updates).flatMap(({ set }) => (isJsonObject(set) ? Object.keys(set) : []))
	const inserted = objectsIn(rows).flatMap(row => ('row_id' in row ? [] : Object.keys(row)))
	return [...new Set([...chosen, ...named, ...set, ...inserted])]
}

function objectsIn(list: Json | undefined): readonly JsonObject[] {
	return Array.isArray(list) ? list.filter(isJsonObject) : []
}
