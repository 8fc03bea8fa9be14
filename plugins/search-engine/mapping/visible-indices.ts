import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { objectOf, stringsIn } from '../transport/answer.ts'
import { EngineError } from '../transport/engine-error.ts'
import type { EngineRequest } from '../transport/engine-request.ts'
import { pathOf } from '../transport/request-path.ts'
import type { Transport } from '../transport/transport.ts'

/**
 * What a credential sees that may use some indices only. It may neither list the indices with their sizes, nor read a
 * mapping, but Elasticsearch answers the requests here for the indices that it may use.
 */

/** An index by name, and whether it is open. */
export interface VisibleIndex {
	readonly name: string
	readonly isClosed: boolean
}

/**
 * Returns the indices that the credential may use. Without the privilege to resolve names, or before 7.9, only those
 * that it may search. @throws EngineError if the cluster refuses both
 */
export async function visibleIndices(
	transport: Pick<Transport, 'send'>,
	signal: AbortSignal,
): Promise<readonly VisibleIndex[]> {
	try {
		const search = 'expand_wildcards=open,closed'
		const { indices } = objectOf(await read(transport, { path: '/_resolve/index/*', search }, signal))
		const resolved = Array.isArray(indices) ? indices.filter(isJsonObject) : []
		return resolved.map(({ name, attributes }) => ({
			name: String(name),
			isClosed: Array.isArray(attributes) && attributes.includes('closed'),
		}))
	} catch (error) {
		if (!(error instanceof EngineError)) throw error
		const { indices } = objectOf(
			await fieldCaps(transport, { path: '', search: 'fields=_id&filter_path=indices' }, signal),
		)
		// 7.0 and 7.1 do not name the indices.
		if (!Array.isArray(indices)) throw error
		return indices.map(name => ({ name: String(name), isClosed: false }))
	}
}

/**
 * Returns the mapping of a table as `GET /<index>/_mapping` does, from the fields that the credential may search. It has
 * no parameters of the fields except whether they are indexed.
 */
export async function searchableMapping(
	transport: Pick<Transport, 'send'>,
	{ table, ...limit }: { readonly table: string; readonly maxAnswerBytes?: number },
	signal: AbortSignal,
): Promise<Json> {
	const request = { path: table === '' ? '' : pathOf(table), search: 'fields=*', ...limit }
	const answer = objectOf(await fieldCaps(transport, request, signal))
	return { [table]: { mappings: mappingOf(objectOf(answer.fields)) } }
}

/** Returns the open indices that define a field as a date. */
export async function datedIndices(
	transport: Pick<Transport, 'send'>,
	field: string,
	signal: AbortSignal,
): Promise<readonly string[]> {
	const search = `fields=${field}&include_unmapped=true`
	const { indices, fields } = objectOf(await fieldCaps(transport, { path: '', search }, signal))
	const byType = objectOf(objectOf(fields)[field])
	// The engine names the indices of a type only if others differ.
	return [byType.date, byType.date_nanos].flatMap(type =>
		isJsonObject(type) ? stringsIn(Array.isArray(type.indices) ? type.indices : indices) : [],
	)
}

function fieldCaps(
	transport: Pick<Transport, 'send'>,
	{ path, search, ...limit }: LookUp & { readonly search: string },
	signal: AbortSignal,
): Promise<Json> {
	const request = { path: `${path}/_field_caps`, search: `${search}&ignore_unavailable=true`, ...limit }
	return read(transport, request, signal)
}

type LookUp = Pick<EngineRequest, 'path' | 'search' | 'maxAnswerBytes'>

async function read(transport: Pick<Transport, 'send'>, request: LookUp, signal: AbortSignal): Promise<Json> {
	const reply = await transport.send({ method: 'GET', ...request, isRead: true }, signal)
	return reply.json()
}

/** A mapping while it is made: a field with the fields below it. */
interface Node {
	readonly own: JsonObject
	readonly below: Map<string, Node>
}

/** Returns the mapping of fields that are named by their paths. A field below one that is not an object is a multi-field. */
function mappingOf(fields: JsonObject): JsonObject {
	const root: Node = { own: {}, below: new Map() }
	for (const path of Object.keys(fields).sort()) {
		const [own] = Object.values(objectOf(fields[path])).map(objectOf)
		if (own === undefined || own.metadata_field === true || path.startsWith('_')) continue
		const parts = path.split('.')
		const parent = parts.slice(0, -1).reduce((at, part) => inside(at, part), root)
		parent.below.set(parts.at(-1) ?? path, { own, below: new Map() })
	}
	return printed(root)
}

function inside({ below }: Node, name: string): Node {
	const known = below.get(name) ?? { own: { type: 'object' }, below: new Map() }
	below.set(name, known)
	return known
}

function printed({ own: { type, searchable }, below }: Node): JsonObject {
	const children = Object.fromEntries([...below].map(([name, node]) => [name, printed(node)]))
	const isField = typeof type === 'string' && type !== 'object'
	return {
		...(isField && { type }),
		...(isField && type !== 'nested' && searchable === false && { index: false }),
		...(below.size > 0 && { [isField && type !== 'nested' ? 'fields' : 'properties']: children }),
	}
}
