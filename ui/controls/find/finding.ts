/** The matches in a text. */
export interface Finding {
	readonly query: string
	readonly matches: readonly Match[]
	/** Index of the current match, or -1. */
	readonly current: number
	/** There are more matches than these. */
	readonly isCut?: boolean
}

export interface Match {
	readonly from: number
	readonly to: number
}

export const nothingSought: Finding = { query: '', matches: [], current: -1 }

/** Users do not step through more, and finding all in megabytes of text would delay each key. */
const mostFound = 20_000

/** More marks than this on each side of the current match would make a text slow to draw. */
const mostMarked = 500

/** Finds a query in any case. The current match is the first one that ends after `near`. */
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

/** Returns the changes that replace the current match, or all matches. */
export function replacements(
	{ matches, current }: Finding,
	insert: string,
	isAll: boolean,
): readonly (Match & { readonly insert: string })[] {
	return (isAll ? matches : matches.slice(Math.max(0, current), current + 1)).map(match => ({ ...match, insert }))
}

/** Moves to the next or previous match, and wraps around. */
export function stepped(finding: Finding, step: 1 | -1): Finding {
	const { length } = finding.matches
	return length === 0 ? finding : { ...finding, current: (finding.current + step + length) % length }
}

/** Returns the current match and the marks around it. */
export function marksOf({ matches, current }: Finding): {
	readonly current: Match | undefined
	readonly others: readonly Match[]
} {
	const near = matches.slice(Math.max(0, current - mostMarked), current + mostMarked)
	return { current: matches[current], others: near.filter(match => match !== matches[current]) }
}
