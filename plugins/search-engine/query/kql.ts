import { isText } from '../mapping/field-type.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { otherSyntax, plain } from './lucene-slips.ts'

/** The Kibana Query Language, which users of Kibana type out of habit. The engine does not know it. */

interface Token {
	readonly kind: 'quoted' | 'word' | 'mark'
	readonly text: string
}

const pieces = /\s*(?:(?<quoted>"(?:\\.|[^"\\])*")|(?<mark>[():{}]|[<>]=?)|(?<word>(?:\\.|[^\s"():{}<>\\])+))/gsu
/** Marks of Lucene syntax. A text that has one was not meant in the other language. */
const luceneOnly = /^[+!-]|[[\]^~]|&&|\|\||^\/(?:\\.|[^/\\])*\/$/

interface Clause {
	readonly text: string
	/** `plain` needs no parentheses in any place. */
	readonly kind: 'plain' | 'and' | 'or' | 'not'
}

/** The text is not in this language. */
class NotReadable extends Error {}

/**
 * Returns a query of the Kibana Query Language in Lucene syntax. Returns `undefined` for a text that is not in this
 * language, and for conditions on nested objects, which Lucene syntax cannot express.
 */
export function kqlInLuceneSyntax(text: string, mapping: Mapping): string | undefined {
	try {
		return new Reader(tokensOf(text), mapping).read()
	} catch (error) {
		if (error instanceof NotReadable) return undefined
		throw error
	}
}

/**
 * Returns what a text with a mark of the language is in Lucene syntax. A text without one is Lucene syntax. Some texts
 * with a mark are valid Lucene syntax with another meaning, so the user must see the correction.
 */
export function correctionOf(text: string, mapping: Mapping): string | undefined {
	return otherSyntax(text, mapping).length > 0 ? kqlInLuceneSyntax(text, mapping) : undefined
}

function tokensOf(text: string): readonly Token[] {
	const tokens: Token[] = []
	let end = 0
	for (const { index, 0: piece, groups = {} } of text.trimEnd().matchAll(pieces)) {
		if (index !== end) throw new NotReadable()
		end = index + piece.length
		const { quoted, mark, word } = groups
		if (word !== undefined && luceneOnly.test(word)) throw new NotReadable()
		tokens.push(
			quoted !== undefined
				? { kind: 'quoted', text: quoted }
				: mark !== undefined
					? { kind: 'mark', text: mark }
					: { kind: 'word', text: word ?? '' },
		)
	}
	if (end !== text.trimEnd().length) throw new NotReadable()
	return tokens
}

/** What reads the operands of `and`, `or` and `not`: conditions, or the values of one field. */
type ReadOperand = () => Clause

class Reader {
	readonly #tokens: readonly Token[]
	readonly #mapping: Mapping
	#at = 0

	constructor(tokens: readonly Token[], mapping: Mapping) {
		this.#tokens = tokens
		this.#mapping = mapping
	}

	read(): string {
		const { text } = this.#or(() => this.#condition())
		if (this.#at < this.#tokens.length) throw new NotReadable()
		return text
	}

	#or(operand: ReadOperand): Clause {
		const clauses = this.#series('or', () => this.#and(operand))
		if (clauses.length === 1 && clauses[0]) return clauses[0]
		// In Lucene syntax, operators have no precedence, and NOT excludes from the whole.
		const parts = clauses.map(({ text, kind }) => {
			if (kind === 'not') return `(*:* AND ${text})`
			return kind === 'and' ? `(${text})` : text
		})
		return { text: parts.join(' OR '), kind: 'or' }
	}

	#and(operand: ReadOperand): Clause {
		const clauses = this.#series('and', () => this.#not(operand))
		if (clauses.length === 1 && clauses[0]) return clauses[0]
		return { text: clauses.map(enclosed).join(' AND '), kind: 'and' }
	}

	#not(operand: ReadOperand): Clause {
		if (!this.#skip('not')) return operand()
		const clause = this.#not(operand)
		return { text: `NOT ${clause.kind === 'plain' ? clause.text : `(${clause.text})`}`, kind: 'not' }
	}

	#series(operator: string, read: () => Clause): readonly Clause[] {
		const clauses = [read()]
		while (this.#skip(operator)) clauses.push(read())
		return clauses
	}

	#condition(): Clause {
		if (this.#skip('(')) return this.#closed(this.#or(() => this.#condition()))
		const name = this.#peek()
		const mark = this.#tokens[this.#at + 1]
		if (name?.kind === 'word' && mark?.kind === 'mark' && !'(){}'.includes(mark.text)) {
			this.#at += 2
			const next = this.#peek()
			// Lucene syntax, which is mixed in by habit: `year:>2000`.
			const isCompared = mark.text === ':' && next?.kind === 'mark' && /^[<>]/.test(next.text)
			return this.#comparison(name.text, isCompared ? this.#take().text : mark.text)
		}
		return this.#words(undefined)
	}

	#comparison(name: string, mark: string): Clause {
		const field = this.#mapping.fields.get(plain(name))
		if ((field?.nestedIn.length ?? 0) > 0) throw new NotReadable()
		const isOneValue = field !== undefined && !isText(field.type)
		const before = `${name}:${mark === ':' ? '' : mark}`
		if (mark !== ':') {
			const value = this.#take()
			if (value.kind === 'mark') throw new NotReadable()
			return { text: before + literal(value), kind: 'plain' }
		}
		if (!this.#skip('(')) return this.#value(before, isOneValue)
		// NOT among the values of a field would exclude documents without the field.
		const isRepeated = this.#hasNot()
		const values = this.#closed(this.#or(() => this.#value(isRepeated ? before : '', isOneValue)))
		return isRepeated ? values : { text: `${before}(${values.text})`, kind: 'plain' }
	}

	#value(before: string, isOneValue: boolean): Clause {
		if (this.#skip('(')) return this.#closed(this.#or(() => this.#value(before, isOneValue)))
		const { text, kind } = this.#words(isOneValue)
		return { text: before + (kind === 'plain' ? text : `(${text})`), kind: 'plain' }
	}

	/** Whether there is an operator `not` before the closing parenthesis. */
	#hasNot(): boolean {
		let depth = 1
		for (const token of this.#tokens.slice(this.#at)) {
			if (token.text === '(') depth++
			if (token.text === ')') depth--
			if (depth === 0) return false
			if (isOperator(token) && token.text.toLowerCase() === 'not') return true
		}
		return false
	}

	/** Reads words up to an operator. They are one value, or any of them may match. */
	#words(isOneValue: boolean | undefined): Clause {
		const first = this.#take()
		if (first.kind === 'mark') throw new NotReadable()
		if (first.kind === 'quoted') return { text: first.text, kind: 'plain' }
		const words = [first]
		for (let next = this.#peek(); next?.kind === 'word' && !isOperator(next); next = this.#peek()) {
			// The next condition begins without an operator before it.
			if (this.#tokens[this.#at + 1]?.kind === 'mark' && !')'.includes(this.#tokens[this.#at + 1]?.text ?? ''))
				throw new NotReadable()
			words.push(this.#take())
		}
		if (words.length === 1) return { text: literal(first), kind: 'plain' }
		if (!isOneValue) return { text: words.map(literal).join(' '), kind: 'or' }
		const value = words.map(({ text }) => plain(text)).join(' ')
		// A pattern cannot be quoted, and a blank ends it otherwise.
		if (value.includes('*')) return { text: words.map(literal).join('\\ '), kind: 'plain' }
		return { text: `"${value.replaceAll(/["\\]/g, '\\$&')}"`, kind: 'plain' }
	}

	/** @returns the clause before the closing parenthesis */
	#closed(clause: Clause): Clause {
		if (!this.#skip(')')) throw new NotReadable()
		return clause
	}

	#peek(): Token | undefined {
		return this.#tokens[this.#at]
	}

	/** Goes past an operator or a parenthesis if it is next. */
	#skip(text: string): boolean {
		const next = this.#peek()
		const isNext = next !== undefined && next.kind !== 'quoted' && next.text.toLowerCase() === text
		if (isNext) this.#at++
		return isNext
	}

	#take(): Token {
		const token = this.#peek()
		if (token === undefined || isOperator(token)) throw new NotReadable()
		this.#at++
		return token
	}
}

const isOperator = ({ kind, text }: Token) => kind === 'word' && /^(?:and|or|not)$/i.test(text)

const enclosed = ({ text, kind }: Clause) => (kind === 'or' || kind === 'and' ? `(${text})` : text)

/** A word in which Lucene syntax has no marks but `*`. */
function literal({ kind, text }: Token): string {
	return kind === 'quoted' ? text : text.replaceAll(/\\.|[+\-!?/&|=]/g, mark => (mark.length > 1 ? mark : `\\${mark}`))
}
