import type { JsonObject } from '@roundhouse/kit'
import { withoutSecrets } from '../../base/redaction.ts'
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

export interface ServerIdentity {
	readonly name: string
	readonly version: string
}

/**
 * Gives outcomes the form of their era, as JSON text. No method knows of this form. Every result leaves through here, so
 * here the secrets go that an engine may have echoed into it: rows, prompts, completions and questions alike.
 */
export class ResultEncoding {
	readonly #serverInfo: ServerIdentity
	readonly #shared: Readonly<Record<Era, WeakMap<Complete, string>>> = { modern: new WeakMap(), legacy: new WeakMap() }

	constructor(serverInfo: ServerIdentity) {
		this.#serverInfo = { name: serverInfo.name, version: serverInfo.version }
	}

	response(id: RequestId, method: string, era: Era, outcome: Outcome): string {
		return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${this.#encode(method, era, outcome)}}`
	}

	#encode(method: string, era: Era, outcome: Outcome): string {
		if (outcome.kind === 'input_required' || !outcome.isShared) return JSON.stringify(this.#shape(method, era, outcome))
		const shared = this.#shared[era]
		const known = shared.get(outcome)
		if (known !== undefined) return known
		const text = JSON.stringify(this.#shape(method, era, outcome))
		shared.set(outcome, text)
		return text
	}

	#shape(method: string, era: Era, outcome: Outcome): JsonObject {
		if (outcome.kind === 'input_required') {
			const { kind: _, requestState, inputRequests } = outcome
			const state = requestState === undefined ? {} : { requestState }
			return {
				resultType: 'input_required',
				inputRequests: withoutSecrets(inputRequests),
				...state,
				_meta: { [metaKeys.serverInfo]: { ...this.#serverInfo } },
			}
		}
		// A hint that a result brought along itself never leaves: only the endpoint gives them.
		const { ttlMs: _ttl, cacheScope: _scope, resultType: _type, ...result } = withoutSecrets(outcome.result)
		if (era === 'legacy') return withoutServerInfo(result)
		return {
			resultType: 'complete',
			...result,
			...(outcome.cache && cacheable.has(method) && { ...outcome.cache }),
			_meta: { [metaKeys.serverInfo]: { ...this.#serverInfo }, ...(result._meta as JsonObject | undefined) },
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

function withoutServerInfo(result: JsonObject): JsonObject {
	if (result._meta === undefined) return result
	const { [metaKeys.serverInfo]: _, ...meta } = result._meta as JsonObject
	return { ...result, _meta: meta }
}
