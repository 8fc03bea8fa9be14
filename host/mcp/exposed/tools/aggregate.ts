import { type AggregateQuery, DriverError, measureFunctions } from '@roundhouse/kit'
import { z } from 'zod'
import { decodeAnswer } from '../../access/decode-answer.ts'
import { defineConnectionTool } from '../framework/define-tool.ts'
import { rawWords } from './engine-text.ts'
import { shownNotices } from './notices.ts'
import { noticesOutput, rowSetOutput } from './outputs.ts'
import { rowFilter } from './row-arguments.ts'
import { rowSet } from './row-set.ts'
import { tableArgument } from './schema.ts'

const defaultGroups = 50
const maxGroups = 1000

export const aggregate = defineConnectionTool({
	name: 'aggregate',
	title: 'Aggregate',
	description: 'Counts and measures by group, computed by the engine: use it instead of reading rows to count them.',
	access: 'read',
	group: 'core',
	effect: 'none',
	described: rawWords,
	input: {
		table: tableArgument,
		group_by: z
			.array(
				z.strictObject({
					column: z.string(),
					interval: z
						.string()
						.min(1)
						.transform(widthOf)
						.optional()
						.describe('minute … year or 5m, 12h for dates, a number for numbers'),
				}),
			)
			.max(5)
			.default([])
			.describe('Outermost first'),
		measures: z
			.array(z.strictObject({ function: z.enum(measureFunctions), column: z.string() }))
			.max(20)
			.default([])
			.describe('Beside the count of rows'),
		order_by: z.string().min(1).optional().describe('count or a measure, for example avg(price); else largest first'),
		direction: z.enum(['asc', 'desc']).optional().describe('Of order_by, else of the groups'),
		...rowFilter,
		max_rows: z.int().min(1).max(maxGroups).default(defaultGroups).describe('Groups at most'),
	},
	output: { table: z.string(), ...rowSetOutput, notices: noticesOutput },
	run: async (args, { open, call: { signal } }) => {
		const { table, group_by: groupBy, measures, order_by: _, direction: __, raw, max_rows: limit, ...filter } = args
		const order = orderOf(args)
		const query = {
			table,
			...filter,
			...(raw !== undefined && { raw }),
			groups: groupBy.map(({ column, interval }) => ({ column, ...(interval !== undefined && { interval }) })),
			measures,
			...(order && { order }),
			limit,
		}
		const session = await open()
		const found = decodeAnswer('aggregate', await session.call('aggregate', { query }, { signal }), session)
		const { is_truncated: isCut, ...set } = rowSet(found.columns, found.rows)
		return {
			table,
			...set,
			is_truncated: isCut || found.isTruncated,
			...(found.notices.length > 0 && { notices: shownNotices(found.notices) }),
		}
	},
})

const units: Readonly<Record<string, string>> = {
	'1m': 'minute',
	'1h': 'hour',
	'1d': 'day',
	'1w': 'week',
	'1M': 'month',
	'1q': 'quarter',
	'1y': 'year',
}

/** Returns an interval as drivers know it. One unit is a unit of the calendar; `2w` is 14 days. */
function widthOf(interval: string): string {
	const weeks = /^([1-9][0-9]{0,3})w$/.exec(interval)
	return units[interval] ?? (weeks ? `${Number(weeks[1]) * 7}d` : interval)
}

/** What a client gives of the order. */
interface Ordering {
	readonly order_by?: string | undefined
	readonly direction?: 'asc' | 'desc' | undefined
	readonly measures: readonly { readonly function: string; readonly column: string }[]
}

/** A direction alone is that of the first group: without it, times would always begin with the oldest. */
function orderOf({ order_by: by, direction, measures }: Ordering): AggregateQuery['order'] {
	if (by !== undefined) return { measure: placeOf(by, measures), direction: direction ?? 'desc' }
	return direction && { measure: 'group', direction }
}

/** @throws DriverError `invalid_argument` with the names of the measures */
function placeOf(
	wanted: string,
	measures: readonly { readonly function: string; readonly column: string }[],
): number | 'count' {
	if (wanted === 'count') return wanted
	const names = measures.map(measure => `${measure.function}(${measure.column})`)
	const place = names.indexOf(wanted)
	if (place >= 0) return place
	throw new DriverError('invalid_argument', `order_by: use ${['count', ...names].join(', ')}.`)
}
