import { type Json, type JsonObject, stringifyJson } from '@roundhouse/kit'
import type { Caller } from '../../protocol/caller.ts'
import type { McpCall } from '../../protocol/method.ts'
import { connectionList } from '../connections/connection-list.ts'
import { readColumns, readTables } from '../connections/schema-reading.ts'
import { answerBytes, thatFit } from '../framework/fitted.ts'
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
	export: 5_000,
}

/** Upper limit of tables that are described for the schema. */
const tablesInSchema = 100
/** Room that the schema keeps for a table itself when it chooses the columns. */
const tableBytes = 500
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
export async function readCoreResource(
	address: Exclude<ResourceAddress, { readonly kind: 'export' }>,
	services: Services,
	call: McpCall,
): Promise<Json> {
	const { gate, firstUse, sessions, recentQueries } = services
	if (address.kind === 'connections') return connectionList(call.caller, gate, sessions)
	const connection = gate.find(address.connectionId, call.caller, { access: 'read', group: 'core' })
	await firstUse.permit(connection, call)
	if (address.kind === 'history') {
		const all = recentQueries.of(call.caller, connection.id, gate.hiddenMarks(connection.id))
		const shown = thatFit(all.slice(0, queriesInHistory))
		const hint = recentQueries.restWords(call.caller, shown.length, all.length)
		return { ...(hint !== undefined && { hint }), queries: shown }
	}
	const session = await gate.open(connection, call, { access: 'read', group: 'core' })
	if (address.kind === 'table') {
		const columns = await readColumns(session, address.table, call.signal)
		const shown = thatFit(columns)
		return { table: address.table, ...cutTo(shown, columns.length, 'total_columns'), columns: shown }
	}
	const tables = await readTables(session, call.signal)
	if (address.kind === 'tables') {
		const shown = thatFit(tables)
		return { ...cutTo(shown, tables.length, 'total_tables'), tables: shown }
	}
	const shown: Json[] = []
	let room = answerBytes
	for (const table of tables.slice(0, tablesInSchema)) {
		const columns = await readColumns(session, table.name, call.signal)
		const some = thatFit(columns, Math.min(room, answerBytes / 4) - tableBytes)
		const more = columns.length - some.length
		const described = { ...table, columns: some, ...(more > 0 && { more_columns: more }) }
		room -= Buffer.byteLength(stringifyJson(described)) + 1
		if (room < 0) break
		shown.push(described)
	}
	return { ...cutTo(shown, tables.length, 'total_tables'), tables: shown }
}

/** Says that only the first items are shown, how many there are, and the way to the others. */
function cutTo(shown: readonly unknown[], total: number, name: string): JsonObject {
	if (shown.length === total) return {}
	return { is_truncated: true, [name]: total, hint: 'The tools search_schema and describe_table find the others.' }
}

/** Returns the contents of a core resource for `resources/read`. */
export function jsonContents(uri: string, value: Json): JsonObject {
	return { contents: [{ uri, mimeType, text: JSON.stringify(value) }] }
}
