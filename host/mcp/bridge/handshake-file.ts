import { createHmac } from 'node:crypto'

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

/** Headers of `OPTIONS /mcp` by which a bridge makes sure of its host before it shows its token. */
export const challengeHeader = 'roundhouse-challenge'
export const proofHeader = 'roundhouse-proof'
/** Tells two bridges apart that hold the same token. */
export const bridgeHeader = 'roundhouse-bridge'

export const challengePattern = /^[A-Za-z0-9_-]{43}$/

/**
 * What only someone who knows the token can answer to a challenge; it gives nothing of the token away. The port is part
 * of it, so that nobody on another port can pass the challenge on to the host and the host's answer back.
 */
export function proofOf(token: string, port: number, challenge: string): string {
	return createHmac('sha256', token).update(`roundhouse-bridge ${port} ${challenge}`).digest('base64url')
}
