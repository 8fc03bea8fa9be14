/** Text of a spreadsheet or of a file of CSV. Pure. */

/**
 * Parses text of a spreadsheet: tabs or another separator between fields, a row in each line, quotes around fields that contain
 * either.
 */
export function parseTsv(text: string, separator: '\t' | ',' | ';' | '|' = '\t'): readonly (readonly string[])[] {
	const rows: string[][] = [[]]
	const source = text.replaceAll('\r\n', '\n').replace(/\n$/, '')
	const plainField = new RegExp(`[^${separator}\\n]*`, 'y')
	let at = 0
	for (;;) {
		plainField.lastIndex = at
		const end = quotedEnd(source, at, separator)
		const field = end === undefined ? (plainField.exec(source)?.[0] ?? '') : source.slice(at, end)
		rows.at(-1)?.push(end === undefined ? field : field.slice(1, -1).replaceAll('""', '"'))
		at += field.length
		if (at >= source.length) return rows
		if (source[at] === '\n') rows.push([])
		at++
	}
}

/**
 * Finds the end of a quoted field with a loop: an expression with a repeated choice overflows the stack on long fields.
 */
function quotedEnd(source: string, start: number, separator: string): number | undefined {
	if (source[start] !== '"') return undefined
	for (let at = source.indexOf('"', start + 1); at >= 0; at = source.indexOf('"', at + 2)) {
		const next = source[at + 1]
		if (next === undefined || next === separator || next === '\n') return at + 1
		if (next !== '"') return undefined
	}
	return undefined
}
