import type {
	Ask,
	Assessment,
	Change,
	ChangeOutcome,
	Classification,
	Completion,
	CompletionRequest,
	Completions,
	ConsoleResult,
	Count,
	Encoded,
	ExportOptions,
	GridPage,
	GridQuery,
	MissingCapability,
	Progress,
	PromptResult,
	ResourceOutcome,
	ServerInfo,
	Statement,
	Table,
	TableDescription,
	ToolResult,
	WholeRow,
} from '../api/driver.ts'
import type { DriverErrorCode } from '../api/errors.ts'
import type { Settings } from '../api/manifest.ts'

/**
 * What host and driver process say to each other, in the frames of frames.ts. Both ends come from the same build of the
 * host: only the driver API is public, so this may change with any release.
 *
 * Values that hold raw JSON numbers travel as JSON text or bytes, so that the wire's own parser never meets them.
 */

/** The pipe between host and driver, as the driver's file descriptor. Not Node's IPC: its messages have no limit. */
export const channelFd = 3

/** A tool, prompt or resource call; `args` and `context` are JSON text. */
interface McpCall {
	readonly connection?: number
	readonly args: string
	readonly context: string
}

export interface DriverMethods {
	connect(params: { readonly settings: Settings }): { readonly connection: number; readonly info: ServerInfo }
	disconnect(params: { readonly connection: number }): null
	listTables(params: { readonly connection: number }): readonly Table[]
	describeTable(params: { readonly connection: number; readonly table: string }): Encoded<TableDescription>
	openGrid(params: { readonly connection: number; readonly query: GridQuery }): number
	gridPage(params: { readonly grid: number; readonly offset: number; readonly limit: number }): Encoded<GridPage>
	closeGrid(params: { readonly grid: number }): null
	openExport(params: {
		readonly connection: number
		readonly query: GridQuery
		readonly options: ExportOptions
	}): number
	/** `null` at the end. */
	readExport(params: { readonly export: number }): Uint8Array | null
	closeExport(params: { readonly export: number }): null
	countRows(params: { readonly connection: number; readonly query: Omit<GridQuery, 'sort'> }): Count
	readRow(params: { readonly connection: number; readonly table: string; readonly rowId: string }): Encoded<WholeRow>
	previewChanges(params: ChangesParams): readonly string[]
	applyChanges(params: ChangesParams): readonly ChangeOutcome[]
	parseConsole(params: { readonly connection: number; readonly text: string }): readonly Statement[]
	classify(params: { readonly connection: number; readonly statement: string }): Classification
	assess(params: { readonly connection: number; readonly statement: string }): Assessment
	completeConsole(params: { readonly connection: number; readonly text: string; readonly offset: number }): Completions
	runConsole(params: {
		readonly connection: number
		readonly statement: string
		readonly maxRows: number
	}): Encoded<ConsoleResult>
	/** What is wrong with a tool's arguments by its own JSON Schema, both as JSON text; `null` where nothing is. */
	checkArguments(params: { readonly schema: string; readonly args: string }): string | null
	callTool(params: McpCall & { readonly name: string }): Encoded<ToolResult | Ask | MissingCapability>
	getPrompt(params: McpCall & { readonly name: string }): Encoded<PromptResult | Ask>
	readResource(params: McpCall & { readonly uri: string }): Encoded<ResourceOutcome>
	complete(params: { readonly request: CompletionRequest }): Completion
	startSample(params: { readonly port?: number }): { readonly settings: Settings; readonly url: string }
}

interface ChangesParams {
	readonly connection: number
	readonly table: string
	readonly changes: readonly Change[]
}

export type DriverMethod = keyof DriverMethods
export type ParamsOf<M extends DriverMethod> = Parameters<DriverMethods[M]>[0]
export type ResultOf<M extends DriverMethod> = ReturnType<DriverMethods[M]>

/** Host to driver. */
export type HostMessage =
	| { readonly kind: 'call'; readonly id: number; readonly method: DriverMethod; readonly params: unknown }
	| { readonly kind: 'cancel'; readonly id: number }
	| { readonly kind: 'stop' }

/** Driver to host. */
export type DriverMessage =
	| { readonly kind: 'hello'; readonly kit: string; readonly hasSample: boolean }
	| { readonly kind: 'beat' }
	| { readonly kind: 'log'; readonly message: string }
	| { readonly kind: 'progress'; readonly id: number; readonly progress: Progress }
	| { readonly kind: 'result'; readonly id: number; readonly value: unknown }
	/** A result that is the bytes attached to the frame. */
	| { readonly kind: 'bytes'; readonly id: number }
	| { readonly kind: 'error'; readonly id: number; readonly code: DriverErrorCode; readonly message: string }

/** How often a driver process says that it lives, in milliseconds. */
export const beatIntervalMs = 1000
