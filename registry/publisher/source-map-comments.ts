/**
 * Returns a module without comments that name its source map. The bundler reads the named file wherever it is, and has
 * no option against that. An escape stays the same text in a string and in a regular expression, and is no such comment.
 */
export function withoutSourceMapComments(path: string, contents: Buffer): Buffer {
	const escapeOf = /\.css$/.test(path) ? cssEscapes : /\.[cm]?[jt]sx?$/.test(path) ? escapes : undefined
	if (!escapeOf || !contents.includes('sourceMappingURL=')) return contents
	const text = contents.toString('latin1')
	return Buffer.from(
		text.replace(/[#@](?=\s*sourceMappingURL=)/g, mark => escapeOf[mark] ?? mark),
		'latin1',
	)
}

const escapes: Readonly<Record<string, string>> = { '#': '\\u0023', '@': '\\u0040' }
const cssEscapes: Readonly<Record<string, string>> = { '#': '\\23 ', '@': '\\40 ' }
