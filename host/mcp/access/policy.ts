import type { Access } from '@roundhouse/kit'
import type { ToolGroup } from '@roundhouse/kit/tool-groups'
import type { SavedConnection } from '../../connections/saved-connections.ts'
import type { Caller } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'

const whereToChange = "It is changed in the connection's settings, AI access."

/**
 * Why a caller may not do so much on a connection, in words that name the setting; `undefined` where it may. That the
 * policy is "ask" is no reason: it is looked up who was asked (access-grants.ts). What destroys is a write here: it is
 * told apart by scopes and by its own tool.
 */
export function refusalOf(
	connection: SavedConnection,
	caller: Caller,
	access: Access,
	group?: ToolGroup,
): string | undefined {
	const { name, aiPolicy, externalAccess } = connection
	// First, and without a name: of what is not in its list a token learns nothing.
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

/** What a caller is told whom the person has not allowed a connection that asks. */
export function notGranted({ name }: SavedConnection, reason: string): ProtocolError {
	return new ProtocolError('forbidden', `The AI policy of "${name}" is "ask". ${reason}. ${whereToChange}`)
}
