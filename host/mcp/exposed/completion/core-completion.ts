import type { McpCall } from '../../protocol/method.ts'
import { readTables } from '../connections/schema-reading.ts'
import type { Services } from '../framework/services.ts'

/** Values of the other arguments. */
export type CompletionContext = Readonly<Record<string, string>>

/** Returns candidates for an argument of the core's prompts and resource templates, by the argument's name. */
export async function coreCandidates(
	argument: string,
	context: CompletionContext,
	services: Services,
	call: McpCall,
): Promise<readonly string[]> {
	const visible = services.gate.visible(call.caller)
	if (argument === 'connection') return visible.map(({ name }) => name)
	if (argument === 'connection_id') return visible.map(({ id }) => id)
	if (argument !== 'table') return []
	const wanted = context.connection_id ?? context.connection
	const connection = visible.find(({ id, name }) => id === wanted || name === wanted)
	// A completion never opens a connection, because clients send one with every keystroke.
	if (
		!connection ||
		connection.hiddenToolGroups.includes('core') ||
		services.sessions.state(connection.id).status !== 'connected'
	)
		return []
	await services.firstUse.permit(connection, call)
	return (
		await readTables(await services.gate.open(connection, call, { access: 'read', group: 'core' }), call.signal)
	).map(({ name }) => name)
}

/** Returns the candidates that start with the value, then those that contain it. Ignores case. */
export function rank(candidates: readonly string[], value: string): readonly string[] {
	const wanted = value.toLowerCase()
	const place = (candidate: string) => candidate.toLowerCase().indexOf(wanted)
	return candidates
		.filter(candidate => place(candidate) >= 0)
		.sort((a, b) => Math.min(place(a), 1) - Math.min(place(b), 1))
}
