import type { ToolGroup } from '@roundhouse/kit/tool-groups'
import type { Caller } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'

/** What a token begins with: each tool costs a model in every conversation, and the others are a click away. */
export const defaultGroups = ['core', 'write', 'custom'] as const satisfies readonly ToolGroup[]

export function showsGroup({ groups }: Pick<Caller, 'groups'>, group: ToolGroup): boolean {
	return groups === undefined || groups.has(group)
}

/** @throws ProtocolError `forbidden` naming the group and where it is switched on */
export function requireGroup(caller: Caller, tool: string, group: ToolGroup): void {
	if (showsGroup(caller, group)) return
	throw new ProtocolError(
		'forbidden',
		`"${tool}" belongs to the group "${group}", which "${caller.name}" is not shown. The user can switch it on in Settings, AI access, Tokens.`,
		{ data: { group } },
	)
}
