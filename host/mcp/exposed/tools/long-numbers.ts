import { type Cell, isExactNumber, isJsonObject, type Json, parseJson, stringifyJson } from '@roundhouse/kit'

/** Numbers that a double cannot hold: a client in JavaScript rounds them. */

/** A cell with its whole JSON. */
export const isWholeJson = (cell: Cell): cell is { readonly json: string } =>
	typeof cell === 'object' && cell !== null && 'json' in cell && cell.cutFrom === undefined

/** Characters of a value in an answer. Longer JSON is truncated, and shown as a text. */
export const longestShown = 1_000

/** A text of JSON with fewer digits has no number that a double cannot hold. */
const mayBeLong = /[0-9]{16}|[0-9.]{17}|[0-9][eE]/

/** Whether a double has another value. Zeros behind a fraction are lost in a double, and the value is the same. */
export function isLongNumber(cell: Cell): boolean {
	if (typeof cell === 'number') return Number.isInteger(cell) && !Number.isSafeInteger(cell)
	if (isWholeJson(cell)) {
		const isShown = cell.json.length <= longestShown
		return isShown && mayBeLong.test(cell.json) && hasLongNumber(parseJson(cell.json))
	}
	if (typeof cell !== 'object' || cell === null || !('number' in cell)) return false
	const value = Number(cell.number)
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) return true
	const plain = /\.\d*?(?=0*$)/.exec(cell.number)
	const short = plain ? cell.number.slice(0, plain.index + plain[0].length).replace(/\.$/, '') : cell.number
	return String(value) !== short
}

export const isJsonNumber = (value: Json) => typeof value === 'number' || isExactNumber(value)

function hasLongNumber(value: Json): boolean {
	if (isJsonNumber(value)) return isLongNumber({ number: stringifyJson(value) })
	const inside = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : []
	return inside.some(part => part !== undefined && hasLongNumber(part))
}
