/** Contract, "Handshake file": how clients on this machine find the endpoint. */
export const handshakeFileName = 'mcp-handshake.json'

export interface Handshake {
	readonly version: 1
	readonly port: number
	readonly pid: number
	/** New with each start of the endpoint. */
	readonly instanceId: string
	/** The newest revision that is spoken. */
	readonly protocolVersion: string
	readonly startedAt: string
	readonly bridgeToken: string
	/** When `bridgeToken` ends, ISO 8601. */
	readonly expiresAt: string
}

/** Where the endpoint answers, on the port of the handshake. */
export const endpointPath = '/mcp'
