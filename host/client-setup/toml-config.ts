import { type ConfigForm, lineEndOf, type Place, UnreadableConfig } from './config-form.ts'

/**
 * TOML, where an entry is a table of its own: it is put at the end, and cut out by its lines. Only tables are looked for;
 * values are skipped by their brackets and quotes, never read.
 */
export const tomlConfig: ConfigForm = {
	read(text, place) {
		const tables = ourTables(text, place)
		return tables.length > 0 ? tables.map(({ start, end }) => text.slice(start, end)).join('') : undefined
	},
	write(text, place, value) {
		const table = typeof value === 'string' ? value : tableOf(place, value, lineEndOf(text))
		if (tomlConfig.read(text, place) === table) return text
		const rest = tomlConfig.remove(text, place, { section: false, file: false })
		const eol = lineEndOf(text)
		const gap = rest === '' ? '' : rest.endsWith('\n') ? eol : eol + eol
		return `${rest}${gap}${table}`
	},
	remove(text, place) {
		let left = text
		for (const { start, end } of ourTables(text, place).reverse()) {
			const eol = lineEndOf(text)
			// With the empty line that stands between it and what is before.
			const from = left.slice(0, start).endsWith(eol + eol) ? start - eol.length : start
			left = left.slice(0, from) + left.slice(end)
		}
		return left
	},
	// A table needs none.
	hasSection: () => true,
}

interface Table {
	readonly name: readonly string[]
	readonly start: number
	/** After its last line that is neither empty nor a comment: those belong to what follows. */
	end: number
}

function ourTables(text: string, place: Place): Table[] {
	return tablesIn(text, place).filter(({ name }) => place.every((part, at) => name[at] === part))
}

/** @throws UnreadableConfig also where our entry may stand in another way than as a table */
function tablesIn(text: string, [section, ours]: Place): Table[] {
	const tables: Table[] = []
	let at = 0
	while (at < text.length) {
		const line = /[^\n]*\n?/y
		line.lastIndex = at
		const [whole] = line.exec(text) ?? ['']
		const content = whole.trim()
		const table = tables.at(-1)
		if (content === '' || content.startsWith('#')) at += whole.length
		else if (content.startsWith('[')) {
			at += whole.length
			const name = headerOf(content)
			if (name[0] === section && content.startsWith('[[')) throw new UnreadableConfig(`"${section}" is a list`)
			tables.push({ name, start: at - whole.length, end: at })
		} else {
			const [first] = keysOf(/^[^=]*/.exec(content)?.[0] ?? '')
			const [name, ...deeper] = table?.name ?? []
			if (name === undefined ? first === section : name === section && deeper.length === 0 && first === ours) {
				throw new UnreadableConfig(`"${first}" is no table of its own`)
			}
			at = endOfValue(text, at)
			if (table) table.end = at
		}
	}
	return tables
}

/** @throws UnreadableConfig */
function headerOf(line: string): readonly string[] {
	const inner = /^\[((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\]"'])*)\]\s*(?:#.*)?$/.exec(
		line.replace(/^\[(\[.*\])\]/, '$1'),
	)?.[1]
	if (inner === undefined) throw new UnreadableConfig(`"${line}" is no table`)
	return keysOf(inner)
}

function keysOf(dotted: string): readonly string[] {
	const keys = dotted.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s."']+)/g)
	return [...keys].map(([, basic, literal, bare]) => basic ?? literal ?? bare ?? '')
}

const quotes = ['"""', "'''", '"', "'"] as const

/** Past the line on which the value ends that begins on the line at `from`. @throws UnreadableConfig */
function endOfValue(text: string, from: number): number {
	let depth = 0
	for (let at = from; at < text.length; ) {
		const quote = quotes.find(quote => text.startsWith(quote, at))
		const char = text[at]
		if (quote) at = endOfString(text, at, quote)
		else if (char === '#') {
			const end = text.indexOf('\n', at)
			at = end < 0 ? text.length : end
		} else {
			if (char === '[' || char === '{') depth++
			if (char === ']' || char === '}') depth--
			at++
			if (char === '\n' && depth <= 0) return at
		}
	}
	if (depth > 0) throw new UnreadableConfig('a bracket is not closed')
	return text.length
}

/** @throws UnreadableConfig */
function endOfString(text: string, from: number, quote: (typeof quotes)[number]): number {
	for (let at = from + quote.length; at < text.length; at++) {
		if (text[at] === '\\' && quote.startsWith('"')) at++
		else if (quote.length === 1 && text[at] === '\n') break
		else if (text.startsWith(quote, at)) {
			// Up to two more quotes before the closing three belong to the text.
			let end = at + quote.length
			while (quote.length === 3 && text[end] === quote[0] && end < at + 5) end++
			return end
		}
	}
	throw new UnreadableConfig('a text is not closed')
}

/** A text in JSON's form is one in TOML's as well. */
function tableOf(place: Place, value: unknown, eol: string): string {
	const lines = Object.entries(value as object).map(([key, part]) => `${key} = ${inline(part)}`)
	return [`[${place.join('.')}]`, ...lines, ''].join(eol)
}

function inline(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
	if (typeof value !== 'object' || value === null) return JSON.stringify(value)
	const parts = Object.entries(value).map(([key, part]) => `${JSON.stringify(key)} = ${inline(part)}`)
	return `{ ${parts.join(', ')} }`
}
