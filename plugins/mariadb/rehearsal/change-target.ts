import { isBlank, type Token } from '@roundhouse/sql'
import { type Modes, tokensOf } from '../sql/lexer.ts'
import { partsOf } from '../sql/names.ts'

/** A change of the rows of one table, by its text. */
export interface ChangeTarget {
	readonly kind: 'insert' | 'replace' | 'update' | 'delete'
	/** Its name, with the database before it if it is written. */
	readonly path: readonly string[]
	/**
	 * FROM and what follows of a query of the rows that are changed. Absent for new rows, and if the query could find others
	 * than the change does: their number is known all the same.
	 */
	readonly rows?: string
}

const modifiers = new Set(['low_priority', 'high_priority', 'delayed', 'quick', 'into'])

/** Returns what one statement changes, or why it cannot be said, as a sentence. */
export function changeTarget(sql: string, modes?: Modes): ChangeTarget | string {
	const tokens = tokensOf(sql, modes).filter(token => !isBlank(token))
	const wordAt = (at: number) => textOf(sql, tokens[at]).toLowerCase()
	const kind = kinds.find(one => one === wordAt(0))
	if (!kind) return 'It is no change of rows.'
	let at = 1
	while (modifiers.has(wordAt(at))) at++
	if (wordAt(at) === 'ignore') return 'With IGNORE, the server leaves out what it refuses.'
	if (kind === 'delete') {
		if (wordAt(at) !== 'from') return 'It changes rows of several tables.'
		at++
	}
	const start = at
	while (textOf(sql, tokens[at + 1]) === '.') at += 2
	const path = partsOf(sql.slice(tokens[start]?.start ?? 0, tokens[at]?.end ?? 0))
	if (path.length === 0 || path.length > 2) return 'Its table cannot be read.'
	const behind = at + 1
	// The server then sends rows in place of their number.
	if (hasWord('returning')) return 'It returns the rows that it changes.'
	const isSteady = !tokens.some((token, at) => token.kind === 'variable' || unsteady.has(wordAt(at)))
	if (kind === 'insert') {
		const hasUpdate = tokens.some((_, at) => wordAt(at) === 'duplicate' && wordAt(at + 1) === 'key')
		return hasUpdate ? 'The server does not tell which rows it changes in place of new ones.' : { kind, path }
	}
	if (kind === 'replace') return { kind, path }
	if (kind === 'delete') {
		const next = wordAt(behind)
		if (next !== '' && !endings.has(next)) return 'It changes rows of several tables, or of a part of one.'
		return { kind, path, ...(isSteady && { rows: sql.slice(tokens[start]?.start ?? 0) }) }
	}
	// With an alias or another table, SET comes later.
	if (wordAt(behind) !== 'set') return 'It changes rows of several tables, or of one with an alias.'
	const where = topLevel(['where', 'order', 'limit'], behind)
	const rest = where < 0 ? '' : ` ${sql.slice(tokens[where]?.start ?? 0)}`
	const from = sql.slice(tokens[start]?.start ?? 0, tokens[at]?.end ?? 0)
	return { kind, path, ...(isSteady && { rows: `${from}${rest}` }) }

	function hasWord(word: string): boolean {
		return tokens.some((_, at) => wordAt(at) === word)
	}

	/** Returns the index of the first of these words outside of brackets, or -1. */
	function topLevel(words: readonly string[], from: number): number {
		let depth = 0
		for (let index = from; index < tokens.length; index++) {
			const word = wordAt(index)
			if (word === '(') depth++
			if (word === ')') depth--
			if (depth === 0 && words.includes(word)) return index
		}
		return -1
	}
}

const kinds = ['insert', 'replace', 'update', 'delete'] as const
const endings = new Set(['where', 'order', 'limit'])

/** Words whose values differ between two statements of a session, or that leave the choice of rows to the server. */
const unsteady = new Set(
	'limit rand random_bytes uuid found_rows row_count sysdate now curdate curtime current_date current_time current_timestamp localtime localtimestamp unix_timestamp utc_date utc_time utc_timestamp'.split(
		' ',
	),
)

const textOf = (sql: string, token: Token | undefined) => (token ? sql.slice(token.start, token.end) : '')
