/** What a request shows of its sender before its body is read. */
export interface Credentials {
	/** The `Authorization` header. */
	readonly authorization: string | undefined
	readonly address: string
	/** Tells two bridges with the same token apart (host/mcp/bridge). */
	readonly bridgeId: string | undefined
}

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
	/** What it may do, in words that host/mcp/access alone understands. */
	readonly scopes: ReadonlySet<string>
	/** The groups of tools it is shown; `undefined` for all that its scopes allow. */
	readonly groups: ReadonlySet<string> | undefined
	/** Ids of the connections it may reach; `undefined` for all of them. */
	readonly connections: ReadonlySet<string> | undefined
	/** When its token ends, in milliseconds since the epoch; `undefined` for never. */
	readonly expiresAt: number | undefined
}
