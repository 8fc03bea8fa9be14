import type { Json, JsonObject } from '@roundhouse/kit'
import type { Caller } from '../../protocol/caller.ts'
import type { McpCall } from '../../protocol/method.ts'
import { connectionList } from '../connections/connection-list.ts'
import { readColumns, readTables } from '../connections/schema-reading.ts'
import type { Services } from '../framework/services.ts'
import { formatUri, type ResourceAddress } from './uri.ts'

const mimeType = 'application/json'

/** Cache lifetime of each kind, in milliseconds (docs/mcp.md, "Results"). */
export const timeToLiveMs: Readonly<Record<ResourceAddress['kind'], number>> = {
	connections: 15_000,
	schema: 60_000,
	tables: 60_000,
	table: 60_000,
	history: 5_000,
}

/** Limits of an answer. A truncated answer is marked. */
const maxTables = 1_000
const maxColumns = 1_000
const tablesInSchema = 100
const columnsInSchema = 2_000
const queriesInHistory = 50

/** Returns the core's resources for this caller: the list of connections, and the resources of open connections. */
export function listCoreResources(caller: Caller, { gate, sessions }: Services): readonly JsonObject[] {
	const open = gate
		.visible(caller)
		.filter(
			({ id, hiddenToolGroups }) => sessions.state(id).status === 'connected' && !hiddenToolGroups.includes('core'),
		)
	return [
		{ uri: formatUri({ kind: 'connections' }), name: 'connections', title: 'Connections', mimeType },
		...open.flatMap(({ id, name }) =>
			(['schema', 'tables', 'history'] as const).map(kind => ({
				uri: formatUri({ kind, connectionId: id }),
				name: `${kind} of ${name}`,
				mimeType,
			})),
		),
	]
}

export const coreTemplates: readonly JsonObject[] = [
	template('schema', 'connection_schema', 'Tables of a connection with their columns'),
	template('tables', 'connection_tables', 'Tables of a connection'),
	template('tables/{table}', 'table', 'Columns of one table'),
	template('history', 'connection_history', 'Statements that you ran'),
]

function template(path: string, name: string, description: string): JsonObject {
	return { uriTemplate: `roundhouse://connections/{connection_id}/${path}`, name, description, mimeType }
}

/** Reads a resource. @throws ProtocolError, DriverError, HostError */
export async function readCoreResource(address: ResourceAddress, services: Services, call: McpCall): Promise<Json> {
	const { gate, firstUse, sessions, recentQueries } = services
	if (address.kind === 'connections') return connectionList(call.caller, gate, sessions)
	const connection = gate.find(address.connectionId, call.caller, { access: 'read', group: 'core' })
	await firstUse.permit(connection, call)
	if (address.kind === 'history') {
		return {
			queries: recentQueries.of(call.caller, connection.id, queriesInHistory).map(({ grantee: _, ...query }) => query),
		}
	}
	const session = await gate.open(connection, call, { access: 'read', group: 'core' })
	if (address.kind === 'table') {
		const columns = await readColumns(session, address.table, call.signal)
		const isCut = columns.length > maxColumns
		return {
			table: address.table,
			columns: columns.slice(0, maxColumns),
			...(isCut && { is_truncated: true, total_columns: columns.length }),
		}
	}
	const tables = await readTables(session, call.signal)
	const cutTo = (count: number) => count < tables.length && { is_truncated: true, total_tables: tables.length }
	if (address.kind === 'tables') return { tables: tables.slice(0, maxTables), ...cutTo(maxTables) }
	const shown: Json[] = []
	let room = columnsInSchema
	for (const table of tables.slice(0, tablesInSchema)) {
		if (room === 0) break
		const columns = await readColumns(session, table.name, call.signal)
		const some = columns.slice(0, Math.min(room, maxColumns))
		room -= some.length
		const more = columns.length - some.length
		shown.push({ ...table, columns: some, ...(more > 0 && { more_columns: more }) })
	}
	return { tables: shown, ...cutTo(shown.length) }
}

/** Returns the contents of a core resource for `resources/read`. */
export function jsonContents(uri: string, value: Json): JsonObject {
	return { contents: [{ uri, mimeType, text: JSON.stringify(value) }] }
}
