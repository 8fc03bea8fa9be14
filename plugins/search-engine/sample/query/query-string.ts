import type { JsonObject } from '@roundhouse/kit'
import { notInSample } from '../values/failure.ts'

/**
 * Translates Lucene query syntax to the query DSL: words, phrases, fields, groups, AND, OR, NOT, + and -, ranges,
 * wildcards, `_exists_`. Boosts are parsed but ignored, because they change the score alone. Fuzziness and slop are refused.
 */

/** Returns the DSL, given the fields behind a field name. `undefined` is the default field. */
export type ParsedQuery = (fieldsOf: (field: string | undefined) => readonly string[]) => JsonObject

/** Returns `undefined` if the text is not valid query syntax. */
export function parseQueryString(text: string, defaultOperator: 'and' | 'or'): ParsedQuery | undefined {
	const parser = new Parser(text, defaultOperator)
	try {
		return parser.parse()
	} catch (error) {
		if (error instanceof SyntaxError) return undefined
		throw error
	}
}

type Occur = 'must' | 'must_not' | 'should'

class Parser {
	readonly #text: string
	readonly #isAnd: boolean
	#at = 0

	constructor(text: string, defaultOperator: 'and' | 'or') {
		this.#text = text
		this.#isAnd = defaultOperator === 'and'
	}

	parse(): ParsedQuery {
		const query = this.#clauses(undefined)
		this.#skip()
		if (this.#at < this.#text.length) throw new SyntaxError('unexpected )')
		return query
	}

	#clauses(field: string | undefined): ParsedQuery {
		const clauses: { occur: Occur; query: ParsedQuery }[] = []
		let joinsAnd = this.#isAnd
		while (this.#more()) {
			const word = this.#take(/(?:AND\b|OR\b|&&|\|\|)\s*/y)
			if (word !== undefined) {
				if (clauses.length === 0) throw new SyntaxError('operator without a left side')
				joinsAnd = /AND|&&/.test(word)
				const last = clauses.at(-1)
				if (joinsAnd && last?.occur === 'should') last.occur = 'must'
				if (!this.#more()) throw new SyntaxError('operator without a right side')
			}
			const sign = this.#take(/(?:NOT\b\s*|!|-|\+)/y)
			const occur: Occur = sign === undefined ? (joinsAnd ? 'must' : 'should') : sign === '+' ? 'must' : 'must_not'
			clauses.push({ occur, query: this.#clause(field) })
			joinsAnd = this.#isAnd
		}
		if (clauses.length === 0) throw new SyntaxError('empty')
		return fieldsOf => {
			const [only] = clauses
			if (only !== undefined && clauses.length === 1 && only.occur !== 'must_not') return only.query(fieldsOf)
			const groups = Map.groupBy(clauses, clause => clause.occur)
			return {
				bool: Object.fromEntries(
					[...groups].map(([occur, group]) => [occur, group.map(({ query }) => query(fieldsOf))]),
				),
			}
		}
	}

	#clause(outer: string | undefined): ParsedQuery {
		if (this.#take(/\*:\*/y) !== undefined) return () => ({ match_all: {} })
		const named = this.#take(
			/(?!(?:AND|OR|NOT)\s*:)(?:[^\s+\-!(){}[\]^"~*?:\\/<>=]|\\.)(?:[^\s!(){}[\]^"~*?:\\/<>=]|\\.|\*)*\s*:(?!:)/y,
		)
		const field = named === undefined ? outer : unescaped(named.slice(0, -1).trimEnd())
		this.#skip()
		if (this.#take(/\(/y) !== undefined) {
			const group = this.#clauses(field)
			this.#skip()
			if (this.#take(/\)/y) === undefined) throw new SyntaxError('missing )')
			this.#take(/\^[\d.]+/y)
			return group
		}
		const query = this.#range(field) ?? this.#phrase(field) ?? this.#regexp(field) ?? this.#word(field)
		this.#take(/\^[\d.]+/y)
		if (this.#text[this.#at] === '~') throw notInSample('[~], fuzziness or slop, in a query string')
		return query
	}

	#range(field: string | undefined): ParsedQuery | undefined {
		const whole = this.#take(/[[{]\s*(?:"[^"]*"|[^\s\]}]+)\s+TO\s+(?:"[^"]*"|[^\s\]}]+)\s*[\]}]/y)
		if (whole === undefined) return undefined
		const [, low = '*', high = '*'] = /^.\s*("[^"]*"|\S+)\s+TO\s+("[^"]*"|[^\s\]}]+)/.exec(whole) ?? []
		const from = whole.startsWith('[') ? 'gte' : 'gt'
		const to = whole.endsWith(']') ? 'lte' : 'lt'
		return rangeQuery(field, { ...bound(from, low), ...bound(to, high) })
	}

	#phrase(field: string | undefined): ParsedQuery | undefined {
		if (this.#text[this.#at] !== '"') return undefined
		const quoted = this.#take(/"(?:[^"\\]|\\.)*"/sy)
		if (quoted === undefined) throw new SyntaxError('open quote')
		return onFields(field, name => ({ match_phrase: { [name]: unescaped(quoted.slice(1, -1)) } }))
	}

	#regexp(field: string | undefined): ParsedQuery | undefined {
		const slashed = this.#take(/\/(?:[^/\\]|\\.)*\//sy)
		return slashed === undefined ? undefined : onFields(field, name => ({ regexp: { [name]: slashed.slice(1, -1) } }))
	}

	#word(field: string | undefined): ParsedQuery {
		const word = this.#take(/(?:[^\s(){}[\]^"~:\\/]|\\.)+/suy)
		if (word === undefined || /^(?:AND|OR|NOT)$/.test(word)) throw new SyntaxError('nothing to search for')
		// The engine finds these signs in the text of a word, so a quoted text after them is another condition.
		const [, inclusive, least = '', strict, above = ''] = /^(?:([<>])=(.+)|([<>])(.+))$/s.exec(word) ?? []
		if (field !== undefined && inclusive !== undefined)
			return rangeQuery(field, bound(inclusive === '>' ? 'gte' : 'lte', least))
		if (field !== undefined && strict !== undefined)
			return rangeQuery(field, bound(strict === '>' ? 'gt' : 'lt', above))
		if (field === '_exists_') return () => ({ exists: { field: unescaped(word) } })
		if (word === '*')
			return field === undefined ? () => ({ match_all: {} }) : onFields(field, name => ({ exists: { field: name } }))
		if (/(?<!\\)[*?]/.test(word))
			return onFields(field, name => ({ wildcard: { [name]: { value: word, case_insensitive: true } } }))
		return onFields(field, name => ({ match: { [name]: unescaped(word) } }))
	}

	#more(): boolean {
		this.#skip()
		return this.#at < this.#text.length && this.#text[this.#at] !== ')'
	}

	#skip() {
		this.#take(/\s+/y)
	}

	#take(pattern: RegExp): string | undefined {
		pattern.lastIndex = this.#at
		const match = pattern.exec(this.#text)
		if (match === null) return undefined
		this.#at += match[0].length
		return match[0]
	}
}

/**
 * A query over several fields matches if one of them matches. A value that does not match a field's type is not an
 * error.
 */
function onFields(field: string | undefined, make: (name: string) => JsonObject): ParsedQuery {
	return fieldsOf => ({ lenient_any: fieldsOf(field).map(make) })
}

function rangeQuery(field: string | undefined, limits: JsonObject): ParsedQuery {
	return onFields(field, name => ({ range: { [name]: limits } }))
}

function bound(name: string, text: string): JsonObject {
	return text === '*' ? {} : { [name]: unescaped(text.replace(/^"|"$/g, '')) }
}

function unescaped(text: string): string {
	return text.replaceAll(/\\(.)/gs, '$1')
}
