import { DriverError, type Sort } from '@roundhouse/kit'
import { columnIn, nullTest, operatorOf, type Shape, textSql } from '../catalog/shape.ts'
import type { Bind } from '../sql/binding.ts'
import { quoted } from '../sql/names.ts'
import { row, rowKeyOf } from './row-key.ts'

/** The order of rows. Something unique at its end makes it certain, so that a page can begin behind a known row. */

interface Term {
	/** Quoted. */
	readonly name: string
	/** Its value as text. */
	readonly text: string
	/** Schema of its comparison operators, if not the plain ones. */
	readonly operatorSchema?: string | undefined
	/** With the alias of the table, because ORDER BY takes a name alone for a column of the result. */
	readonly expression: string
	readonly direction: 'asc' | 'desc'
	/** Type of the value, as SQL. */
	readonly type: string
	readonly mayBeNull: boolean
	readonly isComposite: boolean
}

export interface Order {
	readonly terms: readonly Term[]
	/** Whether no two rows are equal, so that pages can be read by the values of rows in place of an offset. */
	readonly isTotal: boolean
}

/** @throws DriverError `invalid_argument` for a column that has no order */
export function orderOf(shape: Shape, sort: readonly Sort[]): Order {
	const term = (name: string, direction: 'asc' | 'desc'): Term => {
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
		return { terms: [...sorted, ...rest, ...(key.isPerTable ? [table] : [])], isTotal: true }
	}
	if (key.by === 'place') {
		const isSpread = shape.kind === 'p' || shape.hasChildren
		return { terms: [...sorted, ...(isSpread ? [table] : []), system('ctid', 'tid')], isTotal: true }
	}
	const others = shape.columns.filter(({ name, isSortable }) => isSortable && !used.has(name))
	return { terms: [...sorted, ...others.map(({ name }) => term(name, direction))], isTotal: false }
}

const termOf = (name: string, rest: Omit<Term, 'name' | 'expression'>): Term => ({
	name,
	expression: `${row}.${name}`,
	...rest,
})

/** Has no NULLS FIRST or LAST, so PostgreSQL sorts NULL as the largest value. */
export const orderSql = ({ terms }: Order) =>
	terms.length === 0
		? ''
		: ` order by ${terms.map(({ expression, direction }) => `${expression} ${direction}`).join(', ')}`

/** Values of a row in the order, as text. */
export type Position = readonly (string | null)[]

/** A longer position, for example of a long text, is not given away. */
const longestPosition = 4_000
const orderIn = (order: Order) => order.terms.map(({ name, direction }) => `${name} ${direction}`).join(', ')

/** Returns a position as a text that {@link readPosition} reads, or `undefined` if it is long. */
export function positionText(order: Order, position: Position): string | undefined {
	const text = JSON.stringify([orderIn(order), ...position])
	return text.length > longestPosition ? undefined : text
}

/** @throws DriverError `invalid_argument` for a position in another order */
export function readPosition(order: Order, text: string): Position {
	const [of, ...position] = partsIn(text)
	const isOfOrder = of === orderIn(order) && position.length === order.terms.length
	if (isOfOrder && position.every((part): part is string | null => part === null || typeof part === 'string'))
		return position
	throw new DriverError('invalid_argument', 'The cursor is of rows in another order. Read the first page again.')
}

function partsIn(text: string): readonly unknown[] {
	try {
		const parts: unknown = JSON.parse(text)
		return Array.isArray(parts) ? parts : []
	} catch {
		return []
	}
}

export const positionSql = ({ terms }: Order) => terms.map(({ text }) => text)

/** Returns the condition of the rows behind a position. */
export function behind({ terms }: Order, position: Position, bind: Bind): string {
	const isPlain = terms.every(
		({ direction, mayBeNull }, at) => direction === terms[0]?.direction && !(mayBeNull && position[at] === null),
	)
	const values = terms.map(({ type }, at) => {
		const value = position[at] ?? null
		// A comparison with NULL takes no value.
		return value === null ? 'null' : bind(value, type)
	})
	const sign = (direction: 'asc' | 'desc') => (direction === 'asc' ? '>' : '<')
	// A comparison of rows is one range of an index. Ascending, NULL comes last, so nothing before it is lost.
	const schemas = new Set(terms.map(({ operatorSchema = 'pg_catalog' }) => operatorSchema))
	if (isPlain && schemas.size === 1 && !terms.some(({ mayBeNull }) => mayBeNull)) {
		const expressions = terms.map(({ expression }) => expression).join(', ')
		const { operatorSchema } = terms.find(term => term.operatorSchema !== undefined) ?? {}
		const operator = operatorOf(operatorSchema, sign(terms[0]?.direction ?? 'asc'))
		return `(${expressions}) ${operator} (${values.join(', ')})`
	}
	const alternatives = terms.map((term, at) => {
		const equal = terms
			.slice(0, at)
			.map((before, index) => isEqual(before, position[index] ?? null, values[index] ?? ''))
		return [...equal, isBehind(term, position[at] ?? null, values[at] ?? '')].join(' and ')
	})
	return alternatives.map(condition => `(${condition})`).join(' or ')
}

const isEqual = ({ expression, operatorSchema, isComposite }: Term, value: string | null, sql: string) =>
	value === null ? nullTest({ isComposite }, expression) : `${expression} ${operatorOf(operatorSchema, '=')} ${sql}`

function isBehind(
	{ expression, direction, mayBeNull, operatorSchema, isComposite }: Term,
	value: string | null,
	sql: string,
): string {
	const behind = `${expression} ${operatorOf(operatorSchema, direction === 'asc' ? '>' : '<')} ${sql}`
	if (direction === 'asc') {
		if (value === null) return 'false'
		return mayBeNull ? `(${behind} or ${nullTest({ isComposite }, expression)})` : behind
	}
	return value === null ? nullTest({ isComposite }, expression, false) : behind
}
