/** The public module for driver authors. */

export { type Aggregated, type AggregateQuery, type Group, type Measure, measureFunctions } from './aggregate.ts'
export type { Call, Progress } from './call.ts'
export {
	type Cell,
	cellLimit,
	denseCells,
	fromCell,
	isCutCell,
	isUnreadCell,
	missingCell,
	toCell,
	unreadCell,
} from './cell.ts'
export type { Change, ChangeOutcome, PreviewOptions } from './change.ts'
export type { Connection, ServerInfo } from './connection.ts'
export type {
	Access,
	AskedPlace,
	Assessment,
	AssessOptions,
	ChangedRows,
	Chart,
	Completions,
	Console,
	ConsoleResult,
	ConsoleSession,
	Effect,
	Explainable,
	ExplainableStatement,
	Held,
	Namespace,
	Pasted,
	ResultBody,
	ResultCondition,
	ResultOrder,
	ResultOrigin,
	ResultPart,
	RunOptions,
	Statement,
	TableEffect,
	Verdict,
} from './console.ts'
export { cutText } from './cut-text.ts'
export {
	type Driver,
	type DriverContext,
	defineDriver,
	type Sample,
	type SampleContext,
	type Surroundings,
} from './driver.ts'
export { describeEffect, isWithinEffect, nameEffect, rowsOfEffect } from './effect.ts'
export { decode, type Encoded, encode, encodeWithRaw, jsonPart, rawText, type WithRaw } from './encoded.ts'
export {
	DriverError,
	type DriverErrorCode,
	driverErrorCodes,
	type Fault,
	type FaultDetails,
	faultOf,
	isDriverError,
	isDriverErrorCode,
} from './errors.ts'
export type { Explained, ExplainedStep } from './explain.ts'
export {
	type ExportFormat,
	type ExportOptions,
	exportFormats,
	type RowExport,
	type StatementExportOptions,
} from './export.ts'
export type { Fact, FactList, FactRow, FactSection, FactState } from './facts.ts'
export { type Filter, type FilterOperator, filterOperators } from './filter.ts'
export type { HiddenChanges, HiddenColumns, HiddenPart } from './hidden-columns.ts'
export { type ImportConflict, type ImportOptions, importConflicts, type RowImport } from './import.ts'
export { isExactNumberAt } from './inexact-numbers.ts'
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
export { logTextNames } from './log-names.ts'
export type {
	Ask,
	Completion,
	CompletionRequest,
	ContentBlock,
	MissingCapability,
	PromptHandler,
	PromptResult,
	ResourceContents,
	ResourceOutcome,
	ToolCall,
	ToolHandler,
	ToolResult,
} from './mcp.ts'
export type { Address, Connect, ConnectOptions, Listen, Listener, TcpAddress, UnixAddress } from './network.ts'
export {
	type ParameterPlace,
	type ParameterValue,
	parameterLines,
	parameterPlaces,
	withPlaceholders,
} from './parameters.ts'
export { refuseAbove } from './permission.ts'
export { Pool, type PoolOptions } from './pool.ts'
export type { RawReading, TypedQuery } from './raw-query.ts'
export type {
	Count,
	Grid,
	GridOpening,
	GridPage,
	GridQuery,
	PageBorder,
	Row,
	RowCount,
	WholeRow,
} from './rows.ts'
export type { Settings, SettingValue } from './settings.ts'
export type { SimilarGroup, SimilarGroups, SimilarQuery } from './similar.ts'
export type {
	ActionField,
	ActionForm,
	Cannot,
	Column,
	ColumnKind,
	DatabaseObject,
	FilledAction,
	FilterField,
	FoundColumn,
	FoundTable,
	Reference,
	Sort,
	Table,
	TableAction,
	TableCondition,
	TableDescription,
	TableDetail,
} from './table.ts'
export type {
	DefinedColumn,
	DefinedIndex,
	DefinedKey,
	DefinedReference,
	TableChange,
	TableDefinition,
	TableForm,
	TableFormPlace,
	TriedChange,
} from './table-form.ts'
export { instantOf, isTimeZone, offsetAt } from './time-zone.ts'
