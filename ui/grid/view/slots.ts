/**
 * A pool of DOM nodes, each for one index of the window. An index that stays in the window keeps its node, so a scroll
 * step changes only nodes that left the view, and a press of the mouse ends on the cell that it began on.
 */
export function slots(first: number, count: number, previous: readonly number[]): number[] {
	const spare = previous.length - count
	// A pool that shrinks and grows by a few would create and remove nodes at each step.
	const size = spare >= 0 && spare < 8 ? previous.length : count
	const shown = new Set(previous.slice(0, size))
	let next = first
	function missing(): number {
		while (shown.has(next)) next++
		return next++
	}
	return Array.from({ length: size }, (_, slot) => {
		const before = previous[slot]
		return before !== undefined && before >= first && before < first + size ? before : missing()
	})
}
