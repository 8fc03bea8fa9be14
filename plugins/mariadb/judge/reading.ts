import { isBlank, type Token } from '@roundhouse/sql'
import { driverModes, type Modes, tokensOf, wordOf } from '../sql/lexer.ts'
import type { QualifiedName } from '../sql/names.ts'
import type { ServerVersion } from '../wire/login.ts'
import { functionsOf, wordsBeforeBracket } from './functions.ts'

/**
 * Whether the text of one statement reads, whatever the catalog has. There is no grammar of the server for JavaScript, so this
 * accepts a small language: words that no read lacks, names, values, and calls of listed functions. All else is a write.
 */

export interface Reading {
	/** Why it is not a read, as a sentence. Absent for a read. */
	readonly reason?: string
	/** Names of routines that it may call, and that are not listed. */
	readonly calls: ReadonlySet<string>
	/** All names in the text, as they are written. Tables and views that it reads are among them. */
	readonly names: ReadonlySet<string>
	/** The query that it runs, if it runs one. */
	readonly query?: string
}

export interface ReadingOptions {
	readonly modes?: Modes
	readonly product?: ServerVersion['product']
}

/** More than these are not looked at. */
const mostTokens = 200_000

/** Returns what the text of a statement may do. It never throws. */
export const readingOf = (sql: string, options: ReadingOptions = {}): Reading =>
	scanned(sql, options, scan => scan.startFault ?? scan.callFault)

/** Returns what the text of an INSERT, UPDATE, DELETE or REPLACE may do beside its change. It never throws. */
export const changeOf = (sql: string, options: ReadingOptions = {}): Reading =>
	scanned(sql, options, scan => scan.changeFault(0) ?? scan.callFault)

/**
 * Returns the tables in a definition of a view. The server writes them with their databases and behind FROM or JOIN, in
 * backticks; in a name without a database it means a WITH query.
 */
export function tablesOf(definition: string): readonly QualifiedName[] {
	const tokens = tokensOf(definition, driverModes).filter(token => !isBlank(token))
	const textAt = (at: number) => definition.slice(tokens[at]?.start ?? 0, tokens[at]?.end ?? 0)
	const nameAt = (at: number) =>
		tokens[at]?.kind === 'quotedIdentifier' ? textAt(at).slice(1, -1).replaceAll('``', '`') : undefined
	const found: QualifiedName[] = []
	/** For each open bracket: whether it is that of a function, such as `extract(year from a.b)`. */
	const open: boolean[] = []
	for (let at = 0; at < tokens.length; at++) {
		const text = textAt(at)
		if (text === '(') open.push(tokens[at - 1]?.kind === 'word' && functionsWithFrom.has(wordOf(textAt(at - 1))))
		if (text === ')') open.pop()
		const isJoin = tokens[at]?.kind === 'word' && /join$/i.test(text)
		if (!isJoin && !(tokens[at]?.kind === 'word' && /^from$/i.test(text) && open.at(-1) !== true)) continue
		let from = at + 1
		while (textAt(from) === '(') from++
		const [database, table] = [nameAt(from), nameAt(from + 2)]
		if (database !== undefined && table !== undefined && textAt(from + 1) === '.') found.push({ database, table })
	}
	return found
}

const functionsWithFrom = new Set(['extract', 'trim', 'substring', 'substr', 'mid'])

function scanned(
	sql: string,
	{ modes = driverModes, product = 'MariaDB' }: ReadingOptions,
	faultOf: (scan: Scan) => string | undefined,
): Reading {
	if (modes.isForeign) return unread('The session reads texts in a way that this driver does not know.')
	const tokens = tokensOf(sql, modes)
	if (tokens.length > mostTokens) return unread('It is too long to be read.')
	const scan = new Scan(sql, tokens, functionsOf(product))
	const reason = scan.fault ?? faultOf(scan)
	const { calls, names, query } = scan
	return { ...(reason !== undefined && { reason }), calls, names, ...(query !== undefined && { query }) }
}

const unread = (reason: string): Reading => ({ reason, calls: new Set(), names: new Set() })

/** Statements and what may follow the word EXPLAIN. */
const queries = new Set(['select', 'with', 'table', 'values', '('])
/** Between INSERT and INTO: LOW_PRIORITY and IGNORE. */
const mostModifiers = 2
const changes = new Set(['insert', 'update', 'delete', 'replace'])

/** What SHOW may name. */
const shown = new Set(
	'all analyze authors binary binlog character charset client_statistics collation columns contributors count create databases engine engines errors events explain extended fields full function global grants index index_statistics indexes keys local locales master open package plugins privileges procedure processlist profile profiles relaylog replica replicas schemas session slave status storage table table_statistics tables triggers user_statistics variables warnings'.split(
		' ',
	),
)

/** Reserved words that make a query write, lock or call. Before a bracket, two of them are functions. */
const forbidden = new Map(
	Object.entries({
		into: 'It stores its rows in a file or in variables.',
		update: 'It updates rows or locks them.',
		delete: 'It deletes rows.',
		insert: 'It inserts rows.',
		replace: 'It replaces rows.',
		lock: 'It locks rows.',
		share: 'It locks rows.',
		procedure: 'It calls a procedure.',
		nextval: 'It takes a number of a sequence.',
		call: 'It calls a procedure.',
	}),
)

/** Beside brackets and operators. No read has a `;`, an assignment or a bracket of ODBC. */
const symbols = new Set('( ) , . + - * / % = < > ! & | ^ ~'.split(' '))
const hint = /^\/\*\+.*?\b(?:set_var|resource_group)\b/is

/** One pass over the tokens of a statement. */
class Scan {
	readonly calls = new Set<string>()
	readonly names = new Set<string>()
	/** What no read has, wherever it stands. */
	readonly fault: string | undefined
	readonly #sql: string
	/** Without blanks and comments. */
	readonly #tokens: readonly Token[]
	readonly #functions: ReadonlySet<string>
	/** Words before which a query ends as a read, in order. */
	readonly #forbidden: string[] = []

	constructor(sql: string, tokens: readonly Token[], functions: ReadonlySet<string>) {
		this.#sql = sql
		this.#functions = functions
		this.#tokens = tokens.filter(token => !isBlank(token))
		const comments = tokens.filter(({ kind }) => kind === 'comment')
		const isHinted = comments.some(({ start, end }) => hint.test(sql.slice(start, end)))
		this.fault = isHinted ? 'It has a hint that changes a variable of the session.' : this.#faultOfTokens(tokens)
		for (let at = 0; at < this.#tokens.length; at++) this.#take(at)
	}

	get callFault(): string | undefined {
		const [name] = this.calls
		return name === undefined ? undefined : `It calls ${name}, which can do anything.`
	}

	/** Why the statement is none of those that read, by its first words. */
	get startFault(): string | undefined {
		const first = this.#word(0)
		if (queries.has(first)) return this.#forbidden[0]
		if (first === 'show') return this.#showFault
		if (first === 'explain' || first === 'describe' || first === 'desc') return this.#explainFault(1)
		if (first === 'analyze') return this.#explainFault(0)
		return 'It is no statement that only reads.'
	}

	/** The query that a read runs: that of EXPLAIN ANALYZE too. `undefined` for what the server has in memory, and for plans. */
	get query(): string | undefined {
		const at = this.#tokens.findIndex((_, index) => queries.has(this.#word(index)))
		const isRun = at === 0 || this.#tokens.slice(0, at).some((_, index) => this.#word(index) === 'analyze')
		return at >= 0 && isRun ? this.#sql.slice(this.#tokens[at]?.start) : undefined
	}

	get #showFault(): string | undefined {
		if (!shown.has(this.#word(1))) return 'It shows something that this driver does not know.'
		if (this.#hasWord('soname')) return 'It loads a library.'
		return this.#hasWord('select') || this.#hasWord('into') ? 'It has a query inside.' : undefined
	}

	/** Returns what a change does beside the change of rows. @param at where it begins */
	changeFault(at: number): string | undefined {
		const word = this.#word(at)
		if (!changes.has(word)) return 'It is no change of rows.'
		// Its own word, and that of ON DUPLICATE KEY UPDATE, name the change.
		const own = new Set([...changes].map(name => forbidden.get(name)))
		const into = this.#tokens.flatMap((_, at) => (this.#word(at) === 'into' ? [at] : []))
		const isOfTarget = into.length === 1 && (into[0] ?? 0) <= at + mostModifiers + 1
		if ((word === 'insert' || word === 'replace') && isOfTarget) own.add(forbidden.get('into'))
		return this.#forbidden.find(reason => !own.has(reason))
	}

	/** EXPLAIN of a statement, or of a table or a session. ANALYZE runs the statement. */
	#explainFault(from: number): string | undefined {
		let at = from
		let isRun = false
		while (at < this.#tokens.length) {
			const word = this.#word(at)
			if (word === 'analyze') isRun = true
			else if (word === 'format' && this.#word(at + 1) === '=') at += 2
			else if (word !== 'extended' && word !== 'partitions') break
			at++
		}
		const next = this.#word(at)
		if (queries.has(next) && !(isRun && next === 'table')) return this.#forbidden[0]
		if (!isRun && changes.has(next)) return this.changeFault(at)
		if (isRun) return 'ANALYZE runs the statement, which is none that only reads.'
		const isTable = this.#tokens.slice(at).every(token => this.#isNamePart(token))
		const isSession = next === 'for' && this.#word(at + 1) === 'connection'
		return isSession || isTable ? undefined : 'It is no statement that only reads.'
	}

	#isNamePart({ kind, start, end }: Token): boolean {
		return kind === 'word' || kind === 'quotedIdentifier' || kind === 'string' || this.#sql.slice(start, end) === '.'
	}

	#faultOfTokens(tokens: readonly Token[]): string | undefined {
		let depth = 0
		let before: Token | undefined
		for (const token of tokens) {
			const { kind, start, end, isUnterminated } = token
			if (kind === 'executed') return 'It has a comment that the server executes.'
			if (isUnterminated) return 'A text, a name or a comment in it has no end.'
			const fault = this.#faultOfName(token, before)
			if (fault !== undefined) return fault
			before = token
			const text = kind === 'symbol' ? this.#sql.slice(start, end) : undefined
			if (text === ':') return 'It assigns a variable.'
			if (text === '(') depth++
			if (text === ')' && --depth < 0) break
			if (text !== undefined && !symbols.has(text)) return `It has a ${text}, which no read has.`
		}
		return depth === 0 ? undefined : 'A bracket in it has no other end.'
	}

	/** Versions of the server differ in where a number ends and a name begins. In backticks, every name is one. */
	#faultOfName({ kind, start, end }: Token, before: Token | undefined): string | undefined {
		const text = this.#sql.slice(start, end)
		if (kind === 'word' && /^\d|[\u0080-\u009f]/.test(text)) return `Write the name ${text} in backticks.`
		const isName = kind === 'word' || kind === 'quotedIdentifier'
		if (isName && [...text].some(letter => letter.length > 1)) return `The server knows no name like ${text}.`
		if (isName && before?.kind === 'number') return 'A number in it runs into a name. Put a blank between them.'
		const isBehindName = before?.kind === 'word' || before?.kind === 'quotedIdentifier' || this.#sql[start - 1] === '.'
		return kind === 'number' && isBehindName ? 'A name in it runs into a number. Put a blank between them.' : undefined
	}

	/** Returns a word in lower case, or a symbol, or a text of another kind as it is; empty behind the end. */
	#word(at: number): string {
		const token = this.#tokens[at]
		if (!token) return ''
		const text = this.#sql.slice(token.start, token.end)
		return token.kind === 'word' ? wordOf(text) : token.kind === 'symbol' ? text : ''
	}

	#hasWord(word: string): boolean {
		return this.#tokens.some((_, at) => this.#word(at) === word)
	}

	#take(at: number): void {
		const token = this.#tokens[at]
		if (!token || (token.kind !== 'word' && token.kind !== 'quotedIdentifier')) return
		const text = this.#sql.slice(token.start, token.end)
		const isQuoted = token.kind === 'quotedIdentifier'
		const name = isQuoted ? text.slice(1, -1).replaceAll(text[0]?.repeat(2) ?? '', text[0] ?? '') : text
		const word = wordOf(name)
		this.names.add(name)
		const isQualified = this.#word(at - 1) === '.'
		const next = this.#tokens[at + 1]
		if (next && this.#word(at + 1) === '(') {
			// The server takes `count (` for a routine, as it takes any name that it does not know.
			const isBuiltIn =
				this.#functions.has(word) && next.start === token.end && (word !== 'json_table' || this.#hasPath(at + 1))
			const isListed = !isQuoted && !isQualified && isBuiltIn
			const isGrammar = !isQuoted && !isQualified && wordsBeforeBracket.has(word)
			if (!isListed && !isGrammar && !this.#isNoCall(at)) this.calls.add(name)
			if (isListed || isGrammar) return
		}
		if (isQuoted || isQualified) {
			// In the mode ORACLE, a sequence has members.
			if (word === 'nextval') this.#forbidden.push(forbidden.get('nextval') ?? '')
			return
		}
		const reason = forbidden.get(word)
		if (reason !== undefined) this.#forbidden.push(reason)
		if (word === 'for' && this.#word(at - 1) === 'value') this.#forbidden.push(forbidden.get('nextval') ?? '')
	}

	/** JSON_TABLE has a path and its columns, right inside of its bracket. Without them, it is the name of a routine. */
	#hasPath(open: number): boolean {
		let depth = 0
		for (let at = open; at < this.#tokens.length; at++) {
			const word = this.#word(at)
			if (word === '(') depth++
			if (word === ')' && --depth === 0) return false
			const isPath = this.#tokens[at - 1]?.kind === 'string' && this.#word(at + 1) === '('
			if (depth === 1 && word === 'columns' && isPath) return true
		}
		return false
	}

	/** Whether the grammar has no call here, whatever the name is. */
	#isNoCall(at: number): boolean {
		// A type, or a name for the columns of a table.
		if (this.#word(at - 1) === 'as') return true
		const isQuantified = ['any', 'some', 'lateral'].includes(this.#word(at))
		if (isQuantified && this.#word(at + 2) === 'select') return true
		// The columns of JSON_TABLE come behind a path.
		if (this.#word(at) === 'columns' && this.#tokens[at - 1]?.kind === 'string') return true
		return this.#isTarget(at) || this.#isColumnList(at + 1)
	}

	/** The table of an INSERT or REPLACE, before its columns. */
	#isTarget(at: number): boolean {
		let from = at
		while (this.#word(from - 1) === '.') from -= 2
		const before = this.#word(from - 1)
		const isChange = changes.has(this.#word(0)) || this.#word(0) === 'explain'
		return isChange && (before === 'into' || before === 'insert' || before === 'replace' || before === 'ignore')
	}

	/** The columns of a WITH query: names in brackets, then AS and a bracket. No call is followed by these. */
	#isColumnList(open: number): boolean {
		let at = open + 1
		for (; this.#word(at) !== ')'; at += 2) {
			const kind = this.#tokens[at]?.kind
			if (kind !== 'word' && kind !== 'quotedIdentifier') return false
			if (this.#word(at + 1) === ')') break
			if (this.#word(at + 1) !== ',') return false
		}
		const closed = this.#word(at) === ')' ? at : at + 1
		return this.#word(closed + 1) === 'as' && this.#word(closed + 2) === '('
	}
}
