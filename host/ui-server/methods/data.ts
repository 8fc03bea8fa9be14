import { exportFormats, filterOperators } from '@roundhouse/kit'
import { z } from 'zod'
import type { Sessions } from '../../connections/sessions.ts'
import type { Exports } from '../exports.ts'
import type { Methods } from './method.ts'

const onConnection = z.object({ connection: z.string() })
const onTable = onConnection.extend({ table: z.string() })

const querySchema = z.object({
	table: z.string(),
	filters: z.array(z.object({ column: z.string(), operator: z.enum(filterOperators), values: z.array(z.string()) })),
	match: z.enum(['all', 'any']),
	raw: z.string().exactOptional(),
	sort: z.array(z.object({ column: z.string(), direction: z.enum(['asc', 'desc']) })),
})

/** New values, never cut ones; a missing one removes the field. */
const cellSchema = z.union([
	z.null(),
	z.boolean(),
	z.string(),
	z.number(),
	z.strictObject({ number: z.string() }),
	z.strictObject({ json: z.string() }),
	z.strictObject({ missing: z.literal(true) }),
])
const row = { rowId: z.string(), version: z.string().exactOptional() }
const changesSchema = onTable.extend({
	changes: z
		.array(
			z.discriminatedUnion('kind', [
				z.object({ kind: z.literal('update'), ...row, set: z.record(z.string(), cellSchema) }),
				z.object({ kind: z.literal('insert'), values: z.record(z.string(), cellSchema) }),
				z.object({ kind: z.literal('delete'), ...row }),
			]),
		)
		.max(10_000),
})

type DataMethod = Extract<keyof Methods, `${'tables' | 'grid' | 'exports' | 'rows' | 'changes' | 'console'}.${string}`>

/** Everything that reaches the data of an open connection; a closed one is opened on the way. */
export function dataMethods(sessions: Sessions, running: () => { readonly exports: Exports }): Methods<DataMethod> {
	return {
		'tables.list': {
			params: onConnection,
			run: async ({ connection }, context) =>
				(await sessions.open(connection, context)).call('listTables', {}, context),
		},
		'tables.describe': {
			params: onTable,
			run: async ({ connection, table }, context) =>
				(await sessions.open(connection, context)).call('describeTable', { table }, context),
		},
		'grid.open': {
			params: onConnection.extend({ query: querySchema }),
			run: async ({ connection, query }, context) => ({ grid: await context.grids.open(connection, query, context) }),
		},
		'grid.page': {
			params: z.object({
				grid: z.int(),
				offset: z.int().nonnegative(),
				limit: z.int().positive().max(10_000),
			}),
			run: ({ grid, offset, limit }, context) => context.grids.page(grid, offset, limit, context),
		},
		'grid.close': {
			params: z.object({ grid: z.int() }),
			run: async ({ grid }, context) => {
				await context.grids.close(grid)
				return null
			},
		},
		'exports.begin': {
			params: onConnection.extend({
				query: querySchema,
				options: z.object({
					format: z.enum(exportFormats),
					columns: z.array(z.string()).exactOptional(),
					rowIds: z.array(z.string()).max(10_000).exactOptional(),
					guardFormulas: z.boolean().exactOptional(),
				}),
			}),
			run: async ({ connection, query, options }, context) => ({
				id: await running().exports.begin(connection, query, options, context),
			}),
		},
		'exports.cancel': {
			params: z.object({ id: z.string() }),
			run: async ({ id }) => {
				running().exports.cancel(id)
				return null
			},
		},
		'rows.count': {
			params: onConnection.extend({ query: querySchema.omit({ sort: true }) }),
			run: async ({ connection, query }, context) =>
				(await sessions.open(connection, context)).call('countRows', { query }, context),
		},
		'rows.read': {
			params: onTable.extend({ rowId: z.string() }),
			run: async ({ connection, table, rowId }, context) =>
				(await sessions.open(connection, context)).call('readRow', { table, rowId }, context),
		},
		'changes.preview': {
			params: changesSchema,
			run: async ({ connection, ...params }, context) =>
				(await sessions.open(connection, context)).call('previewChanges', params, context),
		},
		'changes.apply': {
			params: changesSchema,
			run: async ({ connection, ...params }, context) =>
				(await sessions.open(connection, context)).call('applyChanges', params, context),
		},
		'console.parse': {
			params: onConnection.extend({ text: z.string() }),
			run: async ({ connection, text }, context) =>
				(await sessions.open(connection, context)).call('parseConsole', { text }, context),
		},
		'console.classify': {
			params: onConnection.extend({ statement: z.string() }),
			run: async ({ connection, statement }, context) =>
				(await sessions.open(connection, context)).call('classify', { statement }, context),
		},
		'console.complete': {
			params: onConnection.extend({ text: z.string(), offset: z.int().nonnegative() }),
			run: async ({ connection, ...params }, context) =>
				(await sessions.open(connection, context)).call('completeConsole', params, context),
		},
		'console.run': {
			params: onConnection.extend({ statement: z.string(), maxRows: z.int().positive().max(10_000) }),
			run: async ({ connection, ...params }, context) =>
				(await sessions.open(connection, context)).call('runConsole', params, context),
		},
	}
}
