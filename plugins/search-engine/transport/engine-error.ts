import { DriverError, type DriverErrorCode, isJsonObject, type Json, type JsonObject, parseJson } from '@roundhouse/kit'
import type { Reply } from './reply.ts'
import { retryAfterMs } from './retry-after.ts'

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

type ErrorAnswer = Pick<Reply, 'status' | 'statusText' | 'headers' | 'text'>

/** Puts an answer with an error status into words. */
export function engineError(answer: ErrorAnswer, label: string): EngineError {
	const { type, reason } = readError(answer.text)
	const detail = detailOf(type, reason) || `${answer.status} ${answer.statusText}`.trim()
	const message = sentences([messageOf(answer.status, { type, reason, detail, label }), whenToRetry(answer)])
	return new EngineError(codeOf(answer.status, type), message, answer.status, type)
}

function sentences(parts: readonly string[]): string {
	return parts.filter(part => part !== '').reduce((text, next) => `${text}${/[.!?]$/.test(text) ? '' : '.'} ${next}`)
}

/** The engine repeats what it was sent, whole; a message that no driver may answer with would hide that it said no. */
const longestDetail = 10_000

function detailOf(type: string, reason: string): string {
	const detail = [type, reason].filter(part => part !== '' && part !== bareWords).join(': ')
	return detail.length > longestDetail ? `${detail.slice(0, longestDetail).toWellFormed()}…` : detail
}

/** The type of an error that is a text instead of an object, as that of a path nobody handles. */
const bareWords = 'error'

interface Told {
	readonly type: string
	readonly reason: string
	readonly detail: string
	readonly label: string
}

function messageOf(status: number, told: Told): string {
	const { type, detail, label } = told
	if (status === 401) return `Authentication failed: ${detail}. Check the credential of this connection.`
	if (isRefusal(status, type)) return sentences([`The cluster refused: ${detail}`, whyRefused(told)])
	if (status >= 300 && status < 400) {
		return `Connection failed: ${label} answered with a redirect (${status}); redirects are not followed. Enter the final address.`
	}
	return sentences([`Elasticsearch error: ${detail}`, remedyFor(told)])
}

/** A 403 about the credential, or one that does not say what it is about. */
function isRefusal(status: number, type: string): boolean {
	return status === 403 && (type === '' || type === 'security_exception')
}

function whyRefused({ type, reason }: Told): string {
	if (type === '') return 'It may come from a proxy before the cluster.'
	return /\blicense\b/.test(reason)
		? 'The license of the cluster does not include it.'
		: 'The credential lacks this privilege.'
}

/** What a person can do where the engine's own words do not say. */
function remedyFor({ type, reason }: Told): string {
	if (type === 'cluster_block_exception') return whatBlocks(reason)
	if (missingShardTypes.has(type) || reason === 'all shards failed') {
		return 'The index is red: no copy of a shard is there to answer. GET _cluster/allocation/explain says why.'
	}
	if (/Result window is too large/.test(reason)) {
		return 'This index allows fewer than 10,000 rows of paging: narrow with a filter, or raise index.max_result_window to 10000.'
	}
	return ''
}

const missingShardTypes = new Set(['no_shard_available_action_exception', 'unavailable_shards_exception'])

/** The number names the block, whatever the words around it. */
function whatBlocks(reason: string): string {
	const [, block = ''] = /[A-Z_]+\/([0-9]+)\//.exec(reason) ?? []
	return blocks[block] ?? ''
}

const writeBlock = 'The index does not take writes; its settings (index.blocks) say so.'
const blocks: Readonly<Record<string, string>> = {
	'1': 'The cluster is still starting; try again soon.',
	'2': 'The cluster has no elected master; try again when it has one.',
	'4': 'The index is closed; open it first.',
	'5': writeBlock,
	'6': 'The whole cluster is read-only; its settings (cluster.blocks) say so.',
	'7': 'The index does not let its documents be read; its settings (index.blocks.read) say so.',
	'8': writeBlock,
	'12': 'The index does not take writes, mostly because a disk is nearly full: free space there, then set index.blocks.read_only_allow_delete to null.',
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

/** The engine's error type and the reason nearest the cause; empty when the body is not the engine's. */
export function readError(text: string): { readonly type: string; readonly reason: string } {
	const none = { type: '', reason: '' }
	try {
		const body = parseJson(text)
		if (!isJsonObject(body)) return none
		const error = body.error
		if (typeof error === 'string') return { type: bareWords, reason: error }
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
	if (reason === '') return root
	return reason.includes(root) ? reason : `${reason} (${root})`
}

function textOf(value: Json | undefined): string {
	return typeof value === 'string' ? value : ''
}
