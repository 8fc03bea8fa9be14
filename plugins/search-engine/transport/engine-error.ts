import { DriverError, type DriverErrorCode, isJsonObject, type Json, type JsonObject, parseJson } from '@roundhouse/kit'
import { oneLine, quoted } from './engine-words.ts'
import type { Reply } from './reply.ts'
import { retryAfterMs } from './retry-after.ts'

/** An answer of the engine with an error status. */
export class EngineError extends DriverError {
	readonly status: number
	/** The engine's error type, for example `version_conflict_engine_exception`, or empty. */
	readonly type: string

	constructor(
		code: DriverErrorCode,
		message: string,
		{ status, type }: { readonly status: number; readonly type: string },
	) {
		super(code, message, /^\w+$/.test(type) ? { engineCode: type } : {})
		this.status = status
		this.type = type
	}
}

type ErrorAnswer = Pick<Reply, 'status' | 'statusText' | 'headers' | 'text'>

/** Converts an answer with an error status to an error with a message for the user. */
export function engineError(answer: ErrorAnswer, label: string): EngineError {
	const { type, reason } = readError(answer.text)
	const detail = quoted(detailOf(type, reason) || `${answer.status} ${answer.statusText}`, longestDetail)
	const isForeign = type === '' && reason === '' && isFromProxy(answer)
	const message = sentences([messageOf(answer.status, { type, reason, detail, label, isForeign }), whenToRetry(answer)])
	return new EngineError(codeOf(answer.status, type), message, { status: answer.status, type })
}

function sentences(parts: readonly string[]): string {
	return parts.filter(part => part !== '').reduce((text, next) => `${text}${/[.!?]$/.test(text) ? '' : '.'} ${next}`)
}

/**
 * Upper limit of the detail. The engine repeats the whole request, and a message beyond the driver's limit would hide
 * the error.
 */
const longestDetail = 10_000

function detailOf(type: string, reason: string): string {
	return [type, reason].filter(part => part !== '' && part !== bareWords).join(': ')
}

/** The type of an error that is a text instead of an object, for example for an unknown path. */
export const bareWords = 'error'

interface ErrorDetails {
	readonly type: string
	readonly reason: string
	readonly detail: string
	readonly label: string
	/** Whether another server than the engine wrote the answer. */
	readonly isForeign: boolean
}

function messageOf(status: number, details: ErrorDetails): string {
	const { type, detail, label } = details
	if (status === 401) return `Authentication failed: ${detail}. Check the credential of this connection.`
	if (isRefusal(status, type)) return sentences([`The cluster refused: ${detail}`, whyRefused(details)])
	if (status >= 300 && status < 400) {
		return `Connection failed: ${label} answered with a redirect (${status}); redirects are not followed. Enter the final address.`
	}
	if (details.isForeign) {
		return sentences([
			`${label} answered ${detail}. This is not an answer of Elasticsearch; it may come from a proxy in front of the cluster`,
			remedyForProxy(status),
		])
	}
	return sentences([`Elasticsearch error: ${detail}`, remedyFor(details)])
}

/** The engine writes JSON. Only for a body above its own limit, it answers 413 without one. */
function isFromProxy({ status, headers, text }: ErrorAnswer): boolean {
	if (headers['x-elastic-product'] !== undefined) return false
	if (text.trim() === '') return status === 502 || status === 503 || status === 504
	return !/^\s*[{[]/.test(text)
}

function remedyForProxy(status: number): string {
	if (status === 413) return 'Send a smaller request, or raise the size limit of the proxy.'
	return status === 502 || status === 503 || status === 504
		? 'The cluster may be unreachable behind it. Try again.'
		: ''
}

/** Returns whether a 403 is about the credential, or names no cause. */
function isRefusal(status: number, type: string): boolean {
	return status === 403 && (type === '' || type === 'security_exception')
}

function whyRefused({ type, reason }: ErrorDetails): string {
	if (type === '') return 'It may come from a proxy in front of the cluster.'
	return /\blicense\b/.test(reason)
		? 'The license of the cluster does not include it.'
		: 'The credential lacks this privilege.'
}

/** Returns a remedy that the engine's message does not name. */
function remedyFor({ type, reason }: ErrorDetails): string {
	if (type === 'cluster_block_exception') return remedyForBlock(reason)
	if (missingShardTypes.has(type) || reason === 'all shards failed') {
		return 'The index is red: no copy of a shard is available. GET _cluster/allocation/explain says why.'
	}
	if (/Result window is too large/.test(reason)) {
		return 'This index allows fewer than 10,000 documents of paging. Narrow them with a filter, or raise index.max_result_window to 10000.'
	}
	if (/^(?:no handler found|Incorrect HTTP method) for uri /.test(reason)) {
		return 'This engine has no such API: its version or edition lacks it, or the method or the path is mistyped.'
	}
	return ''
}

const missingShardTypes = new Set(['no_shard_available_action_exception', 'unavailable_shards_exception'])

/** Returns the remedy by the number of the block, whatever the text around it. */
function remedyForBlock(reason: string): string {
	const [, block = ''] = /[A-Z_]+\/([0-9]+)\//.exec(reason) ?? []
	return blocks[block] ?? ''
}

const writeBlock = 'The index does not accept writes because of its settings (index.blocks).'
const blocks: Readonly<Record<string, string>> = {
	'1': 'The cluster is still starting. Try again soon.',
	'2': 'The cluster has no elected master. Try again when it has one.',
	'4': 'The index is closed. Open it first.',
	'5': writeBlock,
	'6': 'The whole cluster is read-only because of its settings (cluster.blocks).',
	'7': 'The index does not allow reads because of its settings (index.blocks.read).',
	'8': writeBlock,
	'12': 'The index does not accept writes, usually because a disk is nearly full. Free disk space, then set index.blocks.read_only_allow_delete to null.',
}

function whenToRetry({ status, headers }: ErrorAnswer): string {
	const waitMs = status === 429 ? retryAfterMs(headers) : undefined
	return waitMs === undefined ? '' : `The cluster asks to try again in ${Math.ceil(waitMs / 1000)} seconds.`
}

function codeOf(status: number, type: string): DriverErrorCode {
	if (status === 401 || isRefusal(status, type)) return 'denied'
	if (status === 404) return 'not_found'
	if (status >= 300 && status < 400) return 'not_connected'
	return status === 408 || status === 504 || type === 'timeout_exception' ? 'timeout' : 'query_failed'
}

/**
 * Returns the engine's error type and the reason nearest the cause, or empty texts if the body is not from the engine.
 */
export function readError(text: string): { readonly type: string; readonly reason: string } {
	const none = { type: '', reason: '' }
	try {
		const body = parseJson(text)
		if (!isJsonObject(body)) return none
		const error = body.error
		if (typeof error === 'string') return { type: bareWords, reason: oneLine(error) }
		if (!isJsonObject(error)) return none
		const cause = shardCause(error) ?? rootCause(error) ?? error
		return { type: oneLine(textOf(cause.type)), reason: oneLine(withCause(textOf(cause.reason), rootReason(cause))) }
	} catch {
		return none
	}
}

interface TextPlace {
	/** From 1. */
	readonly line: number
	/** From 1. */
	readonly column: number
}

/** Returns where the engine found the first error in a query of ES|QL. */
export function queryErrorPosition(text: string): TextPlace | undefined {
	const [, line, column] = /(?:^|\n)line (\d+):(\d+)/.exec(readError(text).reason) ?? []
	return line === undefined ? undefined : { line: Number(line), column: Number(column) }
}

/** Returns where the engine found an error in the body. */
export function errorPosition(text: string): TextPlace | undefined {
	try {
		const body = parseJson(text)
		const error = isJsonObject(body) && isJsonObject(body.error) ? body.error : {}
		const cause = shardCause(error) ?? error
		const { line, col: column } = cause
		if (typeof line === 'number' && typeof column === 'number') return { line, column }
		const [, inLine, inColumn] = /^\[(\d+):(\d+)\]/.exec(textOf(cause.reason)) ?? []
		return inLine === undefined ? undefined : { line: Number(inLine), column: Number(inColumn) }
	} catch {
		return undefined
	}
}

/** Returns the error of the first shard, which is more useful than "all shards failed". */
function shardCause({ failed_shards: shards }: JsonObject): JsonObject | undefined {
	const [shard] = Array.isArray(shards) ? shards : []
	return isJsonObject(shard) && isJsonObject(shard.reason) ? shard.reason : undefined
}

/** Returns the root cause if the error itself has no type, as Elastic documents the 410 of Serverless. */
function rootCause({ type, root_cause: causes }: JsonObject): JsonObject | undefined {
	const [cause] = type === undefined && Array.isArray(causes) ? causes : []
	return isJsonObject(cause) ? cause : undefined
}

function rootReason({ reason, caused_by: cause }: JsonObject): string {
	return (isJsonObject(cause) && rootReason(cause)) || textOf(reason)
}

function withCause(reason: string, root: string): string {
	if (reason === '') return root
	return reason.includes(root) ? reason : `${reason} (${root})`
}

function textOf(value: Json | undefined): string {
	return typeof value === 'string' ? value : ''
}
