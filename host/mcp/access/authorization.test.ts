import { expect, test } from 'vitest'
import type { Caller } from '../protocol/caller.ts'
import { mayCall, requireAccess, requireMethod, requireTool } from './authorization.ts'
import { type Level, levels, type Scope } from './scopes.ts'

const callerOf = (scopes: readonly Scope[]): Caller => ({
	key: 'key',
	tokenId: 'id',
	grantee: 'id',
	name: 'Editor',
	scopes: new Set(scopes),
	groups: undefined,
	connections: undefined,
	expiresAt: undefined,
})

test('each level allows exactly its accesses', () => {
	const accesses = ['read', 'write', 'destructive'] as const
	const allowed = (level: Level) => accesses.filter(access => mayCall(callerOf(levels[level]), access))
	expect(allowed('read-only')).toEqual(['read'])
	expect(allowed('read-write')).toEqual(['read', 'write'])
	expect(allowed('full')).toEqual(['read', 'write', 'destructive'])
})

test('a refusal names the scopes that the tool needs, or that the statement needs in addition', () => {
	const refused = (scopes: readonly string[]) => expect.objectContaining({ data: { requiredScopes: scopes } })
	expect(() => requireTool(callerOf(levels['read-only']), 'write')).toThrow(refused(['tools:read', 'tools:write']))
	expect(() => requireAccess(callerOf(levels['read-only']), 'write')).toThrow(refused(['tools:write']))
	expect(() => requireTool(callerOf([]), 'read')).toThrow('The token "Editor" lacks the scope tools:read.')
})

test('a method without a declared scope is refused for every caller', () => {
	requireMethod(callerOf([]), 'ping')
	expect(() => requireMethod(callerOf([]), 'tools/list')).toThrow('lacks the scope tools:read')
	expect(() => requireMethod(callerOf(levels.full), 'tools/forget')).toThrow(
		'No scope is declared for the method tools/forget',
	)
})
