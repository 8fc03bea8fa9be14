/** What a token may do (docs/mcp.md, "Who may do what"). A driver may bring words of its own. */
export const coreScopes = ['tools:read', 'tools:write', 'tools:destructive', 'resources:read'] as const
export type Scope = (typeof coreScopes)[number] | `driver:${string}:${string}`

/** `custom` starts from nothing: the scopes are named one by one. */
export const levels = {
	custom: [],
	'read-only': ['tools:read', 'resources:read'],
	'read-write': ['tools:read', 'tools:write', 'resources:read'],
	full: ['tools:read', 'tools:write', 'tools:destructive', 'resources:read'],
} as const satisfies Record<string, readonly Scope[]>
export type Level = keyof typeof levels

export function isScope(word: string): word is Scope {
	return coreScopes.some(scope => scope === word) || /^driver:[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$/.test(word)
}
