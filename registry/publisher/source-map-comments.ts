import { openRegularFile } from '../../base/regular-file.ts'
import type { ReadingBudget } from '../format/reading-budget.ts'

/**
 * Returns the text of a module without comments that name its source map, or `undefined` if it has none. The bundler
 * reads the named file wherever it is, and has no option against that. An escape stays the same text in a string and in a
 * regular expression, and is no such comment. @throws Error if the file is not regular, or the budget does not have it
 */
export async function withoutSourceMapComments(path: string, budget: ReadingBudget): Promise<Buffer | undefined> {
	await using file = await openRegularFile(path)
	if (!budget.take(1, (await file.stat()).size)) throw new Error('it is too large, alone or with the other modules')
	const escapeOf = /\.css$/.test(path) ? cssEscapes : /\.[cm]?[jt]sx?$/.test(path) ? escapes : undefined
	if (!escapeOf) return undefined
	const bytes = await file.readFile()
	if (!bytes.includes('sourceMappingURL=')) return undefined
	const text = bytes.toString('latin1')
	return Buffer.from(
		text.replace(/[#@](?=\s*sourceMappingURL=)/g, mark => escapeOf[mark] ?? mark),
		'latin1',
	)
}

const escapes: Readonly<Record<string, string>> = { '#': '\\u0023', '@': '\\u0040' }
const cssEscapes: Readonly<Record<string, string>> = { '#': '\\23 ', '@': '\\40 ' }
