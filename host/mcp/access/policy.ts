import type { Access } from '@roundhouse/kit'
import type { ToolGroup } from '@roundhouse/kit/tool-groups'
import type { SavedConnection } from '../../connections/connection-fields.ts'
import type { Caller } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'

const whereToChange = "It is changed in the connection's settings, AI access."

interface AccessRequest {
	readonly access: Access
	/** The group of the tool that needs the access, if any. */
	readonly group?: ToolGroup | undefined
}

/**
 * Returns why a caller may not access a connection, with the name of the setting; `undefined` if it may. The policy
 * "ask" is not a refusal here: the grants decide (access-grants.ts). Destructive access counts as a write here, because
 * scopes and a separate tool distinguish it.
 */
export function refusalOf(
	connection: SavedConnection,
	caller: Caller,
	{ access, group }: AccessRequest,
): string | undefined {
	const { name, aiPolicy, externalAccess } = connection
	// First, and without the name: a token must not learn about connections outside of its list.
	if (caller.connections && !caller.connections.has(connection.id)) {
		return `The token "${caller.name}" may not reach this connection: it is not in the token's list of connections.`
	}
	if (aiPolicy === 'never') return `The AI policy of "${name}" is "never". ${whereToChange}`
	if (externalAccess === 'blocked') return `External access of "${name}" is "blocked". ${whereToChange}`
	if (group !== undefined && connection.hiddenToolGroups.includes(group)) {
		return `The tools of the group "${group}" are switched off for "${name}". ${whereToChange}`
	}
	if (access === 'read' || externalAccess === 'read-write') return undefined
	return `External access of "${name}" is "${externalAccess}". ${whereToChange}`
}

/** Returns the error for a connection with the policy "ask" that the user has not allowed. */
export function notGranted({ name }: SavedConnection, reason: string): ProtocolError {
	return new ProtocolError('forbidden', `The AI policy of "${name}" is "ask". ${reason}. ${whereToChange}`)
}
