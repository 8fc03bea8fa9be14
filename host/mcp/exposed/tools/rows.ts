import { decode, denseCells, filterOperators } from '@roundhouse/kit'
import { z } from 'zod'
import { outgoingText } from '../../protocol/outgoing-text.ts'
import { defineConnectionTool } from '../framework/define-tool.ts'
import { defaultRows, mostRows, rowSet } from './row-set.ts'
import { tableArgument } from './schema.ts'

const filters = z
	.array(
		z.strictObject({
			column: z.string(),
			operator: z.enum(filterOperators),
			values: z.array(z.string()).max(1000).default([]),
		}),
	)
	.max(50)
	.default([])
const match = z.enum(['all', 'any']).default('all')
const raw = z.string().describe("A query in the engine's own language").optional()

export const browseTable = defineConnectionTool({
	name: 'browse_table',
	title: 'Browse table',
	description: 'A page of rows, filtered and sorted. row_ids address the rows for changes.',
	access: 'read',
	input: {
		table: tableArgument,
		filters,
		match,
		raw,
		sort: z
			.array(z.strictObject({ column: z.string(), direction: z.enum(['asc', 'desc']).default('asc') }))
			.max(10)
			.default([]),
		offset: z.int().min(0).max(100_000_000).default(0),
		max_rows: z.int().min(1).max(mostRows).default(defaultRows),
	},
	run: async ({ table, offset, max_rows: limit, raw, ...rest }, { open, call: { signal } }) => {
		const session = await open()
		const query = { table, ...rest, ...(raw !== undefined && { raw }), ...(offset === 0 && { firstPage: limit }) }
		const grid = await session.call('openGrid', { query }, { signal })
		try {
			const page = decode(await session.call('gridPage', { grid, offset, limit }, { signal }))
			const set = rowSet(
				page.columns,
				page.rows.map(row => denseCells(row, page.columns.length)),
			)
			const rows = page.rows.slice(0, set.row_count)
			return {
				table,
				...set,
				row_ids: rows.map(row => row.id),
				row_versions: rows.map(row => row.version ?? null),
				total: page.total.value,
				total_is_exact: page.total.isExact,
				...(page.notices.length > 0 && { notices: page.notices.map(outgoingText) }),
			}
		} finally {
			await session.closeGrid(grid)
		}
	},
})

export const countRows = defineConnectionTool({
	name: 'count_rows',
	title: 'Count rows',
	description: 'How many rows of a table match.',
	access: 'read',
	input: { table: tableArgument, filters, match, raw },
	run: async ({ table, raw, ...rest }, { open, call: { signal } }) => {
		const query = { table, ...rest, ...(raw !== undefined && { raw }) }
		const count = await (await open()).call('countRows', { query }, { signal })
		const { notice } = count
		return {
			table,
			count: count.value,
			is_exact: count.isExact,
			...(notice !== undefined && { notice: outgoingText(notice) }),
		}
	},
})
