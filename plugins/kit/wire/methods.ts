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
	databaseObject,
	effect,
	encoded,
	explainable,
	explained,
	exportOptions,
	factSection,
	filledAction,
	foundColumn,
	foundTable,
	gridQuery,
	handle,
	held,
	hiddenColumns,
	hiddenPart,
	importedRows,
	importOptions,
	list,
	namespace,
	pageBorder,
	pasted,
	rawReading,
	resultOrder,
	rowCount,
	serverInfo,
	settings,
	shortText,
	similarGroups,
	similarQuery,
	statement,
	statementExportOptions,
	table,
	tableAction,
	tableChange,
	tableForm,
	tableFormPlace,
	triedChange,
	unsortedQuery,
	verdict,
} from './values.ts'

/**
 * The table of methods that the host calls in a driver process: parameters and result of each. From it derive the
 * handlers of the driver's process, the host's validation of answers, the calls of a session and the methods of the
 * window. The driver's process imports only types from here, so that it starts without zod.
 */

interface Method<Params extends z.ZodType, Result extends z.ZodType> {
	readonly params: Params
	readonly result: Result
	/** How long the host waits for the answer. Every call can also be cancelled. */
	readonly limitMs: number
	/** What a call may do at most, allowed by the caller. Default: read. */
	readonly permits?: (params: z.output<Params>) => Access
}

const minutes = (count: number) => count * 60_000

function method<Params extends z.ZodType, Result extends z.ZodType>(
	params: Params,
	result: Result,
	options: Partial<Omit<Method<Params, Result>, 'params' | 'result'>> = {},
): Method<Params, Result> {
	return { params, result, limitMs: minutes(5), ...options }
}

/** Parameters of methods that act on an open connection. The session adds the number. */
const onConnection = z.object({ connection: handle })
const onTable = onConnection.extend({ table: z.string() })
/** Columns whose values must decide nothing of an answer. */
const withheld = list(z.string(), 10_000)
const onChanges = onTable.extend({ changes: list(change, 10_000) })
const onGrid = onConnection.extend({ grid: handle })
const rowRange = { offset: z.int().nonnegative(), limit: z.int().positive().max(10_000) }
const onImport = onConnection.extend({ import: handle })
const ofConsole = {
	/** A number of the host. The first statement with it opens the session, if the driver has sessions. */
	session: handle.exactOptional(),
	/** Whether the user sees an open transaction. If it was lost, the statement is refused. */
	inTransaction: z.boolean().exactOptional(),
}
const closing = { limitMs: 5_000 }

/**
 * `args` and `context` are JSON text, which the parser of the wire does not read. See runtime/process.ts for the
 * context.
 */
const mcpCall = z.object({ connection: handle.exactOptional(), args: z.string(), context: z.string() })

export const driverMethods = {
	/** `reach`: id with which the connection requests its sockets. */
	connect: method(
		z.object({ settings, reach: handle, isReadOnly: z.boolean() }),
		z.object({ connection: handle, info: serverInfo }),
		{
			limitMs: 120_000,
		},
	),
	disconnect: method(onConnection, z.null(), closing),
	listTables: method(onConnection, list(table, 1_000_000)),
	findTables: method(onConnection.extend({ text: z.string().max(1_000) }), list(foundTable, 100), { limitMs: 10_000 }),
	/** `null` if the driver cannot. */
	findColumns: method(onConnection.extend({ text: z.string().max(1_000) }), list(foundColumn, 1_000).nullable(), {
		limitMs: 60_000,
	}),
	tableActions: method(onConnection.extend({ tables: list(z.string(), 10_000) }), list(tableAction, 100), {
		limitMs: 60_000,
	}),
	fillAction: method(onConnection.extend({ filled: filledAction }), z.string().max(1_000_000), { limitMs: 60_000 }),
	readTableForm: method(onConnection.extend({ place: tableFormPlace }), tableForm, { limitMs: 60_000 }),
	tableStatements: method(onConnection.extend({ change: tableChange }), list(z.string().max(1_000_000), 10_000), {
		limitMs: 10_000,
	}),
	tryTableChange: method(onConnection.extend({ change: tableChange }), triedChange),
	/** `null` if the driver cannot tell. */
	hiddenPart: method(onTable.extend({ hidden: list(hiddenColumns, 10_000) }), hiddenPart.nullable(), {
		limitMs: 60_000,
	}),
	/** `null` if the engine has no rights on columns. */
	restrictedLogin: method(
		onConnection.extend({ hidden: list(hiddenColumns, 10_000) }),
		z.string().max(10_000_000).nullable(),
		{ limitMs: 60_000 },
	),
	describeTable: method(onTable, encoded<TableDescription>()),

	/** Opens a grid under a number of the host and returns its first rows. */
	openGrid: method(
		onGrid.extend({
			query: gridQuery,
			...rowRange,
			givesPositions: z.boolean().exactOptional(),
			after: pageBorder.exactOptional(),
			without: withheld.exactOptional(),
		}),
		encoded<GridPage>(),
	),
	gridPage: method(onGrid.extend(rowRange), encoded<GridPage>()),
	closeGrid: method(onGrid, z.null(), closing),
	countRows: method(onConnection.extend({ query: unsortedQuery }), rowCount),
	aggregate: method(onConnection.extend({ query: aggregateQuery }), encoded<Aggregated>()),
	/** `null` if the engine cannot. */
	groupSimilar: method(onConnection.extend({ query: similarQuery }), similarGroups.nullable()),
	/** `null` if the driver has no completion of raw queries. */
	readRawQuery: method(
		onTable.extend({ text: z.string().max(100_000), offset: z.int().nonnegative() }),
		rawReading.nullable(),
		{ limitMs: 10_000 },
	),
	/** `null` if the driver has no raw queries. */
	filterText: method(onConnection.extend({ query: unsortedQuery }), z.string().max(1_000_000).nullable(), {
		limitMs: 10_000,
	}),
	/** `session`: of `runConsole`. One that no statement has opened yet differs in nothing from the connection. */
	explain: method(onConnection.extend({ what: explainable, session: handle.exactOptional() }), explained),
	readRow: method(onTable.extend({ rowId: z.string() }), encoded<WholeRow>()),

	openExport: method(onConnection.extend({ query: gridQuery, options: exportOptions }), handle),
	/** `session`, `inTransaction`: as for `runConsole`. */
	openStatementExport: method(
		onConnection.extend({ statement, options: statementExportOptions, ...ofConsole, ...namespace }),
		handle,
	),
	/** `null` at the end. */
	readExport: method(onConnection.extend({ export: handle }), bytes.nullable()),
	closeExport: method(onConnection.extend({ export: handle }), z.null(), closing),

	/** Without a table, facts about the whole connection. */
	readFacts: method(onConnection.extend({ table: z.string().exactOptional() }), list(factSection, 100)),
	listObjects: method(onConnection, list(databaseObject, 1_000_000)),
	readObject: method(onConnection.extend({ name: z.string() }), list(factSection, 100)),

	previewChanges: method(
		onChanges.extend({ without: withheld.exactOptional(), isForCopy: z.boolean().exactOptional() }),
		list(z.string()),
	),
	assessChanges: method(onChanges, assessment),
	applyChanges: method(onChanges, list(changeOutcome), { limitMs: minutes(60), permits: () => 'destructive' }),

	/** `null` if the driver has no faster way than `applyChanges`. */
	openImport: method(onTable.extend({ options: importOptions }), handle.nullable(), { permits: () => 'destructive' }),
	writeImport: method(onImport.extend({ rows: importedRows }), list(changeOutcome), {
		limitMs: minutes(60),
		permits: () => 'destructive',
	}),
	finishImport: method(onImport, z.null(), { limitMs: minutes(60), permits: () => 'destructive' }),
	abortImport: method(onImport, z.null(), closing),

	/** Empty if the driver has no consoles of other databases. */
	listDatabases: method(onConnection, list(z.string(), 10_000), { limitMs: 60_000 }),
	analyse: method(onConnection.extend({ text: z.string(), ...namespace }), list(verdict)),
	/** `session`, `inTransaction`: as for `runConsole`. */
	assess: method(onConnection.extend({ statement, rehearses: z.boolean(), ...ofConsole, ...namespace }), assessment),
	completeConsole: method(
		onConnection.extend({ text: z.string(), offset: z.int().nonnegative(), ...namespace }),
		completions,
	),
	formatConsole: method(onConnection.extend({ text: z.string() }), z.string(), { limitMs: 10_000 }),
	copyStatement: method(onConnection.extend({ statement }), z.string(), { limitMs: 10_000 }),
	/** `null` if the driver does not know the format. */
	readPasted: method(onConnection.extend({ text: z.string() }), pasted.nullable(), { limitMs: 10_000 }),
	/** `values` is JSON text, so that no number loses a digit. */
	bindParameters: method(onConnection.extend({ text: z.string(), values: z.string() }), z.string(), {
		limitMs: 10_000,
	}),
	runConsole: method(
		onConnection.extend({
			statement,
			maxRows: z.int().positive().max(100_000),
			showsRefusals: z.boolean().exactOptional(),
			within: effect.exactOptional(),
			held: held.exactOptional(),
			sort: resultOrder.optional(),
			...ofConsole,
			...namespace,
		}),
		encoded<ConsoleResult>(),
		{ limitMs: minutes(60), permits: ({ statement }) => statement.access },
	),

	closeSession: method(onConnection.extend({ session: handle }), z.null(), closing),
	/** The transaction of a session that the engine still has, else `null`. Sends nothing to the engine. */
	sessionTransaction: method(onConnection.extend({ session: handle }), z.enum(['open', 'failed']).nullable(), {
		limitMs: 10_000,
	}),

	/** Returns what is wrong with a tool's arguments by its JSON Schema, both as JSON text, or `null` if nothing is. */
	checkArguments: method(z.object({ schema: z.string(), args: z.string() }), z.string().max(2000).nullable()),
	/** `access`: what the client was allowed to do. */
	callTool: method(mcpCall.extend({ name: z.string(), access }), encoded<ToolResult | Ask | MissingCapability>(), {
		limitMs: minutes(60),
		permits: params => params.access,
	}),
	getPrompt: method(mcpCall.extend({ name: z.string() }), encoded<PromptResult | Ask>()),
	readResource: method(mcpCall.extend({ uri: z.string() }), encoded<ResourceOutcome>()),
	complete: method(z.object({ request: completionRequest }), completion),

	/**
	 * `null` if it is no address. The answer is JSON text: the host checks it itself, because the description of a fault
	 * in an answer quotes the value, which may be a password.
	 */
	readAddress: method(z.object({ text: z.string() }), z.string().max(1_000_000).nullable(), { limitMs: 10_000 }),

	startSample: method(
		z.object({ port: z.int().exactOptional() }),
		z.object({ settings, url: shortText.pipe(z.url()) }),
	),
} as const satisfies Readonly<Record<string, Method<z.ZodType, z.ZodType>>>

export type DriverMethod = keyof typeof driverMethods
export type ParamsOf<M extends DriverMethod> = z.output<(typeof driverMethods)[M]['params']>
export type ResultOf<M extends DriverMethod> = z.output<(typeof driverMethods)[M]['result']>

/** Methods that act on an open connection, or may do so. */
export type ConnectionMethod = {
	[M in DriverMethod]: 'connection' extends keyof ParamsOf<M> ? M : never
}[DriverMethod]
/** Parameters without the connection, which its holder adds. */
export type ConnectionParams<M extends ConnectionMethod> = Omit<ParamsOf<M>, 'connection'>

/** Returns what a call may do at most. */
export function permittedBy<M extends DriverMethod>(name: M, params: ParamsOf<M>): Access {
	// Each row's function takes that row's parameters, but TypeScript cannot express that through M.
	const { permits }: { readonly permits?: (params: never) => Access } = driverMethods[name]
	return permits?.(params as never) ?? 'read'
}
