import type { JsonObject } from '@roundhouse/kit'
import { isAtLeast, type Version } from './product.ts'

/**
 * From 9.2 on, the engine leaves vectors out of documents unless a request asks for them. An edit of a value that lacks
 * them, for example of an array of objects, would remove them, so all documents that are shown or exported are whole.
 */
const leavesVectorsOut = (version: Version): boolean => isAtLeast(version, 9, 2)

/**
 * Returns the members of a search for whole documents, or for the parts that `filter` includes.
 */
export function wholeSource(version: Version, filter: JsonObject = {}): JsonObject {
	const source = { ...filter, ...(leavesVectorsOut(version) && { exclude_vectors: false }) }
	return Object.keys(source).length > 0 ? { _source: source } : {}
}

/** Returns the URL parameters of a request that reads whole documents by id. */
export function wholeSourceParameters(version: Version): readonly string[] {
	return leavesVectorsOut(version) ? ['_source_exclude_vectors=false'] : []
}
