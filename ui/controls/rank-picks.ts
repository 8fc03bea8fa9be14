import { go, type KeysResults } from 'fuzzysort'

/** Below this score, a match is a coincidence of letters. */
const least = 0.2

/** Below this score, the letters stand apart. A name is not found so by what stands before it. */
const leastTogether = 0.5

/** Decides between equal matches, and no more: scores are between 0 and 1. */
const nearer = 0.001

interface Rankable {
	readonly label: string
	readonly detail?: string | undefined
	/** The part of the label by which people know it: the name of a table without its schema. Default: the label. */
	readonly name?: string | undefined
	readonly isNear?: boolean | undefined
}

/**
 * Returns the entries that match a text, best first: matches on the name rank above those on the rest of the label, and these
 * above matches on the detail. Item 0 of a result is the match on the label and item 2 that on the name; an item is empty
 * if it did not match.
 */
export function rankPicks<T extends Rankable>(text: string, picks: readonly T[], limit: number): KeysResults<T> {
	return go(text, picks, {
		keys: ['label', 'detail', 'name'],
		limit,
		threshold: least / 3,
		scoreFn: result => {
			const [label = 0, detail = 0, name = 0] = result.map(match => match.score)
			const named = result.obj.name === undefined ? label : name
			if (!text.includes(' ') && named < least && detail < least && label < leastTogether) return 0
			const score = (Number(named >= least) + Number(label >= least) + result.score) / 3
			return score > 0 && result.obj.isNear ? score + nearer : score
		},
	})
}
