/** Whether a text has only blanks, comments and semicolons. Written without the lexer of the driver, which it judges. */
export function isFiller(text: string): boolean {
	for (let rest = text; rest !== ''; ) {
		const size = /^(?:[ \t\n\r\f\v;]+|--[^\n\r]*)/.exec(rest)?.[0].length ?? commentSize(rest)
		if (size === 0) return false
		rest = rest.slice(size)
	}
	return true
}

/** Length of the comment at the start, with those in it, or 0. */
function commentSize(text: string): number {
	if (!text.startsWith('/*')) return 0
	let depth = 0
	for (const { 0: mark, index } of text.matchAll(/\/\*|\*\//g)) {
		depth += mark === '/*' ? 1 : -1
		if (depth === 0) return index + 2
	}
	return text.length
}
