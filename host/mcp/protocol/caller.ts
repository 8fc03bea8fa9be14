/** Credentials in the headers of a request. */
export interface Credentials {
	/** The `Authorization` header. */
	readonly authorization: string | undefined
	/** The connection that the request came on. */
	readonly connection: object
	readonly address: string
	/** Distinguishes bridges with the same token (host/mcp/bridge). */
	readonly bridgeId: string | undefined
}

/** The authenticated sender of a request. */
export interface Caller {
	/** Identifies the caller. Requests in flight, sessions, rates and signed states are bound to it. */
	readonly key: string
	/** The token's id; `undefined` if authentication is off and no token was sent. */
	readonly tokenId: string | undefined
	/** The holder of the user's permissions: the token, or all bridges together. */
	readonly grantee: string
	/** Whether it is a bridge, which receives a notification when a write begins. */
	readonly isBridge?: boolean
	/** The token's name, for questions and the log. */
	readonly name: string
	/** Its scopes, which only host/mcp/access interprets. */
	readonly scopes: ReadonlySet<string>
	/** Its tool groups; `undefined` for all that its scopes allow. */
	readonly groups: ReadonlySet<string> | undefined
	/** Ids of the allowed connections; `undefined` for all. */
	readonly connections: ReadonlySet<string> | undefined
	/** Expiry of its token, in milliseconds since the epoch; `undefined` for never. */
	readonly expiresAt: number | undefined
}
