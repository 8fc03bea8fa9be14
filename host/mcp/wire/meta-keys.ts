const namespace = 'io.modelcontextprotocol'

/** Keys of `_meta` (contract, "`params._meta`" and "Result envelope"; MCP 2026-07-28, `subscriptions/listen`). */
export const metaKeys = {
	protocolVersion: `${namespace}/protocolVersion`,
	clientCapabilities: `${namespace}/clientCapabilities`,
	clientInfo: `${namespace}/clientInfo`,
	serverInfo: `${namespace}/serverInfo`,
	subscriptionId: `${namespace}/subscriptionId`,
} as const
