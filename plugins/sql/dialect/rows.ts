import { type Cell, type Column, DriverError, type GridQuery, type Sort } from '@roundhouse/kit'
import type { Order, Term } from '../grid/order.ts'
import type { Identity } from '../grid/table-grid.ts'
import { conditionOf as conditionBy } from '../text/conditions.ts'
import type { TextRow } from '../text/session.ts'
import type { Dialect, DialectTable, Given, KeyPart, Values } from './dialect.ts'

/** Which rows of a table, in which order, and how each is identified. */

/** What these functions need of a dialect. */
export type Writing = Pick<Dialect, 'language' | 'values'>

/** Returns a cell as SQL. */
export function literalOf(values: Values, cell: Cell): string {
	const given = givenBy(cell)
	return given === undefined ? 'null' : values.exact(values.textOf(given))
}

function givenBy(cell: Cell): Given | undefined {
	if (cell === null) return undefined
	if (typeof cell === 'string') return { text: cell }
	if (typeof cell !== 'object') return { number: String(Number(cell)) }
	if ('number' in cell) return { number: cell.number }
	if ('bytes' in cell) return { bytes: Buffer.from(cell.bytes, 'base64') }
	if ('json' in cell) return { text: cell.json }
	if ('text' in cell) return { text: cell.text }
	throw new DriverError('invalid_argument', 'A value that is missing or was not read cannot be used.')
}

/** Returns the column of that name. @throws DriverError `invalid_argument` */
export function columnIn({ columns, name: table }: DialectTable, name: string): Column {
	const column = columns.find(column => column.name === name)
	if (!column) throw new DriverError('invalid_argument', `${table} has no column ${name}.`)
	return column
}

/** Returns the condition of a query, or `undefined` for all rows. @throws DriverError `invalid_argument` */
export function conditionOf(
	{ language, values }: Writing,
	table: DialectTable,
	query: Pick<GridQuery, 'filters' | 'match' | 'raw'>,
): string | undefined {
	const comparing = {
		columnIn: (name: string) => columnIn(table, name),
		valueOf: values.compared,
		nullTest: ({ name }: Column, isNull: boolean) => `${language.quoted(name)} is ${isNull ? '' : 'not '}null`,
		operator: (_: Column, sign: string) => sign,
		typedValue: values.typed,
		isMoment: () => false,
		takesLists: () => true,
		matches: values.matches,
	}
	return conditionBy(comparing, query, value => (value === null ? 'null' : values.exact(value)))
}

export const whereOf = (writing: Writing, table: DialectTable, query: Parameters<typeof conditionOf>[2]): string => {
	const condition = conditionOf(writing, table, query)
	return condition === undefined ? '' : ` where ${condition}`
}

/** Rows without a key are in the order of all their columns. */
const orderingParts = ({ key, columns }: DialectTable): readonly KeyPart[] =>
	key.length > 0 ? key : columns.filter(({ isSortable }) => isSortable)

/** @throws DriverError `invalid_argument` for a column that has no order */
export function orderOf({ language, values }: Writing, table: DialectTable, sort: readonly Sort[]): Order {
	const term = ({ name, ...column }: KeyPart, direction: 'asc' | 'desc', mayBeNull: boolean): Term => {
		const expression = language.quoted(name)
		return {
			name: expression,
			text: values.whole(expression, column),
			expression,
			direction,
			mayBeNull,
			compare: (sign, value) => `${expression} ${sign} ${value}`,
			isNull: isNull => `${expression} is ${isNull ? '' : 'not '}null`,
		}
	}
	const sorted = new Map(sort.map(one => [one.column, one.direction]))
	const chosen = [...sorted].map(([name, direction]) => {
		const column = columnIn(table, name)
		if (!column.isSortable) throw new DriverError('invalid_argument', `${name} (${column.type}) has no order.`)
		return term(column, direction, !column.isNotNull)
	})
	const isTotal = table.key.length > 0
	// One direction for all lets an index serve the order.
	const direction = sort.at(-1)?.direction ?? 'asc'
	const rest = orderingParts(table).filter(({ name }) => !sorted.has(name))
	return { terms: [...chosen, ...rest.map(part => term(part, direction, !isTotal))], isTotal, nulls: values.nulls }
}

/** Returns the texts that make the id of a row: its key, or a digest of all its values. */
export function identityOf({ language, values }: Writing, { key, columns }: DialectTable): readonly string[] {
	const texts = (parts: readonly KeyPart[]) => parts.map(part => values.whole(language.quoted(part.name), part))
	return key.length > 0 ? texts(key) : [values.digest(texts(columns))]
}

export const identityIn = (values: TextRow): Identity => ({ id: JSON.stringify(values) })

/** Returns the condition of one row. @throws DriverError `not_found` for a text that is no id of this table */
export function isRow(writing: Writing, table: DialectTable, id: string): string {
	const texts = textsIn(id, Math.max(1, table.key.length))
	if (!texts) throw new DriverError('not_found', `${id} is no row id of ${table.name}. Row ids come with the rows.`)
	const { language, values } = writing
	const exact = (at: number) => values.exact(texts[at] ?? '')
	if (table.key.length > 0)
		return table.key.map(({ name }, at) => `${language.quoted(name)} = ${exact(at)}`).join(' and ')
	const [digest] = identityOf(writing, table)
	return `${digest} = ${values.exact(values.textOf({ text: texts[0] ?? '' }))}`
}

function textsIn(id: string, count: number): readonly string[] | undefined {
	try {
		// The grid numbers equal rows.
		const texts: unknown = JSON.parse(id.replace(/#\d+$/, ''))
		const isId = Array.isArray(texts) && texts.length === count
		return isId && texts.every(text => typeof text === 'string') ? texts : undefined
	} catch {
		return undefined
	}
}
