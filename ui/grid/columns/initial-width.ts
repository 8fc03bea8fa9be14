import type { Column, Row } from '../../../host/api/api.ts'
import { cellOf, cellText } from '../../cells/cell-text.ts'

/** The width of a column before the user changes it, in pixels. */

/** Rows that decide it. */
const looked = 200

/** Without rows: wide enough for a timestamp in milliseconds and the largest whole numbers. */
const widths: Readonly<Record<Column['kind'], number>> = {
	text: 200,
	number: 180,
	boolean: 90,
	date: 200,
	json: 260,
	binary: 160,
	other: 160,
}

/** Values of these kinds are looked at: they take what theirs need. */
const looksAt: ReadonlySet<Column['kind']> = new Set(['number', 'text', 'boolean', 'date', 'json'])
/** Numbers have room for six digits, because later rows have more and a number is never shortened. */
const leastDigits = 6
const [widestText, widestKey] = [420, 300]
/** A name stands between its icon and the arrow of its order. Digits all have the width of the widest one. */
const [characterWidth, digitWidth, cellRoom, headRoom] = [7, 8, 26, 58]

/**
 * Returns the characters of the longest value of each column in some rows, by name. The width of other kinds does not
 * depend on them.
 */
export function textLengths(columns: readonly Column[], rows: readonly Row[]): ReadonlyMap<string, number> {
	const some = rows.slice(0, looked)
	return new Map(
		columns.flatMap(({ name, kind }, index) => {
			if (!looksAt.has(kind)) return []
			const texts = some.map(row => cellText(cellOf(row, index)).text)
			const longest = texts.reduce((found, text) => (text.length > found.length ? text : found), '')
			return [[name, kind === 'number' ? longest.length : charactersOf(longest)] as const]
		}),
	)
}

/** Returns the length of a text in characters of usual width: digits are wider, and a date has little else. */
function charactersOf(text: string): number {
	const digits = text.match(/\d/g)?.length ?? 0
	return text.length + Math.ceil(digits * (digitWidth / characterWidth - 1))
}

/** @param length characters of its longest value, if known */
export function initialWidth({ name, kind, isKey }: Column, length: number | undefined): number {
	const head = Math.min(headRoom + characterWidth * name.length, 320)
	if (!looksAt.has(kind) || length === undefined) return Math.max(widths[kind], head)
	const isNumber = kind === 'number'
	const content = cellRoom + (isNumber ? digitWidth * Math.max(length, leastDigits) : characterWidth * length)
	const most: Partial<typeof widths> = { text: widestText, json: widths.json }
	const widest = isKey ? widestKey : (most[kind] ?? content)
	return Math.max(Math.min(content, widest), head)
}

const narrowHeadRoom = 48
/** Between a name, a word behind it and the arrow of its order. */
const noteRoom = 36

/**
 * The width of a column that leaves its room to others: its name and its longest text, without the name of its type.
 * @param note the word behind its name
 */
export function narrowWidth({ name }: Column, length = 0, note = ''): number {
	const behind = note === '' ? 0 : noteRoom + characterWidth * note.length
	const head = narrowHeadRoom + characterWidth * name.length + behind
	return Math.min(Math.max(cellRoom + characterWidth * length, head), widestText)
}

/** Room for two buttons beside the beginning of a text, and for an icon with a name such as `host.name`. */
const [leastYielded, mostYielded] = [92, 100]

/**
 * The least width of a column that gives way to another one: dates stay whole with their name and its arrow. Texts and
 * long names do not.
 */
export function yieldedWidth({ name, kind }: Column, length = 0): number {
	const head = narrowHeadRoom + characterWidth * name.length
	if (kind === 'date') return Math.max(cellRoom + characterWidth * length, head)
	return Math.max(leastYielded, Math.min(head, mostYielded))
}
