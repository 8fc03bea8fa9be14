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
import { type ConfigForm, lineEndOf, type Place, UnreadableConfig } from './config-form.ts'

/** JSON, with comments and trailing commas or without. */
export const jsonConfig: ConfigForm = {
	read(text, place) {
		const node = nodeAt(parse(text), place)
		// Without the prototype that the library gives objects.
		return node && structuredClone(getNodeValue(node))
	},
	write(text, place, value) {
		if (isDeepStrictEqual(jsonConfig.read(text, place), value)) return text
		return isBlank(text) ? `${text}${begun(text)}${written(text, nest(place, value), 0)}\n` : edited(text, place, value)
	},
	remove(text, place, ours) {
		const without = applyEdits(text, modify(text, [...place], undefined, {}))
		const section = nodeAt(parse(without), [place[0]])
		const isEmpty =
			section && stripComments(without.slice(section.offset + 1, section.offset + section.length - 1)).trim() === ''
		const left = isEmpty && ours.section ? applyEdits(without, modify(without, [place[0]], undefined, {})) : without
		return ours.file && /^\s*\{\s*\}\s*$/.test(left) ? '' : left
	},
	hasSection: (text, [section]) => (nodeAt(parse(text), [section])?.type ?? 'null') !== 'null',
}

function isBlank(text: string): boolean {
	return stripComments(text).trim() === ''
}

/** What has to stand between a text that ends in a comment and what follows. */
function begun(text: string): string {
	return text === '' || text.endsWith('\n') ? '' : lineEndOf(text)
}

function nest(place: readonly string[], value: unknown): unknown {
	return place.reduceRight((inner, name) => ({ [name]: inner }), value)
}

function written(text: string, value: unknown, level: number): string {
	const unit = /^\t/m.test(text) ? '\t' : '  '
	return JSON.stringify(value, null, unit).replaceAll('\n', lineEndOf(text) + unit.repeat(level))
}

/** Where the edit goes is the library's word; its own formatting is not used, for it also formats what stands beside. */
function edited(text: string, place: Place, value: unknown): string {
	const tree = parse(text)
	const section = nodeAt(tree, [place[0]])
	if (section && section.type !== 'object' && section.type !== 'null') {
		throw new UnreadableConfig(`"${place[0]}" is no object`)
	}
	const isThere = (depth: number) => (nodeAt(tree, place.slice(0, depth))?.type ?? 'null') !== 'null'
	let depth = 0
	while (depth < place.length && isThere(depth + 1)) depth++
	const path = place.slice(0, Math.min(depth + 1, place.length))
	const part = nest(place.slice(path.length), value)
	const edits = modify(text, path, part, {})
	// What is there is replaced, a section that is null as well.
	if (nodeAt(tree, path)) {
		return applyEdits(
			text,
			edits.map(edit => ({ ...edit, content: written(text, part, path.length) })),
		)
	}
	const [eol, unit] = [lineEndOf(text), /^\t/m.test(text) ? '\t' : '  ']
	return applyEdits(
		text,
		edits.map(edit => {
			const follows = edit.content.startsWith(',')
			const line = `${eol}${unit.repeat(depth + 1)}"${place[depth]}": ${written(text, part, depth + 1)}`
			return { ...edit, content: follows ? `,${line}` : `${line}${eol}${unit.repeat(depth)}` }
		}),
	)
}

function nodeAt(tree: Node | undefined, place: readonly string[]): Node | undefined {
	return tree && findNodeAtLocation(tree, [...place])
}

/** `undefined` for a text that holds comments at most. @throws UnreadableConfig */
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
