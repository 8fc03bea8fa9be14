import { type Aggregated, type AggregateQuery, DriverError, type Group, type Measure } from '@roundhouse/kit'
import { calendar, Parameters } from '@roundhouse/sql'
import { columnIn, from, type Shape } from '../catalog/shape.ts'
import type { ResultTypes } from '../console/result-types.ts'
import { placeholder } from '../sql/binding.ts'
import { conditionOf } from '../sql/conditions.ts'
import { quoted } from '../sql/names.ts'
import type { Answer, Query } from '../wire/session.ts'
import { cellOf } from './cells.ts'

/** Numbers about groups of rows. */

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** @throws DriverError `invalid_argument` */
export function aggregateSql(shape: Shape, query: AggregateQuery): Query {
	const parameters = new Parameters(placeholder)
	const groups = query.groups.map(group => groupSql(shape, group))
	const measures = query.measures.map(measure => measureSql(shape, measure))
	const condition = conditionOf(shape, query, parameters.bind)
	const selected = [...groups, 'count(*)', ...measures]
	const places = groups.map((_, at) => at + 1).join(', ')
	const sql = [
		`select ${selected.join(', ')} from ${from(shape)}`,
		...(condition === undefined ? [] : [`where ${condition}`]),
		...(groups.length === 0 ? [] : [`group by ${places} order by ${orderSql(shape, query)}, ${places}`]),
	].join(' ')
	return { sql, values: parameters.values, most: query.limit }
}

function orderSql(shape: Shape, { order, groups }: AggregateQuery): string {
	const count = groups.length + 1
	if (order?.measure === 'group') return `1 ${order.direction} nulls last`
	if (order) return `${order.measure === 'count' ? count : count + 1 + order.measure} ${order.direction} nulls last`
	const isInOrder = ({ column, interval }: Group) => interval !== undefined || columnIn(shape, column).kind === 'date'
	return groups.some(isInOrder) ? '1' : `${count} desc`
}

function groupSql(shape: Shape, { column, interval }: Group): string {
	const { kind, base } = columnIn(shape, column)
	const value = quoted(column)
	if (interval === undefined) return value
	if (kind === 'number') {
		const width = Number(interval)
		if (!(width > 0)) throw new DriverError('invalid_argument', `The interval ${interval} is no positive number.`)
		return `floor(${value}::numeric / ${width}::numeric) * ${width}::numeric`
	}
	if (kind !== 'date') throw new DriverError('invalid_argument', `${column} (${base}) has no intervals.`)
	const isInstant = base === 'timestamptz'
	// A group begins in the zone of the session, as a filter reads a day, and is printed with its offset.
	const moment = isInstant ? value : `${value}::timestamp`
	if (calendar.has(interval)) return `date_trunc('${interval}', ${moment})`
	const [, count, unit = ''] = /^([1-9]\d*)([smhd])$/.exec(interval) ?? []
	const width = Number(count) * (seconds[unit] ?? Number.NaN)
	if (Number.isNaN(width))
		throw new DriverError('invalid_argument', `The interval ${interval} is unknown, for example 5m or month.`)
	const start = `to_timestamp(floor(extract(epoch from ${moment}) / ${width}) * ${width})`
	return isInstant ? start : `${start} at time zone 'UTC'`
}

const percents = { median: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 } as const

function measureSql(shape: Shape, { function: name, column }: Measure): string {
	const { kind, type, operatorSchema } = columnIn(shape, column)
	const value = quoted(column)
	if (name === 'count') return `count(${value})`
	if (name === 'distinct') return `count(distinct ${value})`
	if (name === 'min' || name === 'max') {
		// An aggregate of an extension has no place by which it is known; its order has.
		if (operatorSchema !== undefined && operatorSchema !== 'pg_catalog')
			return `(array_agg(${value} order by ${value}${name === 'max' ? ' desc' : ''}) filter (where ${value} is not null))[1]`
		return `${name}(${value})`
	}
	if (kind !== 'number') throw new DriverError('invalid_argument', `${column} (${type}) has no ${name}.`)
	if (name === 'sum' || name === 'avg') return `${name}(${value})`
	return `percentile_cont(${percents[name]}) within group (order by ${value})`
}

/** Returns the answer of the server as groups. Whole numbers and decimals are exact. */
export function aggregated(
	query: AggregateQuery,
	{ fields, rows, isCut }: Answer,
	{ types, ...zone }: { readonly types: ResultTypes } & Pick<Aggregated, 'notices' | 'timeZone'>,
): Aggregated {
	const names = [
		...query.groups.map(({ column }) => column),
		'count',
		...query.measures.map(({ function: name, column }) => `${name}(${column})`),
	]
	const columns = types.columns(fields)
	return {
		columns: columns.map(({ type }, at) => ({ name: names[at] ?? '', type })),
		rows: rows.map(row => columns.map((column, at) => cellOf(column, row[at] ?? null))),
		isTruncated: isCut,
		...zone,
	}
}
