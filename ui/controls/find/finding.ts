/** Where a text has what is looked for. */
export interface Finding {
	readonly query: string
	readonly matches: readonly Match[]
	/** Which of them is looked at; -1 where there is none. */
	readonly current: number
	/** There are more than these. */
	readonly isCut?: boolean
}

export interface Match {
	readonly from: number
	readonly to: number
}

export const nothingSought: Finding = { query: '', matches: [], current: -1 }

/** Nobody steps through more, and finding all of them in a text of megabytes would be felt at each key. */
const mostFound = 20_000

/** More marks than this, on both sides of the one that is looked at, would make a text slow to draw. */
const mostMarked = 500

/** Looks for a query as it is written, whatever its case; the match to look at is the first that ends behind `near`. */
export function findIn(text: string, query: string, near = 0): Finding {
	if (query === '') return nothingSought
	const pattern = new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu')
	const matches: Match[] = []
	for (const { index, 0: found } of text.matchAll(pattern)) {
		matches.push({ from: index, to: index + found.length })
		if (matches.length === mostFound) break
	}
	const next = matches.findIndex(({ to }) => to > near)
	const current = matches.length === 0 ? -1 : Math.max(0, next)
	return { query, matches, current, ...(matches.length === mostFound && { isCut: true }) }
}

/** Goes on to the next match or back, round the ends. */
export function stepped(finding: Finding, step: 1 | -1): Finding {
	const { length } = finding.matches
	return length === 0 ? finding : { ...finding, current: (finding.current + step + length) % length }
}

/** The match that is looked at, and those to mark beside it. */
export function marksOf({ matches, current }: Finding): {
	readonly current: Match | undefined
	readonly others: readonly Match[]
} {
	const near = matches.slice(Math.max(0, current - mostMarked), current + mostMarked)
	return { current: matches[current], others: near.filter(match => match !== matches[current]) }
}
