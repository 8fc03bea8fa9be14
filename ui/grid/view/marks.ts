import type { Mark } from '../feature.ts'

/** Returns the classes of several marks. */
export const classesOf = (marks: readonly Mark[]): Mark['classList'] => {
	const [first, ...others] = marks
	return others.length === 0 ? (first?.classList ?? none) : Object.assign({}, ...marks.map(mark => mark.classList))
}

const none: Mark['classList'] = {}
