import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAsync, types as t } from '@babel/core'

/** Parses a file: JavaScript, or the declarations of a `.d.ts`. */
export async function parseFile(path: string): Promise<t.File> {
	const isDeclaration = path.endsWith('.d.ts')
	const file = await parseAsync(await readFile(path, 'utf8'), {
		configFile: false,
		babelrc: false,
		filename: path,
		parserOpts: isDeclaration ? { plugins: [['typescript', { dts: true }]] } : { sourceType: 'script' },
	})
	if (!file) throw new Error(`${path} holds no program`)
	return file
}

export async function filesIn(folder: string, ending: string): Promise<string[]> {
	const names = await readdir(folder)
	return names
		.filter(name => name.endsWith(ending) && (ending !== '.js' || !name.endsWith('.d.js')))
		.sort()
		.map(name => join(folder, name))
}

/** Returns the first sentence of a doc comment, of readable length. */
export function sentenceOf(comments: readonly t.Comment[] | null | undefined): string {
	const text = comments?.at(-1)?.value ?? ''
	const [prose = ''] = text
		.replaceAll(/^\s*\* ?/gm, '')
		.trim()
		.split(/\n\s*\n|^\s*@/m)
	const line = prose.replaceAll(/\s+/g, ' ').trim()
	const [sentence = ''] = /^.*?[.!?](?=\s|$)/.exec(line) ?? [line]
	return sentence.length > longestSentence ? `${sentence.slice(0, longestSentence).replace(/\s+\S*$/, '')} …` : sentence
}

const longestSentence = 160

/** Returns the link in the doc comment of a declaration. */
export function linkOf(comments: readonly t.Comment[] | null | undefined): string {
	return /@see \{@link (\S+)/.exec(comments?.at(-1)?.value ?? '')?.[1] ?? ''
}

/** Returns every node below a node, itself first. */
export function* nodesIn(node: t.Node): Generator<t.Node> {
	yield node
	for (const key of t.VISITOR_KEYS[node.type] ?? []) {
		const value: unknown = node[key as keyof t.Node]
		for (const child of Array.isArray(value) ? value : [value]) {
			// Visitor keys contain only nodes, or nothing.
			if (child) yield* nodesIn(child as t.Node)
		}
	}
}
