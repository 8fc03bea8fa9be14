import type { DefinedColumn } from '@roundhouse/kit'
import { isBlank, type Token } from '@roundhouse/sql'
import { tokensOf, wordOf } from '../sql/lexer.ts'
import { inQuotes, quoted } from '../sql/names.ts'

/** Columns as SHOW CREATE TABLE writes them, and as SQL again. Pure. */

/** The word of the form for a column that numbers its rows. */
export const numberedWord = 'auto_increment'

/** Widths that the server writes, although they mean nothing. `tinyint(1)` stays: people read it as a boolean. */
const usualWidths = /^(tinyint\((?:4|3)\)|smallint\((?:6|5)\)|mediumint\((?:9|8)\)|int\((?:11|10)\)|bigint\(20\))/

const names: readonly (readonly [pattern: RegExp, short: string])[] = [
	[/^integer\b/, 'int'],
	[/^(?:numeric|dec|fixed)\b/, 'decimal'],
	[/^boolean\b|^bool\b/, 'tinyint(1)'],
	[/^double precision\b/, 'double'],
]

/** Returns a type in its short spelling. Values of an enumeration stay as they are. */
export function shortType(text: string): string {
	const trimmed = text
		.trim()
		.replace(/\s*\(\s*/g, '(')
		.replace(/\s*\)/g, ')')
	const plain = /['"`]/.test(trimmed)
		? trimmed
		: trimmed
				.toLowerCase()
				.replace(/\s*,\s*/g, ',')
				.replace(/\s+/g, ' ')
	const short = plain.replace(usualWidths, found => found.replace(/\(.*/, ''))
	for (const [pattern, name] of names) if (pattern.test(short)) return short.replace(pattern, name)
	return short
}

/** A part of the definition between two commas, as tokens without blanks. */
interface Part {
	readonly text: string
	readonly tokens: readonly Token[]
}

/** Returns the parts between the outermost parentheses of CREATE TABLE. */
function partsOf(sql: string): readonly Part[] {
	const tokens = tokensOf(sql)
	const symbol = ({ kind, start }: Token) => (kind === 'symbol' ? sql[start] : undefined)
	const parts: Part[] = []
	let [depth, current]: [number, Token[]] = [0, []]
	for (const token of tokens) {
		const mark = symbol(token)
		if (mark === ')') depth--
		if (depth === 0 && mark === ')') {
			parts.push({ text: sql, tokens: current })
			break
		}
		if (depth === 1 && mark === ',') {
			parts.push({ text: sql, tokens: current })
			current = []
		} else if (depth > 0 && !isBlank(token)) current.push(token)
		if (mark === '(') depth++
	}
	return parts
}

/** Reads the columns of SHOW CREATE TABLE. @param comments of the columns, by name */
export function readColumns(sql: string, comments: ReadonlyMap<string, string>): readonly DefinedColumn[] {
	return partsOf(sql).flatMap(part => {
		const [first] = part.tokens
		if (first?.kind !== 'quotedIdentifier') return []
		const name = sql.slice(first.start + 1, first.end - 1).replaceAll('``', '`')
		const { comment: _, ...column } = new ColumnReader(part, name).read()
		const comment = comments.get(name)
		return [{ id: name, name, ...column, ...(comment && { comment }) }]
	})
}

type ReadColumn = Omit<DefinedColumn, 'id' | 'name'>

const typeWords = new Set(['unsigned', 'zerofill', 'precision', 'varying'])

/** Reads one column: the parts that the form shows, and the others as its attributes. */
class ColumnReader {
	readonly #part: Part
	readonly #name: string
	#at = 1

	constructor(part: Part, name: string) {
		this.#part = part
		this.#name = name
	}

	read(): ReadColumn {
		const type = this.#type()
		let isNotNull = false
		let text: string | undefined
		const attributes: string[] = []
		while (this.#at < this.#part.tokens.length) {
			const word = this.#word()
			if (word === 'not' && this.#word(1) === 'null') {
				isNotNull = true
				this.#at += 2
			} else if (word === 'null') this.#at++
			else if (word === 'auto_increment') {
				text = numberedWord
				this.#at++
			} else if (word === 'default') {
				this.#at++
				text = this.#expression()
			} else if (word === 'generated' || word === 'as') {
				this.#at += word === 'as' ? 1 : 3
				const expression = this.#group()
				const kind = this.#word()
				this.#at++
				text = `as ${expression} ${kind === 'virtual' ? 'virtual' : 'stored'}`
			} else if (word === 'comment') this.#at += 2
			else attributes.push(this.#attribute())
		}
		const rest = attributes.join(' ')
		const isJson = /^longtext$/i.test(type) && /check \(json_valid\(/i.test(rest)
		return {
			type: isJson ? 'json' : shortType(type),
			isNotNull,
			...(text !== undefined && !/^null$/i.test(text) && { default: text }),
			...(rest !== '' && !isJson && { attributes: rest }),
		}
	}

	#type(): string {
		const from = this.#at++
		this.#skipGroup()
		while (typeWords.has(this.#word() ?? '')) this.#at++
		return this.#slice(from, this.#at)
	}

	/** A value, a call, or an expression in parentheses. */
	#expression(): string {
		const from = this.#at++
		// A sign, or the mark of a text in bits or digits.
		if (this.#slice(from, this.#at) === '-' || /^(?:b|x|_\w+)$/i.test(this.#slice(from, this.#at))) this.#at++
		if (this.#slice(from, this.#at).startsWith('(')) {
			this.#at = from
			return this.#group()
		}
		this.#skipGroup()
		return this.#slice(from, this.#at)
	}

	/** One attribute that the form does not show: up to the next word that begins another one. */
	#attribute(): string {
		const from = this.#at
		const word = this.#word()
		this.#at += word === 'character' ? 3 : word === 'collate' || word === 'charset' ? 2 : 1
		if (word === 'on') this.#at += 2
		this.#skipGroup()
		return this.#slice(from, this.#at)
	}

	#group(): string {
		const from = this.#at
		this.#skipGroup()
		return this.#slice(from, this.#at)
	}

	#skipGroup(): void {
		let depth = 0
		do {
			const token = this.#part.tokens[this.#at]
			const mark = token?.kind === 'symbol' ? this.#part.text[token.start] : undefined
			if (mark === '(') depth++
			if (depth === 0) return
			if (mark === ')') depth--
			this.#at++
		} while (depth > 0 && this.#at < this.#part.tokens.length)
	}

	#word(ahead = 0): string | undefined {
		const token = this.#part.tokens[this.#at + ahead]
		return token?.kind === 'word' ? wordOf(this.#part.text.slice(token.start, token.end)) : undefined
	}

	#slice(from: number, to: number): string {
		const [first, last] = [this.#part.tokens[from], this.#part.tokens[to - 1]]
		if (!first || !last) throw new Error(`The definition of the column ${this.#name} ends early.`)
		return this.#part.text.slice(first.start, last.end)
	}
}

const isText = (type: string) => /^(?:var)?char\b|text\b|^enum\b|^set\b/i.test(type)

/** Returns a column as SQL, with what it keeps of the attributes that it had. @param before absent: the column is new */
export function columnSql(column: DefinedColumn, isKey: boolean, before?: DefinedColumn): string {
	const { name, type, default: text = '', comment } = column
	const isComputed = /^\s*(?:generated\s+always\s+)?as\s*\(/i.test(text)
	const [head, check] = attributesOf(column, before)
	const isNumbered = text.trim().toLowerCase() === numberedWord
	return [
		quoted(name),
		type.trim(),
		head,
		isComputed ? text : undefined,
		// A computed column takes no word about NULL, and a timestamp without one takes none.
		isComputed ? undefined : column.isNotNull || isKey ? 'not null' : 'null',
		isNumbered ? numberedWord : undefined,
		isComputed || isNumbered || text.trim() === '' ? undefined : `default ${text}`,
		comment ? `comment ${commentText(comment)}` : undefined,
		check,
	]
		.filter(part => part !== undefined && part !== '')
		.join(' ')
}

/** A comment is a text in quotes, in which a backslash begins an escape unless `sql_mode` says otherwise. */
export const commentText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** A check stands at the end of a column. It names the column, and a type other than a text has no character set. */
function attributesOf({ name, type, attributes = '' }: DefinedColumn, before: DefinedColumn | undefined) {
	const renamed = before ? attributes.replaceAll(inQuotes(before.name), () => inQuotes(name)) : attributes
	const kept = isText(type) ? renamed : renamed.replace(/\b(?:character set|charset|collate) \S+ ?/gi, '')
	const at = kept.search(/\bcheck \(/i)
	return at < 0 ? [kept.trim(), undefined] : [kept.slice(0, at).trim(), kept.slice(at)]
}
