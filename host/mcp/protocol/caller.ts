import { levels, type Scope } from '../access/scopes.ts'
import { ProtocolError } from './errors.ts'

/** Who sends a request, as far as we know. */
export interface Caller {
	/** Tells callers apart: requests in flight, sessions, rates and signed states belong to it. */
	readonly key: string
	/** The token's id; `undefined` where authentication is off and none was sent. */
	readonly tokenId: string | undefined
	/** Whom a person's permission is remembered for: the token, or all bridges together. */
	readonly grantee: string
	/** The token's name, for questions and the log. */
	readonly name: string
	readonly scopes: ReadonlySet<Scope>
	/** Ids of the connections it may reach; `undefined` for all of them. */
	readonly connections: ReadonlySet<string> | undefined
	/** When its token ends, in milliseconds since the epoch; `undefined` for never. */
	readonly expiresAt: number | undefined
}

/** A request without a token while authentication is off: it reads, and can never be raised. */
export const anonymous: Caller = {
	key: 'anonymous',
	tokenId: undefined,
	grantee: 'anonymous',
	name: 'Anonymous',
	scopes: new Set(levels['read-only']),
	connections: undefined,
	expiresAt: undefined,
}

/** @throws ProtocolError `forbidden` naming the scopes (contract, "Authentication" 4) */
export function requireScopes(caller: Caller, scopes: readonly Scope[]): void {
	if (scopes.every(scope => caller.scopes.has(scope))) return
	throw new ProtocolError(
		'forbidden',
		`The token "${caller.name}" lacks the scope ${scopes.filter(scope => !caller.scopes.has(scope)).join(', ')}.`,
		{ data: { requiredScopes: [...scopes] }, headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' } },
	)
}
