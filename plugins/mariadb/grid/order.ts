import { DriverError, type Sort } from '@roundhouse/kit'
import type { Order, Term } from '@roundhouse/sql'
import { columnIn, type Shape } from '../catalog/shape.ts'
import { quoted } from '../sql/names.ts'
import { comparedTo, orderedBy, textOf } from '../sql/values.ts'
import { row } from './row-key.ts'

/** @throws DriverError `invalid_argument` for a column that has no order */
export function orderOf(shape: Shape, sort: readonly Sort[]): Order {
	const term = (name: string, direction: 'asc' | 'desc'): Term => {
		const column = columnIn(shape, name)
		const expression = orderedBy(column, row)
		return {
			name: quoted(name),
			text: textOf(column, expression),
			expression,
			direction,
			// The values of a position are written as they are compared.
			type: name,
			mayBeNull: !column.isNotNull,
			compare: (sign, value) => `${expression} ${sign} ${value}`,
			isNull: isNull => `${expression} is ${isNull ? '' : 'not '}null`,
		}
	}
	const sorted = sort.map(({ column, direction }) => {
		if (!columnIn(shape, column).isSortable)
			throw new DriverError('invalid_argument', `${column} (${columnIn(shape, column).type}) has no order.`)
		return term(column, direction)
	})
	const used = new Set(sort.map(({ column }) => column))
	// One direction for all lets an index serve the order.
	const direction = sort.at(-1)?.direction ?? 'asc'
	const isTotal = shape.key.length > 0
	const last = isTotal ? shape.key : shape.columns.filter(({ isSortable }) => isSortable).map(({ name }) => name)
	const rest = last.filter(name => !used.has(name)).map(name => term(name, direction))
	// No index of the server serves a comparison of rows.
	return { terms: [...sorted, ...rest], isTotal, nulls: 'smallest' }
}

/** Returns what writes the values of positions in the order of a table. */
export const bindPosition = (shape: Shape) => (value: string | null, name?: string) =>
	value === null ? 'null' : comparedTo(columnIn(shape, name ?? ''), value)
