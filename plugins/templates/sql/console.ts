import { type Access, parameterPlaces, type Verdict } from '@roundhouse/kit'

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
		const fault = {
			code: 'invalid_argument',
			message: 'A place in two braces takes no quotes. Write \\{{ for two braces as text.',
		} as const
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
