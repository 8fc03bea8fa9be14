import { type ConfigFormat, type ConfigPath, lineEndOf, UnreadableConfig } from './config-format.ts'

/**
 * YAML, limited to one section of a top-level mapping. It is parsed by lines and indents, and other syntax is refused.
 * In such a mapping, only keys, comments and list items are not indented.
 */
export const yamlConfig: ConfigFormat = {
	read(text, entryPath) {
		const { entry } = parseSection(text, entryPath)
		return entry && text.slice(entry.start, entry.end)
	},
	write(text, entryPath, value) {
		const { section, entry, indent } = parseSection(text, entryPath)
		const eol = lineEndOf(text)
		const block = typeof value === 'string' ? value : blockOf(entryPath, value, { indent, eol })
		if (entry) return text.slice(0, entry.start) + block + text.slice(entry.end)
		if (section) {
			const line = text.slice(section.start, section.end)
			const head = section.isNull ? line.replace(/:\s*(?:~|null|\{\s*\})/, ':') : line
			return text.slice(0, section.start) + head + (head.endsWith('\n') ? '' : eol) + block + text.slice(section.end)
		}
		return `${text}${text === '' || text.endsWith('\n') ? '' : eol}${entryPath[0]}:${eol}${block}`
	},
	remove(text, entryPath, created) {
		const { section, entry, isOnly } = parseSection(text, entryPath)
		if (!entry || !section) return text
		return text.slice(0, created.section && isOnly ? section.start : entry.start) + text.slice(entry.end)
	},
	hasSection: (text, entryPath) => {
		const { section } = parseSection(text, entryPath)
		return section !== undefined && !section.isNull
	},
}

interface Line {
	readonly content: string
	readonly indent: number
	readonly start: number
	readonly end: number
}

interface Section {
	/** The line with the key of the section. */
	readonly section: { readonly start: number; readonly end: number; readonly isNull: boolean } | undefined
	readonly entry: { readonly start: number; readonly end: number } | undefined
	/** Whether the section has no other entry. */
	readonly isOnly: boolean
	/** Indent of entries. */
	readonly indent: number
}

/** @throws UnreadableConfig */
function parseSection(text: string, [section, name]: ConfigPath): Section {
	const lines = linesOf(text)
	const isIgnored = ({ content }: Line) => content === '' || content.startsWith('#')
	for (const { content, indent } of lines) {
		if (/^(?:---|\.\.\.|%|[{[?&*!|>])/.test(content) && indent === 0)
			throw new UnreadableConfig(`it begins with "${content}"`)
		if (content.startsWith('\t')) throw new UnreadableConfig('a line begins with a tab')
	}
	if ((lines.find(line => !isIgnored(line))?.indent ?? 0) > 0) throw new UnreadableConfig('its first line is indented')
	const named = (word: string) => new RegExp(`^(["']?)${word}\\1\\s*:\\s*(.*?)(?:\\s+#.*|#.*)?$`)
	const at = lines.findIndex(({ content, indent }) => indent === 0 && named(section).test(content))
	const head = lines[at]
	if (!head) return { section: undefined, entry: undefined, isOnly: false, indent: 2 }
	const given = named(section).exec(head.content)?.[2] ?? ''
	const isNull = given === '~' || given === 'null' || /^\{\s*\}$/.test(given)
	if (given !== '' && !isNull) throw new UnreadableConfig(`"${section}" is written on one line`)
	const after = lines.slice(at + 1)
	const until = after.findIndex(line => line.indent === 0 && !isIgnored(line))
	const within = until < 0 ? after : after.slice(0, until)
	if (after[until]?.content.startsWith('-')) throw new UnreadableConfig(`"${section}" is a list`)
	const entries = within.filter(line => !isIgnored(line))
	if (entries[0] && !/^[^-\s].*:(?:\s|$)/.test(entries[0].content))
		throw new UnreadableConfig(`"${section}" is not a mapping`)
	const indent = entries[0]?.indent ?? 2
	const found = { section: { start: head.start, end: head.end, isNull }, indent }
	const first = within.findIndex(line => line.indent === indent && named(name).test(line.content))
	const line = within[first]
	if (!line) return { ...found, entry: undefined, isOnly: entries.length === 0 }
	const rest = within.slice(first + 1)
	const next = rest.findIndex(line => !isIgnored(line) && line.indent <= indent)
	const own = [line, ...(next < 0 ? rest : rest.slice(0, next))].filter(line => !isIgnored(line))
	// Other parts of the file may refer to it.
	if (own.some(({ content }) => /(?:^|[\s:,[{-])&[^\s&,[\]{}]+/.test(content)))
		throw new UnreadableConfig(`"${name}" contains an anchor`)
	const entry = { start: line.start, end: own.at(-1)?.end ?? line.end }
	return { ...found, entry, isOnly: own.length === entries.length }
}

function linesOf(text: string): readonly Line[] {
	return [...text.matchAll(/( *)([^\n]*)\n?/g)]
		.filter(([whole]) => whole !== '')
		.map(({ 0: whole, 1: spaces = '', 2: content = '', index }) => ({
			content: content.trimEnd(),
			indent: spaces.length,
			start: index,
			end: index + whole.length,
		}))
}

/** Returns the block of an entry. JSON values are valid YAML values. */
function blockOf(
	[, name]: ConfigPath,
	value: unknown,
	{ indent, eol }: { readonly indent: number; readonly eol: string },
): string {
	const spaces = ' '.repeat(indent)
	const lines = Object.entries(value as object).map(([key, part]) => `${spaces}  ${key}: ${inline(part)}`)
	return [`${spaces}${name}:`, ...lines, ''].join(eol)
}

function inline(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
	if (typeof value !== 'object' || value === null) return JSON.stringify(value)
	return `{${Object.entries(value)
		.map(([key, part]) => `${JSON.stringify(key)}: ${inline(part)}`)
		.join(', ')}}`
}
