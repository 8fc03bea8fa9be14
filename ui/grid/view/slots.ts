/**
 * A pool of DOM nodes: slot `s` shows the index of the window that is congruent to `s`, so a scroll step changes only
 * nodes that left the view. Another size gives most indexes another node, so it does not depend on the place.
 */
export function slots(first: number, size: number): number[] {
	return Array.from({ length: size }, (_, slot) => first + ((((slot - first) % size) + size) % size))
}

/** Returns the size of a pool. One that shrinks and grows by a few would draw all of its nodes at each step. */
export function poolSize(needed: number, before: number): number {
	return before >= needed && before - needed < 8 ? before : needed
}
