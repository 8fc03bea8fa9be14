import {
	type Access,
	type Cell,
	type ConsoleResult,
	DriverError,
	fromCell,
	type Json,
	parameterPlaces,
	type RunOptions,
	type Statement,
	toCell,
	type Verdict,
	withPlaceholders,
} from '@roundhouse/kit'
import type { Session } from './client.ts'

/** The language of the console: SQL. Statements end with `;`. */

/**
 * Adjacent quotes, which stand for one quote, are two tokens. A text with a backslash is none, because some engines read
 * an escape there. Check what ends a text, a name and a comment in your engine: what hides from this hides a write.
 */
const tokens =
	/--[^\n]*|\/\*(?![!+])[\s\S]*?\*\/|'[^'\\]*'|"[^"\\]*"|\{\{\s*[\p{L}_][\p{L}\p{N}_.-]*\s*\}\}|[\p{L}_][\p{L}\p{N}_]*|\d+(?:\.\d+)?|[ \t\r\n]+|[\s\S]/gu

/** Words that begin a statement that only reads, if nothing behind them says otherwise. */
const reading = new Set(['select', 'values', 'with', 'explain'])
const writing = new Set(['insert', 'update', 'begin', 'commit', 'rollback'])
/** Words that change something wherever they stand. */
const changing = new Set(
	'insert update delete replace merge into create alter drop truncate rename attach detach pragma vacuum reindex analyze set call do execute grant revoke lock load copy returning'.split(
		' ',
	),
)
/** What may stand before a bracket: words of the language, and functions that change nothing. Any other may do anything. */
const harmless = new Set(
	'select values from where and or not in exists as on using by having when then else join over filter union all except intersect distinct between like is case returning set count sum avg min max total round abs length lower upper substr instr trim coalesce nullif cast date time datetime row_number rank pragma_table_info pragma_foreign_key_list'.split(
		' ',
	),
)
const punctuation = new Set('()*,.=<>+-/%|!?:')

interface Token {
	readonly text: string
	readonly start: number
}

const isBlank = ({ text }: Token) => /^(?:[ \t\r\n]|--|\/\*)/.test(text)

/** Returns the tokens of each statement, without comments and blanks. */
function statementsIn(text: string): readonly (readonly Token[])[] {
	const statements: Token[][] = [[]]
	for (const { 0: found, index } of text.matchAll(tokens)) {
		const token = { text: found, start: index }
		if (found === ';') statements.push([])
		else if (!isBlank(token)) statements.at(-1)?.push(token)
	}
	return statements.filter(({ length }) => length > 0)
}

/** Finds and classifies the statements of a text. What it does not know gets the most dangerous verdict. */
export function analyse(text: string): readonly Verdict[] {
	return statementsIn(text).flatMap(found => {
		const [first, last] = [found[0], found.at(-1)]
		if (!first || !last) return []
		const [start, end] = [first.start, last.start + last.text.length]
		const statement = text.slice(start, end)
		const summary = statement.replace(/\s+/g, ' ').slice(0, 200)
		const places = parameterPlaces(statement).filter(({ name }) => name !== undefined)
		// The engine takes no value inside a text or a name.
		const isMisplaced = places.length !== found.filter(token => token.text.startsWith('{{')).length
		const fault = { code: 'invalid_argument', message: 'A place {{name}} stands alone, without quotes.' } as const
		return [{ start, end, access: accessIn(statement, found), summary, ...(isMisplaced && { fault }) }]
	})
}

/** Returns what a statement may do at most. */
export function accessOf(sql: string): Access {
	const [statement = [], ...others] = statementsIn(sql)
	return others.length > 0 ? 'destructive' : accessIn(sql, statement)
}

function accessIn(sql: string, statement: readonly Token[]): Access {
	// Engines differ in whether it ends a comment.
	if (/\r(?!\n)/.test(sql)) return 'destructive'
	const words = statement.map(({ text }) => text.toLowerCase())
	const [first = ''] = words
	// `insert into t (a, b)`: the brackets behind the table are no call.
	const isInsertion = first === 'insert' && words[1] === 'into'
	const rest = words.slice(isInsertion ? 3 : 1)
	const isWrite = writing.has(first)
	const isUnknown = rest.some((word, at) => {
		if (/^['{\d]/.test(word)) return false
		if (/^["\p{L}_]/u.test(word)) {
			const isAllowed = isWrite && (word === 'set' || word === 'returning')
			return (changing.has(word) && !isAllowed) || (rest[at + 1] === '(' && !harmless.has(word))
		}
		return !punctuation.has(word)
	})
	if (isUnknown) return 'destructive'
	if (reading.has(first)) return 'read'
	// Without a condition it changes all rows.
	if (first === 'update') return rest.includes('where') ? 'write' : 'destructive'
	return isWrite && (first !== 'insert' || isInsertion) ? 'write' : 'destructive'
}

/** Returns a cell as a value that the engine takes. @throws DriverError */
export function engineValue(cell: Cell): Json {
	if (typeof cell === 'boolean') return cell ? 1 : 0
	if (typeof cell === 'object' && cell !== null && 'bytes' in cell) return { bytes: cell.bytes }
	const value = fromCell(cell)
	if (value === undefined || (typeof cell === 'object' && cell !== null && 'json' in cell))
		throw new DriverError('invalid_argument', 'The engine stores null, numbers, text and bytes.')
	return value
}

/** Returns a value of the engine as a cell. */
export function cellOf(value: Json): Cell {
	if (typeof value === 'object' && value !== null && 'bytes' in value) return { bytes: String(value.bytes) }
	return toCell(value)
}

/** Runs one statement. The host has allowed it by its verdict. */
export async function run(
	session: Session,
	{ text, parameters = {} }: Statement,
	{ maxRows, signal }: Pick<RunOptions, 'maxRows'> & { readonly signal: AbortSignal },
): Promise<ConsoleResult> {
	const startedAt = performance.now()
	const values = parameterPlaces(text).flatMap(({ name }) =>
		name === undefined ? [] : [engineValue(parameters[name] ?? null)],
	)
	// One row more shows that there are more.
	const query = { sql: withPlaceholders(text, () => '?'), values, most: maxRows + 1 }
	const { columns, rows, affected } = await session.query(query, signal)
	const tookMs = Math.round(performance.now() - startedAt)
	if (columns.length === 0) {
		return { status: 'OK', affected, tookMs, notices: [], body: { view: 'text', text: '' } }
	}
	const body = {
		view: 'rows',
		columns: columns.map((name, at) => {
			const kind = rows.every(row => typeof row[at] === 'number' || row[at] === null) ? 'number' : 'text'
			return { name, type: '', kind, isKey: false, isReadOnly: true, isSortable: false } as const
		}),
		rows: rows.slice(0, maxRows).map(row => row.map(cellOf)),
		isTruncated: rows.length > maxRows,
	} as const
	return { status: `${body.rows.length} rows`, tookMs, notices: [], body }
}
