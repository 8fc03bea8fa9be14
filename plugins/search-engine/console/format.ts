import { type Edit, format as jsonEdits, type ParseError, parse } from 'jsonc-parser'
import { parsePath } from '../transport/request-path.ts'
import { deepest, partsOfLine, takesLines } from './request.ts'
import { tokensOf } from './scan.ts'
import { partsOf } from './split.ts'

const layout = { tabSize: 2, insertSpaces: true, eol: '\n' }

/**
 * Formats the JSON bodies of a console text. Changes only white space: no digit, no order of keys, no comment. Text
 * that is not JSON stays unchanged, and so do the lines of `_bulk` and similar endpoints.
 */
export function formatText(text: string): string {
	let formatted = ''
	let at = 0
	for (const { start, end, lineEnd } of partsOf(text)) {
		if (lineEnd === undefined || isOfLines(text.slice(start, lineEnd))) continue
		const newline = text.indexOf('\n', lineEnd)
		// A comment after the target stays there. A comment that continues below cannot be moved.
		if (newline < 0 || text.slice(lineEnd, newline).includes('/*')) continue
		const body = formattedBody(text.slice(newline, end))
		if (body === undefined) continue
		formatted += `${text.slice(at, newline)}\n${body}`
		at = end
	}
	return formatted + text.slice(at)
}

function isOfLines(line: string): boolean {
	const { target } = partsOfLine(line)
	try {
		return takesLines(parsePath(target))
	} catch {
		// The path cannot be parsed, or contains a variable. Its end alone shows whether it takes lines.
		return /\/_(?:bulk|msearch)(?:[/?]|$)/.test(target)
	}
}

/** Returns `undefined` if the body is not one JSON value. */
function formattedBody(body: string): string | undefined {
	const { json, own, depth } = asJson(body)
	if (depth > deepest) return undefined
	const faults: ParseError[] = []
	parse(json, faults, { disallowComments: false, allowTrailingComma: false })
	if (faults.length > 0 || json.trim() === '') return undefined
	const laidOut = edited(json, jsonEdits(json, undefined, layout)).trim()
	return laidOut.replace(standIn, (_, place: string) => own[Number(place)] ?? '')
}

/** Applies edits in one pass. `applyEdits` of the library copies the whole text for each of them. */
function edited(json: string, edits: readonly Edit[]): string {
	let text = ''
	let at = 0
	for (const { offset, length, content } of edits.toSorted((a, b) => a.offset - b.offset)) {
		text += json.slice(at, offset) + content
		at = offset + length
	}
	return text + json.slice(at)
}

/** Replaces a part that JSON does not have. A private-use character, which no user types. */
const mark = '\uE0B5'
const standIn = new RegExp(`(?:"|//)${mark}([0-9]+)${mark}"?`, 'g')

/** Replaces each part that is not JSON by a string or a comment: texts in triple quotes, `#` and `{{names}}`. */
function asJson(body: string): { readonly json: string; readonly own: readonly string[]; readonly depth: number } {
	const own: string[] = []
	const keep = (part: string, isComment = false) => {
		own.push(part)
		return isComment ? `//${mark}${own.length - 1}${mark}` : `"${mark}${own.length - 1}${mark}"`
	}
	let json = ''
	let at = 0
	let [level, depth] = [0, 0]
	const pieces = [...tokensOf(body)]
	for (let index = 0; index < pieces.length; index++) {
		const { kind, start, end } = pieces[index] ?? { kind: 'word', start: at, end: at }
		json += body.slice(at, start)
		const part = body.slice(start, end)
		const variable = /^\{\{\s*[\p{L}_][\p{L}\p{N}_.-]*\s*\}\}/u.exec(body.slice(start, start + 200))?.[0]
		at = end
		if (kind === 'bracket') level += part === '{' || part === '[' ? 1 : -1
		depth = Math.max(depth, level)
		if (variable !== undefined) {
			json += keep(variable)
			at = start + variable.length
			while ((pieces[index + 1]?.start ?? at) < at) index++
		} else if (part.startsWith('"""')) json += keep(part)
		else if (kind === 'comment' && part.startsWith('#')) json += keep(part, true)
		else json += part
	}
	return { json: json + body.slice(at), own, depth }
}
