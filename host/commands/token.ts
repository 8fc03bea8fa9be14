import type { Sight, TokenDraft, ToolGroup } from '../api/api.ts'
import { type CommandContext, print, withHost } from './context.ts'

export async function createToken(context: CommandContext, request: TokenDraft): Promise<void> {
	const created = await withHost(context, host => host.call('tokens.create', request))
	const { id, token, scopes, connections, expiresAt } = created
	print(
		context,
		{ id, token, scopes, connections, expiresAt },
		`${token}\n\nThis is shown once. Scopes: ${scopes.join(', ')}. Expires: ${expiresAt ?? 'never'}.`,
	)
}

export async function listTokens(context: CommandContext): Promise<void> {
	const tokens = await withHost(context, host => host.call('tokens.list', {}))
	const lines = tokens.map(
		token => `${token.id}  ${token.name}  ${token.scopes.join(',')}  expires ${token.expiresAt ?? 'never'}`,
	)
	print(
		context,
		tokens,
		lines.join('\n') || 'No tokens. Make one with: roundhouse token create --name NAME --level read-only',
	)
}

export async function listTools(context: CommandContext, id: string): Promise<void> {
	printSight(context, await withHost(context, host => host.call('tokens.tools', { id })))
}

export async function setGroups(context: CommandContext, id: string, groups: readonly ToolGroup[]): Promise<void> {
	printSight(context, await withHost(context, host => host.call('tokens.setGroups', { id, groups })))
}

function printSight(context: CommandContext, { groups, tools }: Sight): void {
	const tokens = tools.reduce((sum, tool) => sum + tool.tokens, 0)
	const lines = tools.map(tool => `${tool.name}  ${tool.tokens}  ${tool.description}`)
	const whole = `${groups.join(', ') || 'No groups'}: ${tools.length} tools, about ${tokens} tokens in every conversation.`
	print(context, { groups, tools, tokens }, [...lines, whole].join('\n'))
}

export async function revokeToken(context: CommandContext, id: string): Promise<void> {
	await withHost(context, host => host.call('tokens.revoke', { id }))
	print(context, { id, revoked: true }, `Revoked ${id}. Its running requests were cancelled.`)
}
