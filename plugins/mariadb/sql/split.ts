import { isBlank, type StatementSpan, type Token } from '@roundhouse/sql'
import { driverModes, type Modes, tokenAt } from './lexer.ts'

const delimiterLine = /delimiter[ \t]+(\S+)[^\n]*/iy

/**
 * Splits a text at each delimiter, as the client `mariadb` does (client/mysql.cc): `;`, or what a line `DELIMITER //` names.
 * That client also ends a routine at the first `;`. This function knows its body, so that it needs no DELIMITER.
 */
export function split(text: string, modes: Modes = driverModes): readonly StatementSpan[] {
	const pieces: StatementSpan[] = []
	let tokens: Token[] = []
	let delimiter = ';'
	const body = new Body()
	const finish = () => {
		const [first, last] = [tokens[0], tokens.findLast(token => !isBlank(token))]
		if (first && last)
			pieces.push({ start: first.start, end: last.end, tokens: tokens.slice(0, tokens.lastIndexOf(last) + 1) })
		tokens = []
		body.reset()
	}
	for (let at = 0; at < text.length; ) {
		const named = tokens.length === 0 && isLineStart(text, at) ? delimiterAt(text, at) : undefined
		if (named) {
			delimiter = named.delimiter
			at = named.end
			continue
		}
		const token = tokenAt(text, at, modes)
		const isDelimiter = text.startsWith(delimiter, at) && (token.kind === 'symbol' || token.kind === 'word')
		if (isDelimiter && (delimiter !== ';' || body.isOutside)) {
			finish()
			at += delimiter.length
			continue
		}
		// A name right before it, as in `end$$`.
		const inside = token.kind === 'word' && delimiter !== ';' ? text.slice(at, token.end).indexOf(delimiter) : -1
		const taken = inside > 0 ? { ...token, end: at + inside } : token
		at = taken.end
		body.enter(taken, text)
		if (tokens.length > 0 || !isBlank(taken)) tokens.push(taken)
	}
	finish()
	return pieces
}

const isLineStart = (text: string, at: number) => /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - 100), at))

function delimiterAt(text: string, at: number): { readonly delimiter: string; readonly end: number } | undefined {
	delimiterLine.lastIndex = at
	const found = delimiterLine.exec(text)
	return found?.[1] === undefined ? undefined : { delimiter: found[1], end: delimiterLine.lastIndex }
}

const routines = new Set(['procedure', 'function', 'trigger', 'event', 'package'])
/** What may come between CREATE and the kind of a routine. */
const beforeRoutine = new Set(['or', 'replace', 'definer', 'aggregate', 'current_user', 'current_role'])
/** Statements with others in them. CASE is an expression too, with the same end. */
const blocks = new Set(['if', 'loop', 'while', 'repeat', 'for'])
/** What comes before a statement in a body, beside `;` and a label. */
const beforeStatement = new Set('begin then else do loop repeat row deterministic data sql definer invoker'.split(' '))

/** Where a `;` does not end a statement: in the body of a routine, and in brackets of no statement. */
class Body {
	#words: string[] = []
	#isRoutine = false
	#depth = 0
	#last = ''
	#isEnd = false

	get isOutside(): boolean {
		return this.#depth === 0
	}

	reset(): void {
		this.#words = []
		this.#isRoutine = false
		this.#depth = 0
		this.#last = ''
		this.#isEnd = false
	}

	enter({ kind, start, end }: Token, text: string): void {
		if (kind === 'blank' || kind === 'comment') return
		const word = kind === 'word' ? text.slice(start, end).toLowerCase() : text.slice(start, Math.min(end, start + 1))
		this.#note(kind === 'word' ? word : '')
		if (this.#isRoutine && kind === 'word') this.#enterWord(word)
		else this.#isEnd = false
		this.#last = word
	}

	/** CREATE [OR REPLACE] [DEFINER = …] PROCEDURE, or BEGIN NOT ATOMIC, which runs at once. */
	#note(word: string): void {
		if (this.#isRoutine || this.#words.length > 12) return
		if (word !== '') this.#words.push(word)
		const [first, ...rest] = this.#words
		if (first === 'begin' && rest[0] === 'not' && rest[1] === 'atomic') {
			this.#isRoutine = true
			this.#depth = 1
		}
		const kind = rest.findIndex(one => routines.has(one))
		// The name of a definer is in quotes or one word.
		if (first === 'create' && kind >= 0 && (beforeRoutine.has(rest[0] ?? '') || kind === 0)) this.#isRoutine = true
	}

	#enterWord(word: string): void {
		const isAfterEnd = this.#isEnd
		this.#isEnd = false
		// The word behind END repeats what ends.
		if (isAfterEnd && (blocks.has(word) || word === 'case')) return
		if (word === 'end') {
			this.#depth = Math.max(0, this.#depth - 1)
			this.#isEnd = true
		} else if (word === 'begin' || word === 'case') this.#depth++
		else if (blocks.has(word) && this.#beginsStatement(word)) this.#depth++
	}

	/** IF and REPEAT are functions too, FOR belongs to a cursor or a trigger, and IF to IF EXISTS. */
	#beginsStatement(word: string): boolean {
		if (this.#last === ';' || this.#last === ':') return true
		if (this.#last === ')') return this.#depth === 0 && word !== 'for'
		return beforeStatement.has(this.#last)
	}
}
