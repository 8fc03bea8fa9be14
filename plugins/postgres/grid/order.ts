import { DriverError, type Sort } from '@roundhouse/kit'
import type { Order, Term } from '@roundhouse/sql'
import { columnIn, nullTest, operatorOf, type Shape, textSql } from '../catalog/shape.ts'
import { quoted } from '../sql/names.ts'
import { row, rowKeyOf } from './row-key.ts'

interface OwnTerm extends Term {
	/** Schema of its comparison operators, if not the plain ones. */
	readonly operatorSchema: string | undefined
}

/** @throws DriverError `invalid_argument` for a column that has no order */
export function orderOf(shape: Shape, sort: readonly Sort[]): Order {
	const term = (name: string, direction: 'asc' | 'desc'): OwnTerm => {
		const column = columnIn(shape, name)
		const { sqlType, isProvenNotNull, isComposite, operatorSchema } = column
		const value = { text: textSql(column), type: sqlType, mayBeNull: !isProvenNotNull, isComposite }
		return termOf(quoted(name), { ...value, operatorSchema, direction })
	}
	const sorted = sort.map(({ column, direction }) => {
		if (!columnIn(shape, column).isSortable)
			throw new DriverError('invalid_argument', `${column} (${columnIn(shape, column).type}) has no order.`)
		return term(column, direction)
	})
	const key = rowKeyOf(shape)
	const used = new Set(sort.map(({ column }) => column))
	// One direction for all lets an index serve the order.
	const direction = sort.at(-1)?.direction ?? 'asc'
	const system = (name: string, type: string) =>
		termOf(name, { text: `${name}::text`, direction, type, mayBeNull: false, isComposite: false })
	const table = system('tableoid', 'oid')
	if (key.by === 'key') {
		const rest = key.columns.filter(name => !used.has(name)).map(name => term(name, direction))
		return orderBy([...sorted, ...rest, ...(key.isPerTable ? [table] : [])], true)
	}
	if (key.by === 'place') {
		const isSpread = shape.kind === 'p' || shape.hasChildren
		return orderBy([...sorted, ...(isSpread ? [table] : []), system('ctid', 'tid')], true)
	}
	const others = shape.columns.filter(({ name, isSortable }) => isSortable && !used.has(name))
	return orderBy([...sorted, ...others.map(({ name }) => term(name, direction))], false)
}

const termOf = (
	name: string,
	{
		isComposite,
		operatorSchema,
		...rest
	}: Pick<Term, 'text' | 'direction' | 'type' | 'mayBeNull'> & {
		readonly isComposite: boolean
		readonly operatorSchema?: string | undefined
	},
): OwnTerm => {
	// With the alias of the table, because ORDER BY takes a name alone for a column of the result.
	const expression = `${row}.${name}`
	return {
		...rest,
		name,
		expression,
		operatorSchema,
		compare: (sign, value) => `${expression} ${operatorOf(operatorSchema, sign)} ${value}`,
		isNull: isNull => nullTest({ isComposite }, expression, isNull),
	}
}

function orderBy(terms: readonly OwnTerm[], isTotal: boolean): Order {
	const schemas = new Set(terms.map(({ operatorSchema = 'pg_catalog' }) => operatorSchema))
	const known = terms.find(({ operatorSchema }) => operatorSchema !== undefined)
	const expressions = terms.map(({ expression }) => expression).join(', ')
	return {
		terms,
		isTotal,
		// Ascending, NULL comes last.
		nulls: 'largest',
		compareRows: (sign, values) =>
			schemas.size === 1
				? `(${expressions}) ${operatorOf(known?.operatorSchema, sign)} (${values.join(', ')})`
				: undefined,
	}
}
