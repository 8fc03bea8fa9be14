/** Limits of the HTTP transport (contract, "Limits"). */
export interface TransportLimits {
	readonly bodyBytes: number
	readonly headerBytes: number
	readonly connections: number
	readonly idleMs: number
	/** Maximum time from the first to the last byte of a request. Slower clients are disconnected. */
	readonly requestMs: number
	/** Interval of keep-alive comments on a stream, well below the idle timeout. */
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
