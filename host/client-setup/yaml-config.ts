import { type ConfigForm, lineEndOf, type Place, UnreadableConfig } from './config-form.ts'

/**
 * YAML, as far as one section of one mapping goes: it is looked at by lines and indents, and whatever is written in
 * another way is left alone. In a mapping only its names, comments and items stand at the very left.
 */
export const yamlConfig: ConfigForm = {
	read(text, place) {
		const { entry } = look(text, place)
		return entry && text.slice(entry.start, entry.end)
	},
	write(text, place, value) {
		const { section, entry, indent } = look(text, place)
		const eol = lineEndOf(text)
		const block = typeof value === 'string' ? value : blockOf(place, value, indent, eol)
		if (entry) return text.slice(0, entry.start) + block + text.slice(entry.end)
		if (section) {
			const line = text.slice(section.start, section.end)
			const head = section.isNothing ? line.replace(/:\s*(?:~|null|\{\s*\})/, ':') : line
			return text.slice(0, section.start) + head + (head.endsWith('\n') ? '' : eol) + block + text.slice(section.end)
		}
		return `${text}${text === '' || text.endsWith('\n') ? '' : eol}${place[0]}:${eol}${block}`
	},
	remove(text, place, ours) {
		const { section, entry, isOnly } = look(text, place)
		if (!entry || !section) return text
		return text.slice(0, ours.section && isOnly ? section.start : entry.start) + text.slice(entry.end)
	},
	hasSection: (text, place) => {
		const { section } = look(text, place)
		return section !== undefined && !section.isNothing
	},
}

interface Line {
	readonly content: string
	readonly indent: number
	readonly start: number
	readonly end: number
}

interface Look {
	/** The line that names the section. */
	readonly section: { readonly start: number; readonly end: number; readonly isNothing: boolean } | undefined
	readonly entry: { readonly start: number; readonly end: number } | undefined
	/** Whether nothing else stands in the section. */
	readonly isOnly: boolean
	/** How far entries stand in. */
	readonly indent: number
}

/** @throws UnreadableConfig */
function look(text: string, [section, name]: Place): Look {
	const lines = linesOf(text)
	const isFree = ({ content }: Line) => content === '' || content.startsWith('#')
	for (const { content, indent } of lines) {
		if (/^(?:---|\.\.\.|%|[{[?&*!|>])/.test(content) && indent === 0)
			throw new UnreadableConfig(`"${content}" begins it`)
		if (content.startsWith('\t')) throw new UnreadableConfig('a line begins with a tab')
	}
	if ((lines.find(line => !isFree(line))?.indent ?? 0) > 0) throw new UnreadableConfig('it does not begin at the left')
	const named = (word: string) => new RegExp(`^(["']?)${word}\\1\\s*:\\s*(.*?)(?:\\s+#.*|#.*)?$`)
	const at = lines.findIndex(({ content, indent }) => indent === 0 && named(section).test(content))
	const head = lines[at]
	if (!head) return { section: undefined, entry: undefined, isOnly: false, indent: 2 }
	const given = named(section).exec(head.content)?.[2] ?? ''
	const isNothing = given === '~' || given === 'null' || /^\{\s*\}$/.test(given)
	if (given !== '' && !isNothing) throw new UnreadableConfig(`"${section}" stands on one line`)
	const after = lines.slice(at + 1)
	const until = after.findIndex(line => line.indent === 0 && !isFree(line))
	const within = until < 0 ? after : after.slice(0, until)
	if (after[until]?.content.startsWith('-')) throw new UnreadableConfig(`"${section}" is a list`)
	const entries = within.filter(line => !isFree(line))
	if (entries[0] && !/^[^-\s].*:(?:\s|$)/.test(entries[0].content))
		throw new UnreadableConfig(`"${section}" holds no names`)
	const indent = entries[0]?.indent ?? 2
	const found = { section: { start: head.start, end: head.end, isNothing }, indent }
	const first = within.findIndex(line => line.indent === indent && named(name).test(line.content))
	const line = within[first]
	if (!line) return { ...found, entry: undefined, isOnly: entries.length === 0 }
	const rest = within.slice(first + 1)
	const next = rest.findIndex(line => !isFree(line) && line.indent <= indent)
	const own = [line, ...(next < 0 ? rest : rest.slice(0, next))].filter(line => !isFree(line))
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

/** Values in JSON's form, which is YAML's as well. */
function blockOf([, name]: Place, value: unknown, indent: number, eol: string): string {
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
