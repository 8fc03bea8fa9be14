/**
 * Pooling of DOM nodes: slot `s` of a pool shows the one index in the window that is congruent to `s`, so a scroll step
 * changes the text of the nodes that left the view and touches no other.
 */
export function slots(first: number, count: number, previous: readonly number[]): number[] {
	const spare = previous.length - count
	// A pool that shrinks and grows by a few would make and drop nodes at every step.
	const size = spare >= 0 && spare < 8 ? previous.length : count
	return Array.from({ length: size }, (_, slot) => first + ((((slot - first) % size) + size) % size))
}
