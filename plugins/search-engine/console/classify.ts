import type { Access } from '@roundhouse/kit'
import { readingsOf } from '../transport/request-path.ts'
import { bodyDestroys } from './destroying-body.ts'
import { type EndpointTemplate, endpointTemplate, matches } from './endpoint-template.ts'
import { readEndpoints } from './read-endpoints.ts'
import type { ConsoleRequest } from './request.ts'
import { writeEndpoints } from './write-endpoints.ts'

/** A request with what it may do. */
export interface JudgedRequest extends ConsoleRequest {
	readonly access: Access
}

/** The one place where a request is judged. */
export function judge(request: ConsoleRequest): JudgedRequest {
	return { ...request, access: accessOf(request) }
}

/**
 * What a request may do, by its method and the segments of its path, and never by a part of a segment, which an index
 * name can hold. Where a proxy may read the path otherwise, the worst reading counts.
 *
 * - `read`: the endpoint is in the table of those that only read;
 * - `write`: it is in the table of those that take nothing away, and its body, where that can destroy, surely does not;
 * - `destructive`: everything else: every DELETE of data or settings, every write to a pattern or to `_all`, and every
 *   endpoint nobody knows. A GET of such a one is a write: the engine gives GET to what reads, and to a few that refresh.
 */
function accessOf(request: ConsoleRequest): Access {
	const readings = readingsOf(request.path.segments).map(segments => accessBy(request, segments))
	return ranks.findLast(access => readings.includes(access)) ?? 'destructive'
}

/** From the harmless to the worst. */
const ranks: readonly Access[] = ['read', 'write', 'destructive']

/** {@link accessOf} for one reading of the path. */
export function accessBy(request: ConsoleRequest, segments: readonly string[]): Access {
	const { method } = request
	if (method === 'GET' || method === 'HEAD') return isOneOf(templates.GET, segments) ? 'read' : 'write'
	if (method === 'DELETE') return closesSearch(segments) ? 'write' : 'destructive'
	if (isHidden(segments) || hasHiddenBody(request)) return 'destructive'
	if (method === 'POST' && isOneOf(templates.POST, segments)) return 'read'
	const isPlain = isOneOf(templates.writes, segments) && !isPattern(segments) && !acceptsLoss(request)
	return isPlain && !bodyDestroys(request, segments) ? 'write' : 'destructive'
}

/** What writes many documents by its body, wherever a path ends in it. */
const bulkWords = new Set(['_bulk', '_update_by_query', '_delete_by_query'])

/**
 * The engine takes a path that ends so for that endpoint where no other fits, whatever stands before: `_text_structure`
 * as an index, `_doc` as a type of 7.x. Only the plain `/_bulk` and `/<index>/<word>` are what they look like.
 */
function isHidden(segments: readonly string[]): boolean {
	if (!bulkWords.has(segments.at(-1) ?? '')) return false
	const [first = ''] = segments
	return segments.length > 2 || (segments.length === 2 && first.startsWith('_') && first !== '_all')
}

/** `?source=` is a body for the engine, and none of those that are looked into. */
function hasHiddenBody({ path: { search } }: ConsoleRequest): boolean {
	return new URLSearchParams(search).has('source')
}

const templates = {
	GET: readEndpoints.GET.map(endpointTemplate),
	POST: readEndpoints.POST.map(endpointTemplate),
	writes: writeEndpoints.map(endpointTemplate),
}

function isOneOf(endpoints: readonly EndpointTemplate[], segments: readonly string[]): boolean {
	return endpoints.some(endpoint => matches(endpoint, segments))
}

/** Frees a scroll, a point-in-time or a stored search: nothing that anybody stored is lost. */
function closesSearch([first, second]: readonly string[]): boolean {
	if (first === '_pit' || first === '_async_search') return true
	return ['_search/scroll', '_eql/search', '_query/async'].includes(`${first}/${second}`)
}

function isPattern([target = '']: readonly string[]): boolean {
	return target === '_all' || (target.includes('*') && !target.startsWith('_'))
}

/** `accept_data_loss=true`, whatever the endpoint. */
function acceptsLoss({ path: { search } }: ConsoleRequest): boolean {
	return new URLSearchParams(search).has('accept_data_loss')
}
