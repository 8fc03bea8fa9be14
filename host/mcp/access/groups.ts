import type { ToolGroup } from '@roundhouse/kit/tool-groups'
import type { Caller } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'

/**
 * Groups of a new token. Each tool costs context in every conversation, and the user can switch on the other groups.
 */
export const defaultGroups = ['core', 'write', 'custom'] as const satisfies readonly ToolGroup[]

export function showsGroup({ groups }: Pick<Caller, 'groups'>, group: ToolGroup): boolean {
	return groups === undefined || groups.has(group)
}

/** @throws ProtocolError `forbidden` with the name of the group and where to switch it on */
export function requireGroup(caller: Caller, tool: string, group: ToolGroup): void {
	if (showsGroup(caller, group)) return
	throw new ProtocolError(
		'forbidden',
		`"${tool}" belongs to the group "${group}", which is switched off for "${caller.name}". The user can switch it on in Settings, AI access, Tokens.`,
		{ data: { group } },
	)
}
