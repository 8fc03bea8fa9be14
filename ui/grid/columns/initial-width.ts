import type { Column, Row } from '../../../host/api/api.ts'
import { cellOf, cellText } from '../../cells/cell-text.ts'

/** The width of a column before the user changes it, in pixels. */

/** Rows that decide it. */
const looked = 20

/** Wide enough for a timestamp in milliseconds and the largest whole numbers. */
const widths: Readonly<Record<Column['kind'], number>> = {
	text: 200,
	number: 180,
	boolean: 90,
	date: 200,
	json: 260,
	binary: 160,
	other: 160,
}

/** Texts take what theirs need, within these limits. */
const [narrowestText, widestText] = [120, 420]
const widestKey = 300
const [characterWidth, cellRoom] = [7, 26]

/**
 * Returns the characters of the longest text or date of each column in some rows, by name. The width of other kinds does
 * not depend on them.
 */
export function textLengths(columns: readonly Column[], rows: readonly Row[]): ReadonlyMap<string, number> {
	const texts = columns.flatMap(({ name, kind, isKey }, index) =>
		kind === 'text' || kind === 'date' || isKey ? [{ name, index }] : [],
	)
	const some = rows.slice(0, looked)
	return new Map(
		texts.map(({ name, index }) => [name, Math.max(...some.map(row => cellText(cellOf(row, index)).text.length))]),
	)
}

/** @param length characters of its longest text, if known */
export function initialWidth({ name, type, kind, isKey, isReadOnly }: Column, length: number | undefined): number {
	const content = length === undefined ? undefined : cellRoom + characterWidth * length
	if (isKey) return Math.min(Math.max(160, content ?? 0), widestKey)
	const head = Math.min(40 + 7 * (name.length + type.length), 320)
	// A date with more digits than milliseconds differs from others in these.
	if (kind === 'date' && content !== undefined) return Math.max(widths.date * (isReadOnly ? 0.65 : 1), content, head)
	if (kind !== 'text' || content === undefined) return Math.max(widths[kind] * (isReadOnly ? 0.65 : 1), head)
	return Math.max(Math.min(Math.max(content, narrowestText), widestText), head)
}

/** Room for a short word, such as that of a level, and two buttons beside it. */
const [narrowHeadRoom, leastNarrow] = [40, 100]

/** The width of a column that leaves its room to others: its name and its longest text, without the name of its type. */
export function narrowWidth({ name }: Column, length = 0): number {
	const wanted = Math.max(cellRoom + characterWidth * length, narrowHeadRoom + characterWidth * name.length)
	return Math.min(Math.max(wanted, leastNarrow), widestText)
}
