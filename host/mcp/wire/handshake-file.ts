/** Contract, "Handshake file": how clients on this machine find the endpoint. */
export const handshakeFileName = 'mcp-handshake.json'

export const handshakeFormat = 1

export interface Handshake {
	/** Format of the file, and number of what a bridge may expect from the endpoint. Grows with what breaks bridges. */
	readonly version: typeof handshakeFormat
	/** Version of the host. */
	readonly host: string
	readonly port: number
	readonly pid: number
	/** Random for each start of the endpoint. */
	readonly instanceId: string
	/** The newest supported revision. */
	readonly protocolVersion: string
	readonly startedAt: string
	readonly bridgeToken: string
	/** Expiry of `bridgeToken`, ISO 8601. */
	readonly expiresAt: string
}

/** Path of the endpoint, on the port of the handshake. */
export const endpointPath = '/mcp'
