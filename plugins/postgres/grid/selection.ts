import type { Shape } from '../catalog/shape.ts'
import { quoted } from '../sql/names.ts'
import type { TextRow } from '../wire/session.ts'
import { selectedOf } from './cells.ts'
import { type Order, positionSql } from './order.ts'
import { identityOf } from './row-key.ts'

/**
 * What a page selects: the values of the cells, then what else identifies a row and its position. Each value is selected
 * once, because a value more costs the server, the socket and the parser of each row.
 */
export interface Selection {
	readonly expressions: readonly string[]
	readonly identityOf: (values: TextRow) => TextRow
	readonly positionOf: (values: TextRow) => TextRow
}

export function selectionOf(shape: Shape, order: Order): Selection {
	const expressions = [...selectedOf(shape.columns)]
	// A number as text is the number as the server sends it. Other types differ: a boolean, `char(10)`, `inet`.
	const asTheyAre = new Map(
		shape.columns.filter(({ kind }) => kind === 'number').map(({ name }) => [`${quoted(name)}::text`, quoted(name)]),
	)
	const place = (expression: string) => {
		const known = expressions.indexOf(asTheyAre.get(expression) ?? expression)
		return known < 0 ? expressions.push(expression) - 1 : known
	}
	const reader = (wanted: readonly string[]) => {
		const places = wanted.map(place)
		return (values: TextRow) => places.map(at => values[at] ?? null)
	}
	return { identityOf: reader(identityOf(shape)), positionOf: reader(positionSql(order)), expressions }
}
