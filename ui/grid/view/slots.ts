/**
 * A pool of DOM nodes: slot `s` shows the index of the window that is congruent to `s`, so a scroll step changes only
 * nodes that left the view.
 */
export function slots(first: number, count: number, previous: readonly number[]): number[] {
	const spare = previous.length - count
	// A pool that shrinks and grows by a few would create and remove nodes at each step.
	const size = spare >= 0 && spare < 8 ? previous.length : count
	return Array.from({ length: size }, (_, slot) => first + ((((slot - first) % size) + size) % size))
}
