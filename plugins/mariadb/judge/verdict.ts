import type { Access, Verdict } from '@roundhouse/kit'
import { driverModes, type Modes, tokensOf, wordOf } from '../sql/lexer.ts'
import type { ServerVersion } from '../wire/login.ts'
import { readingOf } from './reading.ts'

/** What a statement may do, by its text. */

export interface StatementVerdict
	extends Pick<Verdict, 'access' | 'reason' | 'isOpaque' | 'isSelective' | 'transaction' | 'secrets'> {
	/** Whether the server commits the open transaction before it runs the statement: a rollback undoes neither. */
	readonly commitsOpenWork: boolean
}

interface Options {
	readonly modes?: Modes
	readonly product?: ServerVersion['product']
}

/** Statements that make something new, or change a session alone. All that is not listed may destroy data or give rights away. */
const writing = new Set(
	'begin start commit rollback savepoint release use handler lock unlock checksum optimize check deallocate help xa'.split(
		' ',
	),
)

/** What CREATE makes without taking anything away. */
const creatable = new Set('table database schema index view sequence procedure function event'.split(' '))

const anything = new Map(
	Object.entries({
		call: 'The procedure can do anything.',
		execute: 'The prepared statement can do anything.',
		prepare: 'The prepared statement can do anything.',
	}),
)

/** Statements before which the server commits. https://mariadb.com/kb/en/sql-statements-that-cause-an-implicit-commit/ */
const committing = new Set(
	'alter create drop rename truncate grant revoke analyze check optimize repair flush reset cache load lock install uninstall begin start change purge'.split(
		' ',
	),
)

/** Returns what one statement may do at most. It never throws. @param sql a piece of a text, without its delimiter */
export function verdictOf(sql: string, options: Options = {}): StatementVerdict {
	const words = wordsOf(sql, options.modes)
	const access = accessOf(sql, words, options)
	const transaction = transactionOf(words)
	const secrets = secretsOf(sql, options.modes)
	const commitsOpenWork = access !== 'read' && isCommitting(words)
	return {
		access,
		commitsOpenWork,
		...(access === 'destructive' && reasonOf(sql, words, options)),
		...(transaction !== undefined && { transaction }),
		...(secrets.length > 0 && { secrets }),
	}
}

/** Words and symbols in lower case; texts, names in quotes and numbers as one sign each. */
function wordsOf(sql: string, modes: Modes = driverModes): readonly string[] {
	const words: string[] = []
	for (const { kind, start, end } of tokensOf(sql, modes)) {
		if (kind === 'blank' || kind === 'comment') continue
		const isPlain = kind === 'word' || kind === 'symbol' || kind === 'variable'
		words.push(isPlain ? wordOf(sql.slice(start, end)) : `<${kind}>`)
	}
	return words
}

function accessOf(sql: string, words: readonly string[], options: Options): Access {
	const reading = readingOf(sql, options)
	if (reading.reason === undefined) return 'read'
	const [first = '', second = ''] = words
	if (options.modes?.isForeign) return 'destructive'
	// A server may execute it, and what it then does is not known.
	if (words.includes('<executed>')) return 'destructive'
	if (first === 'create') return isNew(words) && !runsQuery(sql, words, options) ? 'write' : 'destructive'
	if (first === 'alter') return second === 'table' && onlyAdds(words) ? 'write' : 'destructive'
	if (first === 'analyze')
		return second === 'table' || second === 'local' ? 'write' : accessOfInner(sql, words, options)
	if (first === 'explain' || first === 'describe' || first === 'desc') return accessOfInner(sql, words, options)
	if (first === 'begin' && words.includes('atomic')) return 'destructive'
	if (writing.has(first)) return 'write'
	if (reading.calls.size > 0) return 'destructive'
	if (first === 'set') return isOfSession(words) ? 'write' : 'destructive'
	if (first === 'do') return 'write'
	if (first === 'insert') return 'write'
	if (first === 'update') return hasWhere(words) ? 'write' : 'destructive'
	const isQuery = first === 'select' || first === 'values' || first === 'table' || first === '(' || first === 'with'
	if (!isQuery) return 'destructive'
	if (words.includes('delete') || words.includes('outfile') || words.includes('dumpfile')) return 'destructive'
	if (first === 'with' && words.includes('update')) return hasWhere(words) ? 'write' : 'destructive'
	return 'write'
}

/** ANALYZE and EXPLAIN ANALYZE run the statement behind them. */
function accessOfInner(sql: string, words: readonly string[], options: Options): Access {
	const inner = /\b(?:select|with|insert|update|delete|replace|values|table)\b[\s\S]*/i.exec(sql)?.[0]
	if (inner === undefined || !words.includes('analyze')) return 'destructive'
	return accessOf(inner, wordsOf(inner, options.modes), options) === 'write' ? 'write' : 'destructive'
}

/** Whether a table is filled by a query that calls what is not listed. */
function runsQuery(sql: string, words: readonly string[], options: Options): boolean {
	const query = words.includes('table') ? /\b(?:select|with|values)\b[\s\S]*/i.exec(sql)?.[0] : undefined
	return query !== undefined && readingOf(query, options).calls.size > 0
}

/** CREATE of something that was not there before. */
function isNew(words: readonly string[]): boolean {
	const [, ...rest] = words
	const kind = rest.findIndex(word => creatable.has(word))
	const before = kind < 0 ? rest : rest.slice(0, kind)
	if (kind < 0 || before.includes('replace')) return false
	// A routine runs nothing when it is made. A query in a table or a view does.
	const what = rest[kind]
	if (what === 'procedure' || what === 'function') return !rest.includes('soname')
	return what !== 'event'
}

const adding = new Set(['add', 'comment'])

/** ALTER TABLE whose parts all add something. */
function onlyAdds(words: readonly string[]): boolean {
	let depth = 0
	let isPart = false
	let at = 2
	while (words[at + 1] === '.') at += 2
	for (const word of words.slice(at + 1)) {
		if (word === '(') depth++
		if (word === ')') depth--
		if (depth === 0 && word === ',') isPart = false
		else if (!isPart && word !== '(' && word !== ')') {
			if (!adding.has(word)) return false
			isPart = true
		}
	}
	return isPart
}

const beyondSession = new Set('global persist persist_only password role default resource'.split(' '))

/** SET of variables of the session alone. */
const isOfSession = (words: readonly string[]) =>
	!words.some(word => beyondSession.has(word) || /^@@(?:global|persist)/.test(word)) && words[1] !== 'statement'

/** Whether a condition is outside of all brackets. */
function hasWhere(words: readonly string[]): boolean {
	let depth = 0
	for (const word of words) {
		if (word === '(') depth++
		if (word === ')') depth--
		if (depth === 0 && word === 'where') return true
	}
	return false
}

function reasonOf(
	sql: string,
	words: readonly string[],
	options: Options,
): Pick<Verdict, 'reason' | 'isOpaque' | 'isSelective'> {
	const [first = '', second = ''] = words
	if (words.includes('<executed>')) return { reason: 'It has a comment that the server executes.' }
	const known = anything.get(first)
	if (known !== undefined) return { reason: known, isOpaque: true }
	if (first === 'begin') return { reason: 'The block can do anything.', isOpaque: true }
	if (first === 'create' && words.includes('replace'))
		return { reason: 'It replaces the present definition, if there is one.' }
	if (first === 'create' && words.includes('trigger'))
		return { reason: 'What the trigger runs can do anything.', isOpaque: true }
	if (first === 'create' && words.includes('event'))
		return { reason: 'What the event runs can do anything.', isOpaque: true }
	if (first === 'truncate') return { reason: 'It deletes all rows of the table.' }
	if (first === 'drop') return { reason: `It destroys the ${second === 'if' ? 'object' : second}.` }
	if (words.includes('outfile') || words.includes('dumpfile')) return { reason: 'It writes a file of the server.' }
	if (first === 'replace' || (first === 'delete' && hasWhere(words))) return { isSelective: true }
	if (first === 'delete') return {}
	const [name] = readingOf(sql, options).calls
	if (name === undefined || first === 'create') return {}
	return { reason: `It uses ${name}, which can do anything.`, isOpaque: true }
}

function transactionOf([first = '', second = '', third = '']: readonly string[]): Verdict['transaction'] {
	if (first === 'begin' && second !== 'not') return 'begins'
	if (first === 'start' && second === 'transaction') return 'begins'
	if (first === 'commit') return 'commits'
	if (first === 'rollback') return second === 'to' || (second === 'work' && third === 'to') ? undefined : 'rolls_back'
	return undefined
}

/** A temporary table is made and dropped within the transaction. */
function isCommitting(words: readonly string[]): boolean {
	const [first = '', second = ''] = words
	if (first === 'begin') return second !== 'not'
	if (first === 'start') return second === 'transaction'
	if (first === 'set') return second === 'password' || (second === 'autocommit' && words.at(-1) === '<number>')
	const isTemporary = words.slice(1, 4).includes('temporary')
	return committing.has(first) && !((first === 'create' || first === 'drop') && isTemporary)
}

const aboutSecrets = /\b(?:identified|password|\w+_password)\b|^\s*(?:create|alter)\s+(?:or\s+replace\s+)?server\b/i

/**
 * Returns the texts in a statement about users, passwords and other servers, except names of users, as offsets from its
 * start. Some are no secrets: the grammar of each version has more places for one.
 */
function secretsOf(
	sql: string,
	modes: Modes = driverModes,
): readonly { readonly start: number; readonly end: number }[] {
	if (!aboutSecrets.test(sql) || /^\s*(?:select|show|with|explain|analyze|desc)\b/i.test(sql)) return []
	return tokensOf(sql, modes)
		.filter(({ kind, end }) => kind === 'string' && sql[end] !== '@')
		.map(({ start, end }) => ({ start, end }))
}
