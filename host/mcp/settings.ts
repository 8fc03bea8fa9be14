import type { RateLimits } from './access/rates.ts'

/** What a person can change of the endpoint. */
export interface McpSettings extends RateLimits {
	/** `false`: every request is refused with -33006. */
	readonly enabled: boolean
	/** Web pages that may call the endpoint; any other origin is refused. */
	readonly allowedOrigins: readonly string[]
	/** `false`: a request without a token is an anonymous caller that can only read. */
	readonly authentication: boolean
	/** Asks in the window as well after a client collected a consent. */
	readonly alsoAskInWindow: boolean
	/** From so many rows on a table is too large for what is expensive; 0 for none. */
	readonly costLimitRows: number
}

export const defaultSettings: McpSettings = {
	enabled: true,
	allowedOrigins: ['https://claude.ai', 'https://app.cursor.com'],
	authentication: true,
	alsoAskInWindow: false,
	costLimitRows: 1_000_000,
	ratePerMinute: 240,
	concurrentPerToken: 8,
}

export const defaultPort = 23517
