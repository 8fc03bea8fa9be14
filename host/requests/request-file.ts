/** A saved request in its file: comments of the console's language, then its text. */
export interface RequestFile {
	/** The user's name for it, or the file's name. */
	readonly name: string | undefined
	readonly text: string
}

/** `comment` starts a line comment; a language without one has no names in its files. */
export function printRequest(name: string, text: string, comment: string | undefined): string {
	const body = `${text.trimEnd()}\n`
	return comment === undefined ? body : `${comment} name: ${name.replace(/\s+/g, ' ')}\n${body}`
}

export function readRequestFile(content: string, comment: string | undefined): RequestFile {
	// Blank lines of an editor are no part of the text.
	const text = content.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
	const [line = ''] = text.split('\n', 1)
	const name = comment !== undefined && line.startsWith(comment) ? nameIn(line.slice(comment.length)) : undefined
	return name === undefined ? { name, text } : { name, text: text.slice(line.length + 1) }
}

function nameIn(line: string): string | undefined {
	return /^\s*name:\s*(\S.*?)\s*$/.exec(line)?.[1]
}
