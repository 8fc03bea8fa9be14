export { actionLabel, draft, each, together } from './actions/table-actions.ts'
export { Shapes } from './catalog/shapes.ts'
export {
	CatalogCache,
	type CatalogNames,
	type CompletionCatalog,
	type ForeignKey,
	type KnownFunction,
	type KnownObject,
} from './completion/catalog.ts'
export { type Completing, complete } from './completion/complete.ts'
export { type ConditionKnowledge, readCondition } from './completion/condition.ts'
export { type CompletionDialect, contextAt } from './completion/context-at.ts'
export { SqlConnection, type SqlConsoleParts, type SqlEngine, type TableShape } from './connection.ts'
export { fittingRows } from './console/fitting-rows.ts'
export {
	type ConsoleEngine,
	type Running,
	rolledBack,
	StatementConsole,
	serially,
} from './console/statement-console.ts'
export { headOf, type StatementHead, tooManyStatements } from './console/statement-heads.ts'
export { BatchImport, type Importing } from './data/batch-import.ts'
export { type CellRows, csvRows, insertRows, jsonRows } from './data/cell-rows.ts'
export { ChunkBuffer, chunkBytes } from './data/chunk-buffer.ts'
export { ChunkedExport, type RowTarget } from './data/chunked-export.ts'
export { exportRows } from './data/export-rows.ts'
export {
	type ChangedParts,
	changedParts,
	checkDefinition,
	columnNames,
	invalidDefinition,
	orderedRenames,
} from './definition/definition-parts.ts'
export * from './dialect/index.ts'
export { applyTogether, type Committed, notSent, type Saving } from './edit/apply.ts'
export { type ChangeParts, changeText, columnAt } from './edit/change-statement.ts'
export { documentOf, jsonOf } from './grid/cells.ts'
export { CheckedGrid } from './grid/checked-grid.ts'
export { behind, type Order, orderSql, type Position, positionText, readPosition, type Term } from './grid/order.ts'
export { type Selection, selectionOf } from './grid/selection.ts'
export { type GridTable, type Identity, TableGrid, type Using } from './grid/table-grid.ts'
export { withAsked } from './text/asked.ts'
export { type Bind, type Binding, Parameters, type Placeholder } from './text/binding.ts'
export { type Comparing, conditionOf, endOfDay } from './text/conditions.ts'
export { calendar, dayNotices } from './text/day-notices.ts'
export {
	blockComment,
	isBlank,
} from './text/lexer.ts'
export { namePartsBy } from './text/name-parts.ts'
export { requireOneCondition } from './text/one-condition.ts'
export { type Sending, type SentText, sendingBy } from './text/sent-text.ts'
export type { Query, RawRow, RawValue, Rows } from './text/session.ts'
export { type SameValue, sortedSql } from './text/sorted.ts'
export type { Split, StatementSpan } from './text/statement-span.ts'
export { ClientTurns } from './wire/client-turns.ts'
export { addressText, isLocalAddress, logInWithin, type Remedies, unreachable } from './wire/log-in.ts'
export { readServerLogin, type ServerLogin, textField } from './wire/settings.ts'
