import { go, type KeysResults } from 'fuzzysort'

/** Below this score, a match is a coincidence of letters. */
const least = 0.2

/** Decides between equal matches, and no more: scores are between 0 and 1. */
const nearer = 0.001

/**
 * Returns the entries that match a text, best first: matches on the label rank above matches on the detail. Item 0 of a
 * result is the match on the label. It is empty if only the detail matched.
 */
export function rankPicks<T extends { readonly label: string; readonly detail?: string; readonly isNear?: boolean }>(
	text: string,
	picks: readonly T[],
	limit: number,
): KeysResults<T> {
	return go(text, picks, {
		keys: ['label', 'detail'],
		limit,
		threshold: least / 2,
		scoreFn: result => {
			const score = ((result[0]?.score ?? 0) >= least ? 1 + result.score : result.score) / 2
			return score > 0 && result.obj.isNear ? score + nearer : score
		},
	})
}
