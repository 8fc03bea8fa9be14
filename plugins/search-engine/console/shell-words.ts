/** Quotes a text for a shell. In single quotes, only the quote itself is special. */
export function quoted(text: string): string {
	return `'${text.replaceAll("'", `'\\''`)}'`
}

/**
 * Splits a line into words like a POSIX shell, with `$'…'` as in bash. Returns `undefined` if a quote is not closed.
 */
export function shellWords(line: string): readonly string[] | undefined {
	const words: string[] = []
	let word: string | undefined
	const token =
		/\\\r?\n|\s+|\$'((?:[^'\\]|\\[\s\S])*)'|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\$]+|\$)|([\s\S])/gy
	for (const [found, ansi, single, double, escaped, plain] of line.matchAll(token)) {
		if (/^\\\r?\n$/.test(found)) continue
		const part =
			ansi !== undefined
				? unescaped(ansi)
				: (single ?? (double !== undefined ? double.replace(/\\(?:\r?\n|([$`"\\]))/g, '$1') : (escaped ?? plain)))
		if (part !== undefined) word = (word ?? '') + part
		else if (/^\s+$/.test(found)) {
			if (word !== undefined) words.push(word)
			word = undefined
		} else return undefined
	}
	if (word !== undefined) words.push(word)
	return words
}

const escapes: Readonly<Record<string, string>> = {
	n: '\n',
	t: '\t',
	r: '\r',
	b: '\b',
	f: '\f',
	v: '\v',
	a: '\x07',
	e: '\x1b',
}

/** The escapes in Chrome's "Copy as cURL". */
function unescaped(text: string): string {
	return text.replace(/\\(?:u([0-9a-f]{1,4})|x([0-9a-f]{1,2})|([\s\S]))/gi, (_, wide, narrow, sign) =>
		sign === undefined ? String.fromCharCode(Number.parseInt(wide ?? narrow, 16)) : (escapes[sign] ?? sign),
	)
}
