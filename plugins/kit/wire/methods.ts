import { z } from 'zod'
import type { Aggregated } from '../api/aggregate.ts'
import type { Access, ConsoleResult } from '../api/console.ts'
import type { Ask, MissingCapability, PromptResult, ResourceOutcome, ToolResult } from '../api/mcp.ts'
import type { GridPage, WholeRow } from '../api/rows.ts'
import type { TableDescription } from '../api/table.ts'
import {
	access,
	aggregateQuery,
	assessment,
	bytes,
	change,
	changeOutcome,
	completion,
	completionRequest,
	completions,
	encoded,
	explainable,
	explained,
	exportOptions,
	factSection,
	gridQuery,
	handle,
	list,
	pasted,
	rowCount,
	serverInfo,
	settings,
	shortText,
	statement,
	table,
	unsortedQuery,
	verdict,
} from './values.ts'

/**
 * The one table of what the host asks of a driver process: for each method its parameters and its result. The handlers of
 * the driver's process, the host's check of what it answers, the calls of a session and the window's own methods all
 * follow from it. The driver's process takes types alone from here, so that it starts without zod.
 */

interface Method<Params extends z.ZodType, Result extends z.ZodType> {
	readonly params: Params
	readonly result: Result
	/** For calls that end by themselves: nobody waits for them with a finger on Cancel. */
	readonly limitMs?: number
	/** What a call may do at most, which whoever makes it has allowed; to read where nothing else is said. */
	readonly permits?: (params: z.output<Params>) => Access
}

function method<Params extends z.ZodType, Result extends z.ZodType>(
	params: Params,
	result: Result,
	options: Omit<Method<Params, Result>, 'params' | 'result'> = {},
): Method<Params, Result> {
	return { params, result, ...options }
}

/** What acts on an open connection. The session that calls puts the number in. */
const onConnection = z.object({ connection: handle })
const onTable = onConnection.extend({ table: z.string() })
const onChanges = onTable.extend({ changes: list(change, 10_000) })
const closing = { limitMs: 5_000 }

/** `args` and `context` are JSON text, which no parser of the wire meets; see runtime/process.ts for the context. */
const mcpCall = z.object({ connection: handle.exactOptional(), args: z.string(), context: z.string() })

export const driverMethods = {
	/** `reach`: what the connection's sockets are asked for with. */
	connect: method(
		z.object({ settings, reach: handle, isReadOnly: z.boolean() }),
		z.object({ connection: handle, info: serverInfo }),
		{
			limitMs: 120_000,
		},
	),
	disconnect: method(onConnection, z.null(), closing),
	listTables: method(onConnection, list(table, 1_000_000)),
	describeTable: method(onTable, encoded<TableDescription>()),

	openGrid: method(onConnection.extend({ query: gridQuery }), handle),
	gridPage: method(
		onConnection.extend({
			grid: handle,
			offset: z.int().nonnegative(),
			limit: z.int().positive().max(10_000),
		}),
		encoded<GridPage>(),
	),
	closeGrid: method(onConnection.extend({ grid: handle }), z.null(), closing),
	countRows: method(onConnection.extend({ query: unsortedQuery }), rowCount),
	aggregate: method(onConnection.extend({ query: aggregateQuery }), encoded<Aggregated>()),
	explain: method(onConnection.extend({ what: explainable }), explained),
	readRow: method(onTable.extend({ rowId: z.string() }), encoded<WholeRow>()),

	openExport: method(onConnection.extend({ query: gridQuery, options: exportOptions }), handle),
	/** `null` at the end. */
	readExport: method(onConnection.extend({ export: handle }), bytes.nullable()),
	closeExport: method(onConnection.extend({ export: handle }), z.null(), closing),

	/** Of the whole connection without a table. */
	readFacts: method(onConnection.extend({ table: z.string().exactOptional() }), list(factSection, 100)),

	previewChanges: method(onChanges, list(z.string())),
	applyChanges: method(onChanges, list(changeOutcome), { permits: () => 'destructive' }),

	analyse: method(onConnection.extend({ text: z.string() }), list(verdict)),
	assess: method(onConnection.extend({ statement }), assessment),
	completeConsole: method(onConnection.extend({ text: z.string(), offset: z.int().nonnegative() }), completions),
	formatConsole: method(onConnection.extend({ text: z.string() }), z.string(), { limitMs: 10_000 }),
	copyStatement: method(onConnection.extend({ statement }), z.string(), { limitMs: 10_000 }),
	/** `null` where the driver does not know what it is. */
	readPasted: method(onConnection.extend({ text: z.string() }), pasted.nullable(), { limitMs: 10_000 }),
	/** `values` is JSON text, so that no number loses a digit. */
	bindParameters: method(onConnection.extend({ text: z.string(), values: z.string() }), z.string(), {
		limitMs: 10_000,
	}),
	runConsole: method(
		onConnection.extend({
			statement,
			maxRows: z.int().positive().max(10_000),
			showsRefusals: z.boolean().exactOptional(),
		}),
		encoded<ConsoleResult>(),
		{ permits: ({ statement }) => statement.access },
	),

	/** What is wrong with a tool's arguments by its own JSON Schema, both as JSON text; `null` where nothing is. */
	checkArguments: method(z.object({ schema: z.string(), args: z.string() }), z.string().max(2000).nullable()),
	/** `access`: what the client was allowed. */
	callTool: method(mcpCall.extend({ name: z.string(), access }), encoded<ToolResult | Ask | MissingCapability>(), {
		permits: params => params.access,
	}),
	getPrompt: method(mcpCall.extend({ name: z.string() }), encoded<PromptResult | Ask>()),
	readResource: method(mcpCall.extend({ uri: z.string() }), encoded<ResourceOutcome>()),
	complete: method(z.object({ request: completionRequest }), completion),

	startSample: method(
		z.object({ port: z.int().exactOptional() }),
		z.object({ settings, url: shortText.pipe(z.url({ protocol: /^http$/ })) }),
	),
} as const satisfies Readonly<Record<string, Method<z.ZodType, z.ZodType>>>

export type DriverMethod = keyof typeof driverMethods
export type ParamsOf<M extends DriverMethod> = z.output<(typeof driverMethods)[M]['params']>
export type ResultOf<M extends DriverMethod> = z.output<(typeof driverMethods)[M]['result']>

/** Methods that act on an open connection, or may. */
export type ConnectionMethod = {
	[M in DriverMethod]: 'connection' extends keyof ParamsOf<M> ? M : never
}[DriverMethod]
/** Without the connection, which whoever holds it puts in. */
export type ConnectionParams<M extends ConnectionMethod> = Omit<ParamsOf<M>, 'connection'>

/** What a call may do at most. */
export function permittedBy<M extends DriverMethod>(name: M, params: ParamsOf<M>): Access {
	// Each row's function takes that row's parameters, which TypeScript cannot see through M.
	const { permits }: { readonly permits?: (params: never) => Access } = driverMethods[name]
	return permits?.(params as never) ?? 'read'
}
