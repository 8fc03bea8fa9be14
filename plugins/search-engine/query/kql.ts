import { type JsonObject, stringifyJson } from '@roundhouse/kit'
import type { Field } from '../mapping/field.ts'
import { isText } from '../mapping/field-type.ts'
import { type Mapping, nestedPaths } from '../mapping/mapping.ts'
import { nest } from './clause.ts'
import { comparedWith, withComparisons } from './lucene-comparisons.ts'
import { escapedPattern, isObject, keywordTypes, otherSyntax } from './lucene-slips.ts'
import { plain, typedText } from './lucene-syntax.ts'

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
	/** The nested objects that the text is about, outermost first. */
	readonly nestedIn?: readonly string[]
	/** A condition that has conditions on nested objects in it. It is used in place of the text. */
	readonly query?: JsonObject
}

/** The text is not in this language. */
class NotReadable extends Error {}

/**
 * Returns a query of the Kibana Query Language in Lucene syntax, or as a clause in JSON if it has conditions on nested
 * objects, which Lucene syntax cannot express. Returns `undefined` for a text that is not in this language.
 */
export function translatedKql(text: string, mapping: Mapping): string | undefined {
	try {
		return new Reader(tokensOf(text), mapping).read()
	} catch (error) {
		if (error instanceof NotReadable) return undefined
		throw error
	}
}

/**
 * Returns what a text with a mark of the language means for the engine. A text without one is Lucene syntax. Some texts
 * with a mark are valid Lucene syntax with another meaning, so the user must see the correction.
 */
export function correctionOf(text: string, mapping: Mapping): string | undefined {
	if (otherSyntax(text, mapping).length === 0) return undefined
	return translatedKql(text, mapping) ?? withReadComparisons(text, mapping)
}

/** Returns a text in Lucene syntax of which only comparisons have another meaning. */
function withReadComparisons(text: string, mapping: Mapping): string | undefined {
	const fixed = withComparisons(text, mapping.fields)
	return fixed === undefined || otherSyntax(fixed, mapping).length > 0 ? undefined : fixed
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
	/** The nested objects in whose braces the reader is, outermost first. */
	#within: readonly string[] = []
	/** The path of the object in whose braces the reader is. Names in braces lack it. */
	#prefix = ''

	constructor(tokens: readonly Token[], mapping: Mapping) {
		this.#tokens = tokens
		this.#mapping = mapping
	}

	read(): string {
		const clause = this.#nested(this.#or(() => this.#condition()))
		if (this.#at < this.#tokens.length) throw new NotReadable()
		return clause.query === undefined ? clause.text : stringifyJson(clause.query)
	}

	#or(operand: ReadOperand): Clause {
		const clauses = this.#series('or', () => this.#and(operand))
		if (clauses.length === 1 && clauses[0]) return clauses[0]
		const all = clauses.map(clause => this.#nested(clause))
		if (all.some(({ query }) => query)) return ofQuery({ bool: { should: all.map(queryOf) } })
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
		// Conditions on one nested object apply to the same element, as those of filters do.
		const all = [...Map.groupBy(clauses, ({ nestedIn = [] }) => nestedIn.join(' ')).values()].flatMap(group =>
			group[0]?.nestedIn === undefined ? group : [this.#nested({ ...allOf(group), nestedIn: group[0].nestedIn })],
		)
		const isOne = all.length === 1 || all.every(({ query }) => query === undefined)
		return isOne ? allOf(all) : ofQuery({ bool: { must: all.map(queryOf) } })
	}

	#not(operand: ReadOperand): Clause {
		if (!this.#skip('not')) return operand()
		const clause = this.#nested(this.#not(operand))
		if (clause.query) return ofQuery({ bool: { must_not: [clause.query] } })
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
		if (this.#prefix !== '') throw new NotReadable()
		return this.#words(undefined)
	}

	#comparison(given: string, mark: string): Clause {
		const name = this.#prefix === '' ? given : `${this.#prefix}.${given}`
		const { fields } = this.#mapping
		const field = fieldNamed(plain(name), fields)
		if (mark === ':' && isObject(plain(name), fields) && this.#skip('{')) return this.#inBraces(name)
		if (field === undefined && this.#prefix !== '') throw new NotReadable()
		if (mark === ':' && field?.type === 'nested' && this.#skip('{')) return this.#braced(field)
		const nestedIn = field?.nestedIn.slice(this.#within.length) ?? []
		const condition = this.#onField(name, mark, field)
		return nestedIn.length === 0 ? condition : { ...condition, nestedIn }
	}

	/** Reads conditions on one element of a nested object, after the opening brace. */
	#braced(field: Field): Clause {
		const outer = this.#within
		this.#within = nestedPaths(field)
		const clause = this.#nested(this.#inBraces(field.path))
		this.#within = outer
		const paths = nestedPaths(field).slice(outer.length)
		return ofQuery(nest(queryOf(clause), paths, this.#mapping))
	}

	/** Reads conditions on the fields of an object, after the opening brace. */
	#inBraces(path: string): Clause {
		const outer = this.#prefix
		this.#prefix = path
		const clause = this.#or(() => this.#condition())
		this.#prefix = outer
		if (!this.#skip('}')) throw new NotReadable()
		return clause
	}

	/** Returns a clause that is no longer about elements of nested objects. */
	#nested({ nestedIn, ...clause }: Clause): Clause {
		return nestedIn === undefined ? clause : { ...clause, query: nest(queryOf(clause), nestedIn, this.#mapping) }
	}

	#onField(name: string, mark: string, field: Field | undefined): Clause {
		const isOneValue = field !== undefined && !isText(field.type)
		const before = `${escapedPattern(name)}:`
		if (mark !== ':') return { text: before + this.#compared(mark, keywordTypes.has(field?.type ?? '')), kind: 'plain' }
		if (!this.#skip('(')) return this.#value(before, isOneValue)
		// NOT among the values of a field would exclude documents without the field.
		const isRepeated = this.#hasNot()
		const values = this.#closed(this.#or(() => this.#value(isRepeated ? before : '', isOneValue)))
		return isRepeated ? values : { text: `${before}(${values.text})`, kind: 'plain' }
	}

	/** Reads a value after a sign of comparison. */
	#compared(mark: string, mayHaveWords: boolean): string {
		const first = this.#peek()
		const { text } = mayHaveWords ? this.#words(true) : { text: literal(this.#take()) }
		if (first?.kind === 'mark') throw new NotReadable()
		return text.startsWith('"') ? comparedWith(mark, typedText(text)) : mark + text
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
			const after = this.#tokens[this.#at + 1]
			if (after?.kind === 'mark' && !')}'.includes(after.text)) throw new NotReadable()
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

/** Returns a field, or another index form of its values: `title.keyword`. */
function fieldNamed(name: string, fields: Mapping['fields']): Field | undefined {
	const dot = name.lastIndexOf('.')
	return fields.get(name) ?? (dot < 0 ? undefined : fields.get(name.slice(0, dot))?.subfields.get(name.slice(dot + 1)))
}

const isOperator = ({ kind, text }: Token) => kind === 'word' && /^(?:and|or|not)$/i.test(text)

const ofQuery = (query: JsonObject): Clause => ({ text: '', kind: 'plain', query })

const queryOf = ({ text, query }: Clause): JsonObject => query ?? { query_string: { query: text, lenient: true } }

const allOf = (clauses: readonly Clause[]): Clause =>
	clauses.length === 1 && clauses[0] ? clauses[0] : { text: clauses.map(enclosed).join(' AND '), kind: 'and' }

const enclosed = ({ text, kind }: Clause) => (kind === 'or' || kind === 'and' ? `(${text})` : text)

/** A word in which Lucene syntax has no marks but `*`. */
function literal({ kind, text }: Token): string {
	return kind === 'quoted' ? text : text.replaceAll(/\\.|[+\-!?/&|=]/g, mark => (mark.length > 1 ? mark : `\\${mark}`))
}
