import type { CellMark, GridFeature, RowMark } from '../feature.ts'

/**
 * Returns the mark of several features as one, `undefined` for none. It is asked for each cell in view while the user
 * scrolls, so one mark is returned as it is.
 */
export function markOf(
	features: readonly GridFeature[],
	ask: (feature: GridFeature) => AnyMark | undefined,
): AnyMark | undefined {
	let all: AnyMark | undefined
	for (const feature of features) {
		const mark = ask(feature)
		if (mark) all = all ? joined(all, mark) : mark
	}
	return all
}

type AnyMark = RowMark & CellMark

const joined = (one: AnyMark, other: AnyMark): AnyMark => ({
	classList: { ...one.classList, ...other.classList },
	title: one.title ?? other.title,
	isChosen: one.isChosen === true || other.isChosen === true,
	isReadOnly: one.isReadOnly === true || other.isReadOnly === true,
	isInvalid: one.isInvalid === true || other.isInvalid === true,
})
