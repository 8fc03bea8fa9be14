import type { SavedConnection } from '../../../connections/connection-fields.ts'
import type { McpCall } from '../../protocol/method.ts'
import { readTables } from '../connections/schema-reading.ts'
import type { Services } from '../framework/services.ts'

/** Upper limit of connections that are asked for tables if none is named. */
const mostConnections = 5

/** Values of the other arguments. */
export type CompletionContext = Readonly<Record<string, string>>

/** Returns candidates for an argument of the core's prompts and resource templates, by the argument's name. */
export async function coreCandidates(
	{ argument, context }: { readonly argument: string; readonly context: CompletionContext },
	services: Services,
	call: McpCall,
): Promise<readonly string[]> {
	const visible = services.gate.visible(call.caller)
	if (argument === 'connection') return visible.map(({ name }) => name)
	if (argument === 'connection_id') return visible.map(({ id }) => id)
	if (argument !== 'table') return []
	const wanted = context.connection_id || context.connection || undefined
	const named = visible.find(({ id, name }) => id === wanted || name === wanted)
	// A completion never opens a connection, because clients send one with every keystroke.
	const isOpen = ({ id, hiddenToolGroups }: SavedConnection) =>
		!hiddenToolGroups.includes('core') && services.sessions.state(id).status === 'connected'
	const tablesOf = async (connection: SavedConnection) => {
		await services.firstUse.permit(connection, call)
		const session = await services.gate.open(connection, call, { access: 'read', group: 'core' })
		return (await readTables(session, call.signal)).map(({ name }) => name)
	}
	if (wanted !== undefined) return named && isOpen(named) ? tablesOf(named) : []
	// A connection that the client did not name causes no question, and its failure does not hide the others.
	const permitted = visible.filter(each => isOpen(each) && !services.gate.needsPermission(each, call.caller))
	const found = await Promise.allSettled(permitted.slice(0, mostConnections).map(tablesOf))
	return [...new Set(found.flatMap(tables => (tables.status === 'fulfilled' ? tables.value : [])))]
}

/** Returns the candidates that start with the value, then those that contain it. Ignores case. */
export function rank(candidates: readonly string[], value: string): readonly string[] {
	const wanted = value.toLowerCase()
	const place = (candidate: string) => candidate.toLowerCase().indexOf(wanted)
	return candidates
		.filter(candidate => place(candidate) >= 0)
		.sort((a, b) => Math.min(place(a), 1) - Math.min(place(b), 1))
}
