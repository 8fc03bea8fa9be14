import type { Services } from '../framework/services.ts'
import type { Tool } from '../framework/tool.ts'
import { aggregate } from './aggregate.ts'
import { deleteRows, insertRows, updateRows } from './changes.ts'
import { connect, disconnect, getConnectionStatus } from './connection-status.ts'
import { confirmDestructiveOperation, executeQuery, queryTool } from './execute-query.ts'
import { explainQuery } from './explain-query.ts'
import { exportData } from './export-data.ts'
import { listConnections } from './list-connections.ts'
import { listRecentQueries } from './list-recent-queries.ts'
import { openInWindow } from './open-in-window.ts'
import { overview } from './overview.ts'
import { proposeTool } from './propose-tool.ts'
import { browseTable, countRows } from './rows.ts'
import { describeTable, listTables, searchSchema } from './schema.ts'
import { undoChange } from './undo-change.ts'

/** The core tools, in the order in which a model should read them. */
const builders = [
	listConnections,
	overview,
	listTables,
	describeTable,
	searchSchema,
	browseTable,
	countRows,
	aggregate,
	queryTool,
	explainQuery,
	executeQuery,
	confirmDestructiveOperation,
	insertRows,
	updateRows,
	deleteRows,
	undoChange,
	exportData,
	openInWindow,
	proposeTool,
	connect,
	disconnect,
	getConnectionStatus,
	listRecentQueries,
]

/** Reserved names, which no driver's tool may have. */
export const coreToolNames: ReadonlySet<string> = new Set(builders.map(build => build.toolName))

export function coreTools(services: Services): readonly Tool[] {
	return builders.map(build => build(services))
}
