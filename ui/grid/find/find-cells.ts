import type { CellPosition } from '../../cells/selection.ts'

/** Finding a text in cells as they are shown. Pure. */

/** Returns whether a shown text contains the search text. @param searchText in lower case */
export const isFound = (text: string, searchText: string) =>
	searchText !== '' && text.toLowerCase().includes(searchText)

const isBefore = (a: CellPosition, b: CellPosition) => a.row < b.row || (a.row === b.row && a.column < b.column)

/** Returns the next match after a place, or the previous one, and wraps around. @param matches in order */
export function stepFrom(matches: readonly CellPosition[], from: CellPosition, step: 1 | -1): CellPosition | undefined {
	return step === 1
		? (matches.find(match => isBefore(from, match)) ?? matches[0])
		: (matches.findLast(match => isBefore(match, from)) ?? matches.at(-1))
}

/** Returns the first match at a place or after it, and wraps around. @param matches in order */
export const firstFrom = (matches: readonly CellPosition[], from: CellPosition): CellPosition | undefined =>
	matches.find(match => !isBefore(match, from)) ?? matches[0]
