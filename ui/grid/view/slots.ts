/**
 * Pooling of DOM nodes: slot `s` of a pool shows the one index in the window that is congruent to `s`, so a scroll step
 * changes the text of the nodes that left the view and touches no other.
 */
export function slots(items: readonly { readonly index: number }[], previous: readonly number[]): number[] {
	const first = items[0]?.index ?? 0
	// A pool that shrinks and grows by a few would make and drop nodes at every step.
	const size =
		previous.length - items.length >= 0 && previous.length - items.length < 8 ? previous.length : items.length
	return Array.from({ length: size }, (_, slot) => first + ((((slot - first) % size) + size) % size))
}
