import type { AggregateQuery, Filter, FilterOperator, GridQuery } from '@roundhouse/kit'
import { Refusal } from './answer.ts'
import { inQuotes, literal, type TestColumn, type TestTable } from './postgres-table.ts'

/** What questions mean, as SQL that the test writes. Shares nothing with the driver. */

const signs: Readonly<Partial<Record<FilterOperator, string>>> = {
	equals: '=',
	not_equals: '<>',
	less: '<',
	less_or_equal: '<=',
	greater: '>',
	greater_or_equal: '>=',
}
const patterns: ReadonlySet<FilterOperator> = new Set(['contains', 'starts_with', 'ends_with', 'wildcard'])

/** @throws Refusal */
export function conditionSql(
	{ columns }: TestTable,
	{ filters, match, raw }: Pick<GridQuery, 'filters' | 'match' | 'raw'>,
): string {
	const all = filters.map(filter => {
		const column = columns.find(({ name }) => name === filter.column)
		if (!column) throw new Refusal(`no column ${filter.column}`)
		return `(${filterSql(column, filter)})`
	})
	const fitting = all.length === 0 ? 'true' : `(${all.join(match === 'all' ? ' and ' : ' or ')})`
	return raw === undefined ? fitting : `${fitting} and (${raw}\n)`
}

function filterSql({ name, type }: TestColumn, { operator, values }: Filter): string {
	const column = inQuotes(name)
	if (operator === 'exists') return `num_nonnulls(${column}) = 1`
	if (operator === 'missing') return `num_nonnulls(${column}) = 0`
	const isList = operator === 'in' || operator === 'not_in'
	const count = operator === 'between' ? 2 : 1
	if (isList ? values.length === 0 : values.length !== count) throw new Refusal(`${values.length} values`)
	if (patterns.has(operator)) return patternSql({ name, type }, operator, values[0] ?? '')
	const compare = (sign: string, value: string) => {
		const text = type.isText ? value : value.trim()
		if (type.refused?.test(text)) throw new Refusal(text)
		const compared = type.compared ?? type.sql
		const left = `(${column})::${compared}`
		const right = `${literal(text)}::${compared}`
		// A day alone means all of its moments.
		if (!type.isMoment || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return `${left} ${sign} ${right}`
		const next = `(${right} + interval '1 day')`
		if (sign === '=') return `(${left} >= ${right} and ${left} < ${next})`
		if (sign === '<>') return `(${left} < ${right} or ${left} >= ${next})`
		if (sign === '>') return `${left} >= ${next}`
		return sign === '<=' ? `${left} < ${next}` : `${left} ${sign} ${right}`
	}
	const [first = '', second = ''] = values
	if (operator === 'between') return `${compare('>=', first)} and ${compare('<=', second)}`
	if (operator === 'in') return values.map(value => compare('=', value)).join(' or ')
	if (operator === 'not_in') return values.map(value => compare('<>', value)).join(' and ')
	return compare(signs[operator] ?? '', first)
}

/** Patterns ignore case, and apply to the text that a cell shows. */
function patternSql({ name, type }: TestColumn, operator: FilterOperator, pattern: string): string {
	const collation = type.sql === 'text collate loose' ? ' collate "default"' : ''
	const value = type.sql === 'char(5)' ? `rtrim(${inQuotes(name)})` : inQuotes(name)
	const shown = `case when num_nonnulls(${inQuotes(name)}) = 1 then format('%s', ${value}) end`
	const text = `lower((${shown})${collation})`
	// Of the same collation, because what is a capital letter depends on it.
	const other = `lower(${literal(pattern)}::text${collationOf(type.sql)})`
	if (operator === 'contains') return `position(${other} in ${text}) > 0`
	if (operator === 'starts_with') return `left(${text}, length(${other})) = ${other}`
	if (operator === 'ends_with') return `right(${text}, length(${other})) = ${other}`
	const expression = pattern.replaceAll(/[!-/:-@[-^`{-~]/g, sign =>
		sign === '*' ? '.*' : sign === '?' ? '.' : `\\${sign}`,
	)
	return `${text} ~ ('^(?:' || lower(${literal(expression)}::text${collationOf(type.sql)}) || ')$')`
}

const collationOf = (sql: string) =>
	sql.includes('und-x-icu') ? ' collate "und-x-icu"' : sql === 'text collate loose' ? ' collate "default"' : ''

/** Returns the terms of an order, or a constant for none. */
export const sortSql = (sort: GridQuery['sort']) =>
	sort.map(({ column, direction }) => `${inQuotes(column)} ${direction}`).join(', ') || '1'

const percents: Readonly<Record<string, number>> = { median: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 }

export function aggregateSql(table: TestTable, query: AggregateQuery): string {
	const groups = query.groups.map(({ column, interval }) => {
		const name = inQuotes(column)
		if (interval === undefined) return name
		const width = Number(interval)
		if (width > 0) return `floor(${name}::numeric / ${width}) * ${width}`
		const type = table.columns.find(other => other.name === column)?.type
		return `date_trunc('${interval}', ${type?.sql === 'timestamptz' ? `${name} at time zone 'UTC'` : `${name}::timestamp`})`
	})
	const measures = query.measures.map(({ function: computed, column }) => {
		const name = inQuotes(column)
		if (computed === 'distinct') return `count(distinct ${name})`
		const percent = percents[computed]
		return percent === undefined
			? `${computed}(${name})`
			: `percentile_cont(${percent}) within group (order by ${name})`
	})
	const by = groups.length === 0 ? '' : ` group by ${groups.map((_, at) => at + 1).join(', ')}`
	return `select ${[...groups, 'count(*)', ...measures].join(', ')} from ${table.sql} where ${conditionSql(table, query)}${by}`
}
