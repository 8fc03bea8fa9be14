import { type ConfigFormat, type ConfigPath, lineEndOf, UnreadableConfig } from './config-format.ts'

/**
 * TOML, in which an entry is a separate table. It is appended at the end and removed by its lines. Only tables are
 * parsed; values are skipped by their brackets and quotes.
 */
export const tomlConfig: ConfigFormat = {
	read(text, entryPath) {
		const tables = entryTables(text, entryPath)
		return tables.length > 0 ? tables.map(({ start, end }) => text.slice(start, end)).join('') : undefined
	},
	write(text, entryPath, value) {
		const table = typeof value === 'string' ? value : tableOf(entryPath, value, lineEndOf(text))
		if (tomlConfig.read(text, entryPath) === table) return text
		const rest = tomlConfig.remove(text, entryPath, { section: false, file: false })
		const eol = lineEndOf(text)
		const gap = rest === '' ? '' : rest.endsWith('\n') ? eol : eol + eol
		return `${rest}${gap}${table}`
	},
	remove(text, entryPath) {
		let left = text
		for (const { start, end } of entryTables(text, entryPath).reverse()) {
			const eol = lineEndOf(text)
			// Also removes the empty line before the table.
			const from = left.slice(0, start).endsWith(eol + eol) ? start - eol.length : start
			left = left.slice(0, from) + left.slice(end)
		}
		return left
	},
	// A table needs no section.
	hasSection: () => true,
}

interface Table {
	readonly name: readonly string[]
	readonly start: number
	/** End of its last line that is not empty or a comment, because those belong to the next table. */
	end: number
}

function entryTables(text: string, entryPath: ConfigPath): Table[] {
	return tablesIn(text, entryPath).filter(({ name }) => entryPath.every((part, at) => name[at] === part))
}

/** @throws UnreadableConfig also if the entry could exist in another syntax than as a table */
function tablesIn(text: string, [section, entry]: ConfigPath): Table[] {
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
			if (name === undefined ? first === section : name === section && deeper.length === 0 && first === entry) {
				throw new UnreadableConfig(`"${first}" is not a separate table`)
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
	if (inner === undefined) throw new UnreadableConfig(`"${line}" is not a table`)
	return keysOf(inner)
}

function keysOf(dotted: string): readonly string[] {
	const keys = dotted.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s."']+)/g)
	return [...keys].map(([, basic, literal, bare]) => basic ?? literal ?? bare ?? '')
}

const quotes = ['"""', "'''", '"', "'"] as const

/** Returns the end of the last line of the value that begins on the line at `from`. @throws UnreadableConfig */
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

/** Returns the table of an entry. JSON strings are valid TOML strings. */
function tableOf(entryPath: ConfigPath, value: unknown, eol: string): string {
	const lines = Object.entries(value as object).map(([key, part]) => `${key} = ${inline(part)}`)
	return [`[${entryPath.join('.')}]`, ...lines, ''].join(eol)
}

function inline(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
	if (typeof value !== 'object' || value === null) return JSON.stringify(value)
	const parts = Object.entries(value).map(([key, part]) => `${JSON.stringify(key)} = ${inline(part)}`)
	return `{ ${parts.join(', ')} }`
}
