import type { Access } from '@roundhouse/kit'
import type { Caller } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { Scope } from './scopes.ts'

/** Contract, "Methods": the scope that each method needs, independent of its params. */
const scopeOfMethod: ReadonlyMap<string, Scope | undefined> = new Map([
	['server/discover', undefined],
	['tools/list', 'tools:read'],
	['tools/call', 'tools:read'],
	['resources/list', 'resources:read'],
	['resources/read', 'resources:read'],
	['resources/templates/list', 'resources:read'],
	['prompts/list', 'resources:read'],
	['prompts/get', 'resources:read'],
	['completion/complete', 'resources:read'],
	['subscriptions/listen', undefined],
	['initialize', undefined],
	['ping', undefined],
	['logging/setLevel', undefined],
])

/** Additional scopes by access. */
const scopesOf = {
	read: [],
	write: ['tools:write'],
	destructive: ['tools:destructive'],
} as const satisfies Record<Access, readonly Scope[]>

/** @throws ProtocolError `forbidden`; Error for a method without a row, so that it is refused for every caller */
export function requireMethod(caller: Caller, method: string): void {
	if (!scopeOfMethod.has(method)) throw new Error(`No scope is declared for the method ${method}.`)
	const scope = scopeOfMethod.get(method)
	if (scope) requireScopes(caller, [scope])
}

/** Whether a token may call a tool with this access. `tools/list` shows only such tools. */
export function mayCall({ scopes }: Pick<Caller, 'scopes'>, access: Access): boolean {
	return scopesOf[access].every(scope => scopes.has(scope))
}

/** @throws ProtocolError `forbidden` */
export function requireTool(caller: Caller, access: Access): void {
	requireScopes(caller, ['tools:read', ...scopesOf[access]])
}

/** Checks a call whose statement needs more access than its tool. @throws ProtocolError `forbidden` */
export function requireAccess(caller: Caller, access: Access): void {
	requireScopes(caller, scopesOf[access])
}

/** Whether a token may read resources, and so receive notifications about them. */
export function mayReadResources(caller: Caller): boolean {
	return caller.scopes.has('resources:read' satisfies Scope)
}

/** Throws an error that names the missing scopes (contract, "Authentication" 4). */
function requireScopes(caller: Caller, scopes: readonly Scope[]): void {
	if (scopes.every(scope => caller.scopes.has(scope))) return
	throw new ProtocolError(
		'forbidden',
		`The token "${caller.name}" lacks the scope ${scopes.filter(scope => !caller.scopes.has(scope)).join(', ')}.`,
		{ data: { requiredScopes: [...scopes] }, headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' } },
	)
}
