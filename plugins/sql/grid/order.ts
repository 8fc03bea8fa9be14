import { DriverError } from '@roundhouse/kit'
import type { Bind } from '../text/binding.ts'

/** The order of rows. Something unique at its end makes it certain, so that a page can begin behind a known row. */

/** One expression of an order. */
export interface Term {
	/** As the user would write it. */
	readonly name: string
	/** Its value as text, which {@link Bind} takes again. */
	readonly text: string
	/** As ORDER BY takes it: a name alone could be one of the result. */
	readonly expression: string
	readonly direction: 'asc' | 'desc'
	/** Type of the value, as SQL, if a comparison needs it. */
	readonly type?: string
	readonly mayBeNull: boolean
	/** Returns a comparison of its expression with a value that is not NULL. */
	compare(sign: '=' | '<' | '>', value: string): string
	/** Returns the condition that it is NULL, or that it is not. */
	isNull(isNull: boolean): string
}

export interface Order {
	readonly terms: readonly Term[]
	/** Whether no two rows are equal, so that pages can be read by the values of rows in place of an offset. */
	readonly isTotal: boolean
	/** Where NULL stands among other values. */
	readonly nulls: 'largest' | 'smallest'
	/**
	 * Returns a comparison of all terms at once, for example `(a, b) > (1, 2)`, if an index can serve it. Absent or
	 * `undefined`: each term is compared alone.
	 */
	readonly compareRows?: (sign: '<' | '>', values: readonly string[]) => string | undefined
}

/** Has no NULLS FIRST or LAST: the order of NULL is that of the engine. */
export const orderSql = ({ terms }: Order): string =>
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

export const positionSql = ({ terms }: Order): string[] => terms.map(({ text }) => text)

/** Returns the condition of the rows behind a position. */
export function behind({ terms, nulls, compareRows }: Order, position: Position, bind: Bind): string {
	const values = terms.map(({ type }, at) => {
		const value = position[at] ?? null
		// A comparison with NULL takes no value.
		return value === null ? 'null' : bind(value, type)
	})
	const [first] = terms
	const isOneWay = terms.every(({ direction }) => direction === first?.direction)
	// A comparison of rows says nothing of NULL.
	const isPlain = isOneWay && !terms.some(({ mayBeNull }) => mayBeNull)
	const whole = isPlain ? compareRows?.(first?.direction === 'desc' ? '<' : '>', values) : undefined
	if (whole !== undefined) return whole
	const alternatives = terms.map((term, at) => {
		const equal = terms.slice(0, at).map((before, index) => isEqual(before, position[index], values[index] ?? ''))
		return [...equal, isBehind(term, nulls, position[at], values[at] ?? '')].join(' and ')
	})
	return alternatives.map(condition => `(${condition})`).join(' or ')
}

const isEqual = (term: Term, value: string | null | undefined, sql: string) =>
	value == null ? term.isNull(true) : term.compare('=', sql)

function isBehind(term: Term, nulls: Order['nulls'], value: string | null | undefined, sql: string): string {
	const { direction, mayBeNull } = term
	const isNullLast = (direction === 'asc') === (nulls === 'largest')
	if (value == null) return isNullLast ? 'false' : term.isNull(false)
	const behind = term.compare(direction === 'asc' ? '>' : '<', sql)
	return isNullLast && mayBeNull ? `(${behind} or ${term.isNull(true)})` : behind
}
