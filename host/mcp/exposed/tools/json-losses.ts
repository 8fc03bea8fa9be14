import { type Cell, type Column, isJsonObject, type Json, parseJson } from '@roundhouse/kit'
import { namedInSentence } from '../../protocol/printable.ts'
import { isLongNumber, isWholeJson } from './long-numbers.ts'

/** Returns notices about what the JSON of an answer cannot say of the stored JSON of its rows. */
export function jsonLosses(
	columns: readonly (Pick<Column, 'name'> & Partial<Pick<Column, 'kind'>>)[],
	rows: readonly (readonly Cell[])[],
): readonly string[] {
	return columns.flatMap(({ name, kind }, at) => {
		const isRounded = kind === 'json' && rows.some(cells => isLongNumber(cells[at] ?? null))
		// The loss comes first, because a notice that is said again is truncated.
		const named = namedInSentence(name)
		const texts = rows.flatMap(cells => wholeJson(cells[at] ?? null))
		return [
			...(texts.includes('null') ? [`A null of JSON in ${named} is shown as null, like NULL.`] : []),
			...(texts.some(hasEqualKeys) ? [`Of equal keys in an object of ${named}, only the last one is shown.`] : []),
			...(isRounded
				? [
						`JavaScript rounds a number of the JSON in ${named}. Write such a value with a statement, not as it was read.`,
					]
				: []),
		]
	})
}

const wholeJson = (cell: Cell): readonly string[] => (isWholeJson(cell) ? [cell.json] : [])

/** A text of JSON, with the colon behind it if it is a key. */
const texts = /"(?:[^"\\]|\\.)*"(\s*:)?/g

function hasEqualKeys(text: string): boolean {
	const written = [...text.matchAll(texts)].filter(([, colon]) => colon !== undefined).length
	return written > keysIn(parseJson(text))
}

function keysIn(value: Json): number {
	const inside = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : []
	const own = isJsonObject(value) ? inside.length : 0
	return inside.reduce<number>((sum, part) => sum + keysIn(part), own)
}
