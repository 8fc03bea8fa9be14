/** The scopes of each level (docs/mcp.md, "Who may do what"). */
export const levels = {
	'read-only': ['tools:read', 'resources:read'],
	'read-write': ['tools:read', 'tools:write', 'resources:read'],
	full: ['tools:read', 'tools:write', 'tools:destructive', 'resources:read'],
} as const
export type Level = keyof typeof levels

// `Object.keys` returns `string[]`; the object is constant.
export const levelNames = Object.keys(levels) as readonly Level[]

/** Scopes that can be given to a token one by one. */
export const coreScopes = levels.full

/** A scope. A driver may define additional scopes. */
export type Scope = (typeof coreScopes)[number] | `driver:${string}:${string}`

export function isScope(word: string): word is Scope {
	return coreScopes.some(scope => scope === word) || /^driver:[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$/.test(word)
}
