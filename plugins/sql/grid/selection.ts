import type { RawRow, TextRow } from '../text/session.ts'

/**
 * What a page selects: the values of the cells, then what else identifies a row and its position. Each value is selected
 * once, because a value more costs the server, the socket and the parser of each row.
 */
export interface Selection {
	readonly expressions: readonly string[]
	readonly identityOf: (values: RawRow) => TextRow
	readonly positionOf: (values: RawRow) => TextRow
}

interface Selected {
	/** What the cells are made of. */
	readonly cells: readonly string[]
	/** What makes id and version of a row. */
	readonly identity: readonly string[]
	readonly position: readonly string[]
	/** Expressions whose values are those of another expression, which is selected anyway: a number as text. */
	readonly same: ReadonlyMap<string, string>
}

export function selectionOf({ cells, identity, position, same }: Selected): Selection {
	const expressions = [...cells]
	const place = (expression: string) => {
		const known = expressions.indexOf(same.get(expression) ?? expression)
		return known < 0 ? expressions.push(expression) - 1 : known
	}
	const reader = (wanted: readonly string[]) => {
		const places = wanted.map(place)
		return (values: RawRow) => places.map(at => textOf(values[at] ?? null))
	}
	return { identityOf: reader(identity), positionOf: reader(position), expressions }
}

function textOf(value: RawRow[number]): string | null {
	if (value === null || typeof value === 'string') return value
	throw new Error('What identifies or orders a row is selected as text.')
}
