import { DriverError, type DriverErrorCode, isJsonObject, type Json, parseJson } from '@roundhouse/kit'
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
		const { type, reason } = deepest(error)
		return { type: textOf(error.type) || type, reason: reasons(textOf(error.reason), reason) }
	} catch {
		return none
	}
}

/** "all shards failed" helps nobody: the first shard's reason does, and what caused that. */
function deepest(error: { readonly [key: string]: Json }): { readonly type: string; readonly reason: string } {
	const shard = Array.isArray(error.failed_shards) ? error.failed_shards[0] : undefined
	const next = isJsonObject(shard) ? shard.reason : error.caused_by
	if (isJsonObject(next)) {
		const found = deepest(next)
		if (found.reason !== '') return found
	}
	return { type: textOf(error.type), reason: textOf(error.reason) }
}

function reasons(outer: string, inner: string): string {
	if (inner === '' || outer.includes(inner)) return outer
	return outer === '' || outer === 'all shards failed' ? inner : `${outer} (${inner})`
}

function textOf(value: Json | undefined): string {
	return typeof value === 'string' ? value : ''
}
