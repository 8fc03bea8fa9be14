import type { Access } from '@roundhouse/kit'
import type { Caller } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { Scope } from './scopes.ts'

/** Contract, "Methods": the scope that each of them needs, whatever its params say. */
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

/** What it takes to do more than to read. */
const scopesOf = {
	read: [],
	write: ['tools:write'],
	destructive: ['tools:destructive'],
} as const satisfies Record<Access, readonly Scope[]>

/** @throws ProtocolError `forbidden`; Error for a method without a row, which so is served to nobody */
export function requireMethod(caller: Caller, method: string): void {
	if (!scopeOfMethod.has(method)) throw new Error(`It is not written down which scope ${method} needs.`)
	const scope = scopeOfMethod.get(method)
	if (scope) requireScopes(caller, [scope])
}

/** Whether a token may call a tool that does so much; `tools/list` shows no other. */
export function mayCall({ scopes }: Pick<Caller, 'scopes'>, access: Access): boolean {
	return scopesOf[access].every(scope => scopes.has(scope))
}

/** @throws ProtocolError `forbidden` */
export function requireTool(caller: Caller, access: Access): void {
	requireScopes(caller, ['tools:read', ...scopesOf[access]])
}

/** For a call that turns out to do more than its tool has to. @throws ProtocolError `forbidden` */
export function requireAccess(caller: Caller, access: Access): void {
	requireScopes(caller, scopesOf[access])
}

/** Whether a token may hear of resources. */
export function mayReadResources(caller: Caller): boolean {
	return caller.scopes.has('resources:read' satisfies Scope)
}

/** Names the scopes (contract, "Authentication" 4). */
function requireScopes(caller: Caller, scopes: readonly Scope[]): void {
	if (scopes.every(scope => caller.scopes.has(scope))) return
	throw new ProtocolError(
		'forbidden',
		`The token "${caller.name}" lacks the scope ${scopes.filter(scope => !caller.scopes.has(scope)).join(', ')}.`,
		{ data: { requiredScopes: [...scopes] }, headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' } },
	)
}
