/** What a token of each level may do (docs/mcp.md, "Who may do what"). */
export const levels = {
	'read-only': ['tools:read', 'resources:read'],
	'read-write': ['tools:read', 'tools:write', 'resources:read'],
	full: ['tools:read', 'tools:write', 'tools:destructive', 'resources:read'],
} as const
export type Level = keyof typeof levels

// The keys of a constant object.
export const levelNames = Object.keys(levels) as readonly Level[]

/** What a token can be given one by one. */
export const coreScopes = levels.full

/** A driver may bring words of its own. */
export type Scope = (typeof coreScopes)[number] | `driver:${string}:${string}`

export function isScope(word: string): word is Scope {
	return coreScopes.some(scope => scope === word) || /^driver:[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$/.test(word)
}
