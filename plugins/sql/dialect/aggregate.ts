import {
	type Aggregated,
	type AggregateQuery,
	type Column,
	DriverError,
	exactNumber,
	type Group,
	type Measure,
	stringifyJson,
} from '@roundhouse/kit'
import type { TextRow } from '../text/session.ts'
import type { DialectTable, ValueColumn } from './dialect.ts'
import { columnIn, type Writing, whereOf } from './rows.ts'

/** Numbers about groups of rows. */

/** @throws DriverError `invalid_argument`, or `unsupported` for what not every engine computes */
export function aggregateSql(writing: Writing, table: DialectTable, query: AggregateQuery): string {
	const groups = query.groups.map(group => groupSql(writing, table, group))
	const measures = query.measures.map(measure => measureSql(writing, table, measure))
	const all = [...groups, 'count(*)', ...measures]
	const columns = columnsOf(table, query)
	// Equal measures are columns of different names. No column of a table has such a name, which an order would mean.
	const name = (at: number) => writing.language.quoted(`roundhouse ${at}`)
	const selected = all.map((sql, at) => `${writing.values.whole(sql, columns[at] ?? number)} as ${name(at)}`).join(', ')
	const where = whereOf(writing, table, query)
	const order = [orderSql(all, query), ...groups].filter(part => part !== undefined).join(', ')
	const grouped = groups.length === 0 ? '' : ` group by ${groups.join(', ')} order by ${order}`
	return `select ${selected} from ${table.from}${where}${grouped} limit ${query.limit + 1}`
}

const number: ValueColumn = { kind: 'number', type: 'number' }

function orderSql(all: readonly string[], { order, groups }: AggregateQuery): string | undefined {
	const count = groups.length
	if (!order) return groups.some(({ interval }) => interval !== undefined) ? undefined : `${all[count]} desc`
	const { measure, direction } = order
	const at = measure === 'group' ? 0 : measure === 'count' ? count : count + 1 + measure
	return `${all[at]} ${direction}`
}

function groupSql({ language }: Writing, table: DialectTable, { column: name, interval }: Group): string {
	const column = columnIn(table, name)
	const value = language.quoted(name)
	if (interval === undefined) return value
	if (column.kind !== 'number') throw new DriverError('unsupported', `${name} (${column.type}) has no intervals.`)
	if (!(Number(interval) > 0))
		throw new DriverError('invalid_argument', `The interval ${interval} is no positive number.`)
	// A division of whole numbers would be cut towards 0.
	const width = stringifyJson(exactNumber(interval))
	return `floor(${value} * 1.0 / ${width}) * ${width}`
}

function measureSql({ language }: Writing, table: DialectTable, { function: name, column }: Measure): string {
	const { kind, type } = columnIn(table, column)
	const value = language.quoted(column)
	if (name === 'count' || name === 'min' || name === 'max') return `${name}(${value})`
	if (name === 'distinct') return `count(distinct ${value})`
	if (kind !== 'number') throw new DriverError('invalid_argument', `${column} (${type}) has no ${name}.`)
	if (name === 'sum' || name === 'avg') return `${name}(${value})`
	throw new DriverError('unsupported', `The driver computes no ${name} of groups. Use avg, min or max.`)
}

/** The columns of the answer, each as its values are read. */
function columnsOf(table: DialectTable, { groups, measures }: AggregateQuery): readonly (Column | ValueColumn)[] {
	const own = new Set(['min', 'max'])
	return [
		...groups.map(({ column }) => columnIn(table, column)),
		number,
		...measures.map(measure => (own.has(measure.function) ? columnIn(table, measure.column) : number)),
	]
}

/** Returns the rows of the answer as groups. */
export function aggregated(
	{ values }: Writing,
	table: DialectTable,
	{ query, rows }: { readonly query: AggregateQuery; readonly rows: readonly TextRow[] },
): Aggregated {
	const names = [
		...query.groups.map(({ column }) => column),
		'count',
		...query.measures.map(({ function: name, column }) => `${name}(${column})`),
	]
	const columns = columnsOf(table, query)
	const cellAt = (text: string | null, at: number) =>
		text === null ? null : values.cellOf(text, columns[at] ?? number)
	return {
		columns: names.map((name, at) => ({ name, type: columns[at]?.type ?? '' })),
		rows: rows.slice(0, query.limit).map(row => row.map(cellAt)),
		isTruncated: rows.length > query.limit,
		notices: [],
	}
}
