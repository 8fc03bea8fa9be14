import type { JsonObject } from '@roundhouse/kit'
import { protocolErrors } from '../wire/protocol-errors.ts'
import { outgoingText } from './outgoing-text.ts'

export type ProtocolErrorName = keyof typeof protocolErrors

export interface ProtocolErrorDetails {
	readonly data?: JsonObject
	/** HTTP headers that belong to the answer, for example `WWW-Authenticate`. */
	readonly headers?: Readonly<Record<string, string>>
}

/** An error that is sent as a JSON-RPC error. The constructor redacts its text, so that no secret can leak later. */
export class ProtocolError extends Error {
	override readonly name = 'ProtocolError'
	readonly code: number
	readonly status: number
	readonly data: JsonObject | undefined
	readonly headers: Readonly<Record<string, string>> | undefined

	constructor(error: ProtocolErrorName, message?: string, details: ProtocolErrorDetails = {}) {
		super(outgoingText(message ?? protocolErrors[error].message))
		this.code = protocolErrors[error].code
		this.status = protocolErrors[error].status
		this.data = details.data
		this.headers = details.headers
	}
}

/**
 * The endpoint is shutting down: it has not run this request (`unavailable`), or has cut it off (`request_cancelled`).
 * The delay tells a bridge that another host may serve it soon (host/mcp/bridge).
 */
export function shuttingDown(error: 'unavailable' | 'request_cancelled'): ProtocolError {
	return new ProtocolError(error, protocolErrors.unavailable.message, retryAfter(1))
}

/** Returns the details for a retry. The delay is also in the data, because stdio has no headers. */
export function retryAfter(seconds: number): ProtocolErrorDetails {
	return { headers: { 'Retry-After': String(seconds) }, data: { retryAfterSeconds: seconds } }
}
