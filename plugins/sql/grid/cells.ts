import type { Cell } from '@roundhouse/kit'

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i

/** Returns a number as the server writes it. NaN and infinity are no numbers of JSON, so they stay text. */
export function numberCell(text: string): Cell {
	const value = Number(text)
	if (String(value) === text && Number.isFinite(value)) return value
	return jsonNumber.test(text) ? { number: text } : text
}

/** Returns a whole row as a document of JSON. JSON values stay as they are written, and numbers keep their digits. */
export function documentOf(names: readonly string[], cells: readonly Cell[]): string {
	const members = names.map((name, at) => `${JSON.stringify(name)}:${jsonOf(cells[at] ?? null)}`)
	return `{${members.join(',')}}`
}

/** Returns a whole value as JSON. Bytes are base64. */
export function jsonOf(cell: Cell): string {
	if (typeof cell !== 'object' || cell === null) return JSON.stringify(cell)
	if ('json' in cell) return cell.json
	if ('number' in cell) return cell.number
	if ('bytes' in cell) return JSON.stringify(cell.bytes)
	if ('text' in cell) return JSON.stringify(cell.text)
	throw new Error('A value that was not read has no JSON.')
}
