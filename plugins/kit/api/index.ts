/** The driver author's one import. */

export type { Call, Progress } from './call.ts'
export { type Cell, cellLimit, denseCells, fromCell, missingCell, toCell } from './cell.ts'
export type { Change, ChangeOutcome } from './change.ts'
export type { Connection, ServerInfo } from './connection.ts'
export type { Access, Assessment, Completions, Console, ConsoleResult, Statement, Verdict } from './console.ts'
export { type Driver, type DriverContext, defineDriver, type Sample, type SampleContext } from './driver.ts'
export { decode, type Encoded, encode } from './encoded.ts'
export { DriverError, type DriverErrorCode, driverErrorCodes, isDriverError, isDriverErrorCode } from './errors.ts'
export { type ExportFormat, type ExportOptions, exportFormats, type RowExport } from './export.ts'
export type { Fact, FactList, FactRow, FactSection, FactState } from './facts.ts'
export { type Filter, type FilterOperator, filterOperators } from './filter.ts'
export {
	type ExactNumber,
	exactNumber,
	isExactNumber,
	isJsonObject,
	type Json,
	type JsonObject,
	parseJson,
	stringifyJson,
} from './json.ts'
export type { Manifest, Settings, SettingValue } from './manifest.ts'
export type {
	Ask,
	Completion,
	CompletionRequest,
	ContentBlock,
	MissingCapability,
	PromptResult,
	ResourceContents,
	ResourceOutcome,
	ToolCall,
	ToolHandler,
	ToolResult,
} from './mcp.ts'
export type { Address, Connect, ConnectOptions, Listen, Listener } from './network.ts'
export { refuseAbove } from './permission.ts'
export type {
	Count,
	Grid,
	GridPage,
	GridQuery,
	Row,
	RowCount,
	Sort,
	WholeRow,
} from './rows.ts'
export type { Column, ColumnKind, FilterField, Table, TableDescription } from './table.ts'
