/** Contract, "Limits". */
export interface TransportLimits {
	readonly bodyBytes: number
	readonly headerBytes: number
	readonly connections: number
	readonly idleMs: number
	/** From the first byte of a request to its last: a sender that trickles is cut off. */
	readonly requestMs: number
	/** How often a silent stream says that it lives; well inside the idle time. */
	readonly keepAliveMs: number
}

export const transportLimits: TransportLimits = {
	bodyBytes: 10 * 1024 * 1024,
	headerBytes: 16 * 1024,
	connections: 64,
	idleMs: 30_000,
	requestMs: 60_000,
	keepAliveMs: 15_000,
}
