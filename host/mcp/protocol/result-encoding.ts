import type { JsonObject } from '@roundhouse/kit'
import { mayContainSecret, withoutSecrets } from '../../../base/redaction.ts'
import { metaKeys } from '../wire/meta-keys.ts'
import type { Era } from '../wire/versions.ts'
import type { ProtocolError } from './errors.ts'
import type { RequestId } from './message.ts'
import type { Complete, Outcome } from './outcome.ts'

/** Contract, "Result envelope": `ttlMs` is a cache hint on these six methods only. */
const cacheable: ReadonlySet<string> = new Set([
	'server/discover',
	'tools/list',
	'prompts/list',
	'resources/list',
	'resources/templates/list',
	'resources/read',
])

/** Members of a result that only the endpoint sets. */
const hints = ['resultType', 'ttlMs', 'cacheScope'] as const

const closingBrace = Buffer.from('}')

/** The request of an answer. */
interface Answered {
	readonly id: RequestId
	readonly method: string
	readonly era: Era
	/** The connection that the result comes from, if it is one. */
	readonly connectionId: string | undefined
}

export interface ServerIdentity {
	readonly name: string
	readonly version: string
}

/**
 * Encodes outcomes as JSON text in the format of their era, which methods do not depend on. All results pass through
 * here, so secrets that an engine echoed are removed here from rows, prompts, completions and questions.
 */
export class ResultEncoding {
	readonly #meta: JsonObject
	readonly #shared: Readonly<Record<Era, WeakMap<Complete, Buffer>>> = { modern: new WeakMap(), legacy: new WeakMap() }

	constructor(serverInfo: ServerIdentity) {
		this.#meta = { [metaKeys.serverInfo]: { name: serverInfo.name, version: serverInfo.version } }
	}

	/** Returns the text of a response. That of a shared result is encoded once and returned in UTF-8. */
	response(answered: Answered, outcome: Outcome): string | Buffer {
		const { id } = answered
		if (outcome.kind === 'complete' && outcome.isShared) {
			const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`
			return Buffer.concat([Buffer.from(head), this.#encodeShared(answered, outcome), closingBrace])
		}
		return this.#encode(answered, outcome, result => ({ jsonrpc: '2.0', id, result }))
	}

	#encode(answered: Answered, outcome: Outcome, around: (result: JsonObject) => object): string {
		// Most results contain no secret, and one search in their text is cheaper than a search in each of their parts.
		const text = JSON.stringify(around(this.#shape(answered, outcome, value => value)))
		if (!mayContainSecret(text)) return text
		const clean = (value: JsonObject) => withoutSecrets(value, answered.connectionId)
		return JSON.stringify(around(this.#shape(answered, outcome, clean)))
	}

	#encodeShared(answered: Answered, outcome: Complete): Buffer {
		const shared = this.#shared[answered.era]
		const bytes = shared.get(outcome) ?? Buffer.from(this.#encode(answered, outcome, result => result))
		shared.set(outcome, bytes)
		return bytes
	}

	#shape({ method, era }: Answered, outcome: Outcome, clean: (value: JsonObject) => JsonObject): JsonObject {
		if (outcome.kind === 'input_required') {
			const { kind: _, requestState, inputRequests } = outcome
			const state = requestState === undefined ? {} : { requestState }
			return { resultType: 'input_required', inputRequests: clean(inputRequests), ...state, _meta: this.#meta }
		}
		const result = withoutHints(clean(outcome.result))
		if (era === 'legacy') return withoutServerInfo(result)
		const { _meta: meta } = result as { readonly _meta?: JsonObject }
		return {
			resultType: 'complete',
			...result,
			...(outcome.cache && cacheable.has(method) && outcome.cache),
			_meta: meta ? { ...this.#meta, ...meta } : this.#meta,
		}
	}
}

export function errorResponse(id: RequestId | null, error: ProtocolError): string {
	const { code, message, data } = error
	return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } })
}

export function notification(method: string, params: JsonObject): string {
	return JSON.stringify({ jsonrpc: '2.0', method, params })
}

function withoutHints(result: JsonObject): JsonObject {
	// Nearly no result has one, and a copy of each result costs more than this look.
	if (!hints.some(name => name in result)) return result
	const { ttlMs: _ttl, cacheScope: _scope, resultType: _type, ...rest } = result
	return rest
}

function withoutServerInfo(result: JsonObject): JsonObject {
	if (result._meta === undefined) return result
	const { [metaKeys.serverInfo]: _, ...meta } = result._meta as JsonObject
	return { ...result, _meta: meta }
}
