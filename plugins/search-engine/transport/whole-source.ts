import { isJsonObject } from '@roundhouse/kit'
import type { EngineRequest } from './engine-request.ts'

/**
 * From 9.2 on, the engine leaves vectors out of documents unless a request asks for them. An edit of a value that lacks
 * them, for example of an array of objects, would remove them, so all documents that are shown, exported or edited are
 * whole (`EngineRequest.isWhole`).
 */

/** What a node does with vectors. An older one refuses the parameter for them. */
export type VectorHabit = 'kept' | 'left out' | 'unknown'

/** Returns the request with the parameter for vectors. A search has it in its body, because a URL would replace the rest. */
export function withVectors(request: EngineRequest): EngineRequest {
	const { path, body, search = '' } = request
	if (!path.endsWith('/_search') || !isJsonObject(body))
		return { ...request, search: `${search}${search === '' ? '' : '&'}_source_exclude_vectors=false` }
	// A search for no documents stays one.
	if (body._source === false) return request
	const source = isJsonObject(body._source) ? body._source : {}
	return { ...request, body: { ...body, _source: { ...source, exclude_vectors: false } } }
}
