import type { JsonObject } from '@roundhouse/kit'
import { protocolErrors } from '../wire/protocol-errors.ts'
import { outgoingText } from './outgoing-text.ts'

export type ProtocolErrorName = keyof typeof protocolErrors

export interface ProtocolErrorDetails {
	readonly data?: JsonObject
	/** HTTP headers that belong to the answer, for example `WWW-Authenticate`. */
	readonly headers?: Readonly<Record<string, string>>
}

/** An error that is answered as a JSON-RPC error. Its text is redacted here, so that nothing can leak later. */
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

/** When to come back; in the data too, because on stdio there is no header. */
export function retryAfter(seconds: number): ProtocolErrorDetails {
	return { headers: { 'Retry-After': String(seconds) }, data: { retryAfterSeconds: seconds } }
}
