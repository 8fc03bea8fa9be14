/** The order of columns. Pure functions. */

/** Returns the names in the user's order. A new column follows its predecessor in the driver's order. */
export function ordered(names: readonly string[], savedOrder: readonly string[]): readonly string[] {
	if (savedOrder.length === 0) return names
	const known = new Set(names)
	const placed = savedOrder.filter(name => known.has(name))
	const isPlaced = new Set(placed)
	for (const [index, name] of names.entries()) {
		if (isPlaced.has(name)) continue
		const before = index === 0 ? -1 : placed.indexOf(names[index - 1] ?? '')
		placed.splice(before + 1, 0, name)
		isPlaced.add(name)
	}
	return placed
}

/** Moves a name before another, or to the end. */
export function movedBefore(names: readonly string[], name: string, other: string | undefined): readonly string[] {
	if (name === other) return names
	const rest = names.filter(each => each !== name)
	const at = other === undefined ? -1 : rest.indexOf(other)
	return rest.toSpliced(at < 0 ? rest.length : at, 0, name)
}

/** Returns the index of the column at `x`: the last column whose left edge is at or before `x`. */
export function columnIndexAt(lefts: readonly number[], x: number): number {
	let [low, high] = [0, lefts.length]
	while (low < high) {
		const middle = (low + high) >> 1
		if ((lefts[middle] ?? 0) <= x) low = middle + 1
		else high = middle
	}
	return low - 1
}

/**
 * Returns the most columns that are in view at once, wherever the table is scrolled to.
 *
 * @param end right edge of the last column
 * @param width of the view
 */
export function mostColumnsInView(lefts: readonly number[], end: number, width: number): number {
	const from = (first: number) => columnIndexAt(lefts, (lefts[first + 1] ?? end) + Math.max(0, width)) - first + 1
	return lefts.reduce((most, _, first) => Math.max(most, from(first)), 0)
}
