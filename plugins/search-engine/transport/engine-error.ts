import { DriverError, type DriverErrorCode, isJsonObject, type Json, type JsonObject, parseJson } from '@roundhouse/kit'
import type { Incoming } from './exchange.ts'

/** An answer of the engine that says no. */
export class EngineError extends DriverError {
	readonly status: number
	/** The engine's own word, for example `version_conflict_engine_exception`; empty when it gave none. */
	readonly type: string

	constructor(code: DriverErrorCode, message: string, status: number, type: string) {
		super(code, message)
		this.status = status
		this.type = type
	}
}

/** Puts an answer with an error status into words. */
export function engineError(answer: Incoming, label: string): EngineError {
	const { type, reason } = readError(answer.text)
	const detail = reason === '' ? `${answer.status} ${answer.statusText}`.trim() : `${type}: ${reason}`
	return new EngineError(codeOf(answer.status, type), messageOf(answer.status, detail, label), answer.status, type)
}

function messageOf(status: number, detail: string, label: string): string {
	if (status === 401) return `Authentication failed: ${detail}. Check the credential of this connection.`
	if (status === 403) return `The cluster refused: ${detail}. The credential lacks this privilege.`
	if (status >= 300 && status < 400) {
		return `Connection failed: ${label} answered with a redirect (${status}); redirects are not followed. Enter the final address.`
	}
	if (/Result window is too large/.test(detail)) {
		return `Elasticsearch error: ${detail} This index allows fewer than 10,000 rows of paging: narrow with a filter, or raise index.max_result_window to 10000.`
	}
	return `Elasticsearch error: ${detail}`
}

function codeOf(status: number, type: string): DriverErrorCode {
	if (status === 401 || status === 403) return 'denied'
	if (status === 404) return 'not_found'
	if (status >= 300 && status < 400) return 'not_connected'
	return status === 408 || status === 504 || type === 'timeout_exception' ? 'timeout' : 'query_failed'
}

/** The engine's error type and the reason nearest the cause; empty when the body is not the engine's. */
export function readError(text: string): { readonly type: string; readonly reason: string } {
	const none = { type: '', reason: '' }
	try {
		const body = parseJson(text)
		if (!isJsonObject(body)) return none
		const error = body.error
		if (typeof error === 'string') return { type: 'error', reason: error }
		if (!isJsonObject(error)) return none
		const cause = shardCause(error) ?? error
		return { type: textOf(cause.type), reason: withCause(textOf(cause.reason), rootReason(cause)) }
	} catch {
		return none
	}
}

/** "all shards failed" helps nobody; what the first shard says does. */
function shardCause({ failed_shards: shards }: JsonObject): JsonObject | undefined {
	const [shard] = Array.isArray(shards) ? shards : []
	return isJsonObject(shard) && isJsonObject(shard.reason) ? shard.reason : undefined
}

function rootReason({ reason, caused_by: cause }: JsonObject): string {
	return (isJsonObject(cause) && rootReason(cause)) || textOf(reason)
}

function withCause(reason: string, root: string): string {
	return root === '' || reason.includes(root) ? reason : `${reason} (${root})`
}

function textOf(value: Json | undefined): string {
	return typeof value === 'string' ? value : ''
}
