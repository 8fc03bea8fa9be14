import { type Token, tokensOf } from './lexer.ts'

/** A statement in a text, without the blanks and comments around it and without its `;`. */
export interface Piece {
	readonly start: number
	readonly end: number
	readonly tokens: readonly Token[]
}

/**
 * Splits a text at each `;` outside of brackets and of the body of a function, as psql does
 * (src/fe_utils/psqlscan.l). Pieces without words are left out.
 */
export function split(text: string): readonly Piece[] {
	const pieces: Piece[] = []
	let tokens: Token[] = []
	const depth = new Depth()
	const finish = () => {
		const [first, last] = [tokens[0], tokens.findLast(token => !isBlank(token))]
		if (first && last)
			pieces.push({ start: first.start, end: last.end, tokens: tokens.slice(0, tokens.lastIndexOf(last) + 1) })
		tokens = []
		depth.reset()
	}
	for (const token of tokensOf(text)) {
		const isSymbol = token.kind === 'symbol'
		if (isSymbol && text[token.start] === ';' && depth.isOutside) {
			finish()
			continue
		}
		depth.enter(token, text)
		if (tokens.length > 0 || !isBlank(token)) tokens.push(token)
	}
	finish()
	return pieces
}

export const isBlank = ({ kind }: Token) => kind === 'blank' || kind === 'comment'

/** Where a `;` does not end a statement: in brackets, and in a body between BEGIN and END. */
class Depth {
	#brackets = 0
	#bodies = 0
	#words: string[] = []

	get isOutside(): boolean {
		return this.#brackets === 0 && this.#bodies === 0
	}

	reset(): void {
		this.#brackets = 0
		this.#bodies = 0
		this.#words = []
	}

	enter({ kind, start, end }: Token, text: string): void {
		if (kind === 'symbol' && text[start] === '(') this.#brackets++
		if (kind === 'symbol' && text[start] === ')') this.#brackets = Math.max(0, this.#brackets - 1)
		if (kind !== 'word') return
		const word = text.slice(start, end).toLowerCase()
		if (this.#words.length < 4) this.#words.push(word)
		const [first, ...rest] = this.#words
		const made = rest[0] === 'or' && rest[1] === 'replace' ? rest[2] : rest[0]
		if (first !== 'create' || (made !== 'function' && made !== 'procedure')) return
		if (word === 'begin' || (word === 'case' && this.#bodies > 0)) this.#bodies++
		if (word === 'end' && this.#bodies > 0) this.#bodies--
	}
}
