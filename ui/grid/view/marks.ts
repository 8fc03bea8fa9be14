import type { CellMark, GridFeature } from '../feature.ts'

/**
 * Returns the mark of several features as one, `undefined` for none. It is asked for each cell in view while the user
 * scrolls, so one mark is returned as it is.
 */
export function markOf(
	features: readonly GridFeature[],
	ask: (feature: GridFeature) => CellMark | undefined,
): CellMark | undefined {
	let all: CellMark | undefined
	for (const feature of features) {
		const mark = ask(feature)
		if (mark) all = all ? joined(all, mark) : mark
	}
	return all
}

const joined = (one: CellMark, other: CellMark): CellMark => ({
	classList: { ...one.classList, ...other.classList },
	title: one.title ?? other.title,
	isReadOnly: one.isReadOnly === true || other.isReadOnly === true,
	isInvalid: one.isInvalid === true || other.isInvalid === true,
})
