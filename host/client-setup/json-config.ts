import { isDeepStrictEqual } from 'node:util'
import {
	applyEdits,
	findNodeAtLocation,
	getNodeValue,
	modify,
	type Node,
	type ParseError,
	parseTree,
	stripComments,
} from 'jsonc-parser'
import { type ConfigFormat, type ConfigPath, lineEndOf, UnreadableConfig } from './config-format.ts'

/** JSON with optional comments and trailing commas. */
export const jsonConfig: ConfigFormat = {
	read(text, entryPath) {
		const node = nodeAt(parse(text), entryPath)
		// Removes the prototype that the library gives objects.
		return node && structuredClone(getNodeValue(node))
	},
	write(text, entryPath, value) {
		if (isDeepStrictEqual(jsonConfig.read(text, entryPath), value)) return text
		return isBlank(text)
			? `${text}${separator(text)}${stringify(text, nest(entryPath, value), 0)}\n`
			: edited(text, entryPath, value)
	},
	remove(text, entryPath, created) {
		const without = applyEdits(text, modify(text, [...entryPath], undefined, {}))
		const section = nodeAt(parse(without), [entryPath[0]])
		const isEmpty =
			section && stripComments(without.slice(section.offset + 1, section.offset + section.length - 1)).trim() === ''
		const left =
			isEmpty && created.section ? applyEdits(without, modify(without, [entryPath[0]], undefined, {})) : without
		return created.file && /^\s*\{\s*\}\s*$/.test(left) ? '' : left
	},
	hasSection: (text, [section]) => (nodeAt(parse(text), [section])?.type ?? 'null') !== 'null',
}

function isBlank(text: string): boolean {
	return stripComments(text).trim() === ''
}

/** Returns the line break that is needed after a text that ends in a comment. */
function separator(text: string): string {
	return text === '' || text.endsWith('\n') ? '' : lineEndOf(text)
}

function nest(entryPath: readonly string[], value: unknown): unknown {
	return entryPath.reduceRight((inner, name) => ({ [name]: inner }), value)
}

function stringify(text: string, value: unknown, level: number): string {
	const unit = /^\t/m.test(text) ? '\t' : '  '
	return JSON.stringify(value, null, unit).replaceAll('\n', lineEndOf(text) + unit.repeat(level))
}

/**
 * Sets the value. The library finds the position of the edit; its formatter is not used, because it also formats
 * neighbours.
 */
function edited(text: string, entryPath: ConfigPath, value: unknown): string {
	const tree = parse(text)
	const section = nodeAt(tree, [entryPath[0]])
	if (section && section.type !== 'object' && section.type !== 'null') {
		throw new UnreadableConfig(`"${entryPath[0]}" is not an object`)
	}
	const isThere = (depth: number) => (nodeAt(tree, entryPath.slice(0, depth))?.type ?? 'null') !== 'null'
	let depth = 0
	while (depth < entryPath.length && isThere(depth + 1)) depth++
	const path = entryPath.slice(0, Math.min(depth + 1, entryPath.length))
	const part = nest(entryPath.slice(path.length), value)
	const edits = modify(text, path, part, {})
	// Replaces an existing node, also a section that is null.
	if (nodeAt(tree, path)) {
		return applyEdits(
			text,
			edits.map(edit => ({ ...edit, content: stringify(text, part, path.length) })),
		)
	}
	const [eol, unit] = [lineEndOf(text), /^\t/m.test(text) ? '\t' : '  ']
	return applyEdits(
		text,
		edits.map(edit => {
			const follows = edit.content.startsWith(',')
			const line = `${eol}${unit.repeat(depth + 1)}"${entryPath[depth]}": ${stringify(text, part, depth + 1)}`
			return { ...edit, content: follows ? `,${line}` : `${line}${eol}${unit.repeat(depth)}` }
		}),
	)
}

function nodeAt(tree: Node | undefined, entryPath: readonly string[]): Node | undefined {
	return tree && findNodeAtLocation(tree, [...entryPath])
}

/** Parses a text. Returns `undefined` if it is empty except for comments. @throws UnreadableConfig */
function parse(text: string): Node | undefined {
	if (isBlank(text)) return undefined
	const faults: ParseError[] = []
	const tree = parseTree(text, faults, { allowTrailingComma: true })
	if (faults.length > 0 || tree?.type !== 'object') throw new UnreadableConfig('it is not a JSON object')
	for (const { children } of tree.children ?? []) {
		const [, value] = children ?? []
		if (value === undefined) throw new UnreadableConfig('a name has no value')
	}
	return tree
}
