import type { Access } from '@roundhouse/kit'
import { type Engine, isAtLeast } from '../transport/product.ts'
import { parameterMap, parametersOf } from '../transport/query-string.ts'
import { beforeAnId, queryInPath, type RequestPath, readingsOf } from '../transport/request-path.ts'
import { bodyDestroys, namesMany, stringsOf } from './destroying-body.ts'
import { type EndpointTemplate, endpointTemplate, matches } from './endpoint-template.ts'
import { type LaterReadEndpoint, laterReadEndpoints, readEndpoints } from './read-endpoints.ts'
import type { ConsoleRequest } from './request.ts'
import { writeEndpoints } from './write-endpoints.ts'

/** A request with its access. */
export interface ClassifiedRequest extends ConsoleRequest {
	readonly access: Access
}

/** Classifies a request. No other function does. */
export function classifyRequest(request: ConsoleRequest, engine: Engine): ClassifiedRequest {
	return { ...request, access: accessOf(request, engine) }
}

/**
 * Returns what a request may do, by its method and the segments of its path. Parts of a segment do not count, because
 * an index name can contain them. If a proxy may interpret the path differently, the most dangerous interpretation
 * counts.
 *
 * - `read`: the endpoint is in the table of read endpoints, and the connected engine has it;
 * - `write`: it is in the table of endpoints that delete nothing, and its body certainly does not delete either;
 * - `destructive`: everything else: every DELETE of data or settings but of a named alias, every write to a pattern or to
 * `_all`, and every unknown endpoint. A GET of an unknown endpoint is a write, because the engine uses GET for reads and
 * for a few refreshes.
 */
export function accessOf(request: ConsoleRequest, engine: Engine): Access {
	const readings = readingsOf(request.path.segments).map(segments => accessBy(request, asOneId(segments), engine))
	return ranks.findLast(access => readings.includes(access)) ?? 'destructive'
}

/** Returns whether a proxy would find the same document or index in a path as the engine. */
export function hasOneReading({ segments }: RequestPath): boolean {
	return new Set(readingsOf(segments).map(reading => JSON.stringify(asOneId(reading)))).size === 1
}

/** From harmless to dangerous. */
const ranks: readonly Access[] = ['read', 'write', 'destructive']

/** {@link accessOf} for one interpretation of the path. */
function accessBy(request: ConsoleRequest, segments: readonly string[], engine: Engine): Access {
	const { method } = request
	if (method === 'GET' || method === 'HEAD')
		return isOneOf(templates.GET, segments) && !refreshes(request) ? 'read' : 'write'
	if (method === 'DELETE')
		return closesSearch(request, segments) || removesAlias(request, segments) ? 'write' : 'destructive'
	const parameters = parameterMap(searchesOf(request))
	// `source` is a body for the engine, which the checks below would not see.
	if (isHidden(segments) || parameters.has('source')) return 'destructive'
	if (isTypedName(segments, engine)) {
		const [index = '', , name = ''] = segments
		const isMapping = name === '_mapping' || name === '_mappings'
		return isMapping ? accessBy(request, [index, name], engine) : 'destructive'
	}
	if (method === 'POST' && isOneOf(templates.POST, segments)) return refreshes(request) ? 'write' : 'read'
	const later = method === 'POST' ? templates.later.find(({ template }) => matches(template, segments)) : undefined
	if (later) return has(engine, later) && !(later.hasNoBody && request.body) ? 'read' : 'write'
	const isPlain = isOneOf(templates.writes, segments) && !isPattern(segments) && !parameters.has('accept_data_loss')
	return isPlain && !bodyDestroys(request, segments) ? 'write' : 'destructive'
}

/**
 * For a proxy that decodes, an id with a slash is several segments. The engine has no route for them unless one names
 * an endpoint, so the request does no more than the one for the whole id.
 */
function asOneId(segments: readonly string[]): readonly string[] {
	const [index = '', word = '', ...id] = segments
	const isPlain = id.length > 1 && beforeAnId.has(word) && !id.some(part => /^_|^\.{1,2}$/.test(part))
	return isPlain ? [index, word, id.join('/')] : segments
}

/**
 * Returns whether 7.x reads the id of a path as an endpoint of a type: `/books/_doc/_mapping` is the mapping of the type
 * `_doc`.
 */
export function isTypedName([, word = '', id = '', ...rest]: readonly string[], { version }: Engine): boolean {
	return version[0] < 8 && beforeAnId.has(word) && id.startsWith('_') && rest.length === 0
}

/** Endpoints that write many documents by their body, at the end of any path. */
const bulkWords = new Set(['_bulk', '_update_by_query', '_delete_by_query'])

/**
 * The engine reads a path with such an end as that endpoint if no other matches, whatever comes before:
 * `_text_structure` as an index, `_doc` as a type of 7.x. Only the plain `/_bulk` and `/<index>/<word>` are
 * unambiguous.
 */
function isHidden(segments: readonly string[]): boolean {
	if (!bulkWords.has(segments.at(-1) ?? '')) return false
	const [first = ''] = segments
	return segments.length > 2 || (segments.length === 2 && first.startsWith('_') && first !== '_all')
}

const templates = {
	GET: readEndpoints.GET.map(endpointTemplate),
	POST: readEndpoints.POST.map(endpointTemplate),
	later: laterReadEndpoints.map(later => ({ ...later, template: endpointTemplate(later.path) })),
	writes: writeEndpoints.map(endpointTemplate),
	aliases: [':index/_alias/:name', ':index/_aliases/:name'].map(endpointTemplate),
}

/** Returns whether the connected engine certainly has the endpoint. */
function has({ version, isOpenSource }: Engine, { since, until, isXpack }: LaterReadEndpoint): boolean {
	if (isXpack && isOpenSource) return false
	return isAtLeast(version, ...since) && !(until && isAtLeast(version, ...until))
}

function isOneOf(endpoints: readonly EndpointTemplate[], segments: readonly string[]): boolean {
	return endpoints.some(endpoint => matches(endpoint, segments))
}

/** Ends a scroll or a point-in-time of the caller. `_all` ends those of all users, and a stored search has a result. */
function closesSearch({ body = '' }: ConsoleRequest, [first, second, ...ids]: readonly string[]): boolean {
	if (first === '_pit') return second === undefined
	if (first !== '_search' || second !== 'scroll') return false
	return ![...ids, ...stringsOf(body)].some(text => text.split(',').includes('_all'))
}

/** Removes an alias that it names, which deletes no documents. By a pattern, it may remove many. */
function removesAlias({ body }: ConsoleRequest, segments: readonly string[]): boolean {
	return body === undefined && isOneOf(templates.aliases, segments) && !segments.some(namesMany)
}

/** With `realtime=false`, to get a document can refresh its index: what was not visible becomes visible to all. */
function refreshes(request: ConsoleRequest): boolean {
	return parametersOf(searchesOf(request)).some(({ name, value }) => name === 'refresh' && value !== 'false')
}

/** An empty list means all indices, like `_all`. */
function isPattern([target = '']: readonly string[]): boolean {
	return target === '_all' || /^,+$/.test(target) || (target.includes('*') && !target.startsWith('_'))
}

/** Returns the query string, with the one that a proxy would find in the path. */
function searchesOf({ path: { segments, search } }: ConsoleRequest): string {
	return `${queryInPath(segments)}&${search}`
}
