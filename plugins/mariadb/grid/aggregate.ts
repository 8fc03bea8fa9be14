import { type Aggregated, type AggregateQuery, DriverError, type Group, type Measure } from '@roundhouse/kit'
import { columnIn, type Shape } from '../catalog/shape.ts'
import { resultColumns } from '../catalog/types.ts'
import { conditionOf } from '../sql/conditions.ts'
import { valueSql } from '../sql/literals.ts'
import { qualified, quoted } from '../sql/names.ts'
import { isNumber } from '../sql/values.ts'
import type { Answer } from '../wire/session.ts'
import { cellOf } from './cells.ts'

/** Numbers about groups of rows. */

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** @throws DriverError `invalid_argument`, or `unsupported` for a percentile */
export function aggregateSql(shape: Shape, query: AggregateQuery): { readonly sql: string } {
	const groups = query.groups.map(group => groupSql(shape, group))
	const measures = query.measures.map(measure => measureSql(shape, measure))
	const condition = conditionOf(shape, query)
	const places = groups.map((_, at) => at + 1).join(', ')
	const sql = [
		`select ${[...groups, 'count(*)', ...measures].join(', ')} from ${qualified(shape.place)}`,
		...(condition === undefined ? [] : [`where ${condition}`]),
		...(groups.length === 0 ? [] : [`group by ${places} order by ${orderSql(shape, query)}, ${places}`]),
		`limit ${query.limit + 1}`,
	].join(' ')
	return { sql }
}

function orderSql(shape: Shape, { order, groups }: AggregateQuery): string {
	const count = groups.length + 1
	if (order) {
		const place = order.measure === 'group' ? 1 : order.measure === 'count' ? count : count + 1 + order.measure
		return `${place} ${order.direction}`
	}
	const isInOrder = ({ column, interval }: Group) => interval !== undefined || columnIn(shape, column).kind === 'date'
	return groups.some(isInOrder) ? '1' : `${count} desc`
}

/** The beginning of the unit of the calendar in which a moment `x` is. */
const beginnings: Readonly<Record<string, (x: string) => string>> = {
	minute: x => `cast(date_format(${x}, '%Y-%m-%d %H:%i:00') as datetime)`,
	hour: x => `cast(date_format(${x}, '%Y-%m-%d %H:00:00') as datetime)`,
	day: x => `cast(date(${x}) as datetime)`,
	week: x => `cast(date(${x}) - interval weekday(${x}) day as datetime)`,
	month: x => `cast(date_format(${x}, '%Y-%m-01') as datetime)`,
	quarter: x => `cast(makedate(year(${x}), 1) + interval (quarter(${x}) - 1) quarter as datetime)`,
	year: x => `cast(makedate(year(${x}), 1) as datetime)`,
}

function groupSql(shape: Shape, { column, interval }: Group): string {
	const found = columnIn(shape, column)
	const value = quoted(column)
	if (interval === undefined) return value
	if (isNumber(found)) {
		if (!(Number(interval) > 0))
			throw new DriverError('invalid_argument', `The interval ${interval} is no positive number.`)
		const width = valueSql({ number: interval })
		return `floor(${value} / ${width}) * ${width}`
	}
	if (found.kind !== 'date' || found.base === 'time' || found.base === 'year')
		throw new DriverError('invalid_argument', `${column} (${found.type}) has no intervals.`)
	const beginning = beginnings[interval]
	if (beginning) return beginning(value)
	const [, count, unit = ''] = /^([1-9]\d*)([smhd])$/.exec(interval) ?? []
	const width = Number(count) * (seconds[unit] ?? Number.NaN)
	if (Number.isNaN(width))
		throw new DriverError('invalid_argument', `The interval ${interval} is unknown, for example 5m or month.`)
	const epoch = "timestamp('1970-01-01')"
	return `${epoch} + interval (floor(timestampdiff(second, ${epoch}, ${value}) / ${width}) * ${width}) second`
}

function measureSql(shape: Shape, { function: name, column }: Measure): string {
	const found = columnIn(shape, column)
	const value = quoted(column)
	if (name === 'count') return `count(${value})`
	if (name === 'distinct') return `count(distinct ${value})`
	if (name === 'min' || name === 'max') return `${name}(${value})`
	if (!isNumber(found)) throw new DriverError('invalid_argument', `${column} (${found.type}) has no ${name}.`)
	if (name === 'sum' || name === 'avg') return `${name}(${value})`
	throw new DriverError('unsupported', `The server computes no ${name} of groups. Use avg, min or max.`)
}

/** Returns the answer of the server as groups. Whole numbers and decimals are exact. */
export function aggregated(
	query: AggregateQuery,
	{ fields, rows, isCut }: Answer,
	notices: readonly string[],
): Aggregated {
	const names = [
		...query.groups.map(({ column }) => column),
		'count',
		...query.measures.map(({ function: name, column }) => `${name}(${column})`),
	]
	const columns = resultColumns(fields)
	return {
		columns: columns.map(({ type }, at) => ({ name: names[at] ?? '', type })),
		rows: rows.map(row => columns.map((column, at) => cellOf(column, row[at] ?? null))),
		isTruncated: isCut,
		notices,
	}
}
