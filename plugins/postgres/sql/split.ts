import { isBlank, type StatementSpan, type Token } from '@roundhouse/sql'
import { tokenAt } from './lexer.ts'

/**
 * Splits a text at each `;` outside of brackets and of the body of a function, as psql does
 * (src/fe_utils/psqlscan.l). Pieces without words are left out. The data of a COPY is not read as statements.
 */
export function split(text: string): readonly StatementSpan[] {
	const pieces: StatementSpan[] = []
	let tokens: Token[] = []
	const depth = new Depth()
	const finish = () => {
		const [first, last] = [tokens[0], tokens.findLast(token => !isBlank(token))]
		if (first && last)
			pieces.push({ start: first.start, end: last.end, tokens: tokens.slice(0, tokens.lastIndexOf(last) + 1) })
		tokens = []
		depth.reset()
	}
	for (let at = 0; at < text.length; ) {
		const token = tokenAt(text, at)
		at = token.end
		const isSymbol = token.kind === 'symbol'
		if (isSymbol && text[token.start] === ';' && depth.isOutside) {
			const copied = takesData(tokens, text) ? dataAt(text, at) : undefined
			finish()
			const last = pieces.at(-1)
			if (copied && last) {
				pieces[pieces.length - 1] = { ...last, ...copied }
				at = copied.end
			}
			continue
		}
		depth.enter(token, text)
		if (tokens.length > 0 || !isBlank(token)) tokens.push(token)
	}
	finish()
	return pieces
}

/** Whether it is COPY of a table FROM STDIN. */
function takesData(tokens: readonly Token[], text: string): boolean {
	const words = tokens.filter(token => !isBlank(token)).map(({ start, end }) => text.slice(start, end).toLowerCase())
	const from = words.indexOf('from')
	return words[0] === 'copy' && words[1] !== '(' && from > 0 && words[from + 1] === 'stdin'
}

const lineEnd = /[ \t]*\r?\n/y
const dataEnd = /^\\\.\r?$/gm

/** Returns the data from the next line on, if a line ends it. @param at the offset behind the statement */
function dataAt(text: string, at: number): Required<Pick<StatementSpan, 'data' | 'end'>> | undefined {
	lineEnd.lastIndex = at
	if (!lineEnd.test(text)) return undefined
	const start = lineEnd.lastIndex
	dataEnd.lastIndex = start
	const found = dataEnd.exec(text)
	return found ? { data: text.slice(start, found.index), end: found.index + 2 } : undefined
}

/**
 * Where a `;` does not end a statement: in brackets, after a backslash, and between BEGIN and END in the body of a
 * function. As in psql, a text has such a body if it starts with CREATE [OR REPLACE] FUNCTION or PROCEDURE, and words in
 * brackets, such as the name of a parameter, neither open nor close it.
 */
class Depth {
	#brackets = 0
	#bodies = 0
	#words: string[] = []
	#isEscaped = false

	get isOutside(): boolean {
		return this.#brackets === 0 && this.#bodies === 0 && !this.#isEscaped
	}

	reset(): void {
		this.#brackets = 0
		this.#bodies = 0
		this.#words = []
		this.#isEscaped = false
	}

	enter({ kind, start, end }: Token, text: string): void {
		const symbol = kind === 'symbol' ? text[start] : undefined
		// With `\;` psql sends several statements in one message. The words are then those of the next statement.
		if (symbol === ';' && this.#isEscaped) this.#words = []
		this.#isEscaped = symbol === '\\'
		if (symbol === '(') this.#brackets++
		if (symbol === ')') this.#brackets = Math.max(0, this.#brackets - 1)
		if (kind !== 'word') return
		const word = text.slice(start, end).toLowerCase()
		const isNumber = /^[\d.]/.test(word)
		if (!isNumber) this.#enterWord(word)
	}

	#enterWord(word: string): void {
		if (this.#words.length < 4) this.#words.push(word)
		const [first, ...rest] = this.#words
		const made = rest[0] === 'or' && rest[1] === 'replace' ? rest[2] : rest[0]
		if (first !== 'create' || (made !== 'function' && made !== 'procedure') || this.#brackets > 0) return
		if (word === 'begin' || (word === 'case' && this.#bodies > 0)) this.#bodies++
		if (word === 'end' && this.#bodies > 0) this.#bodies--
	}
}
