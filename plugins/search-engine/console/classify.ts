import type { Access } from '@roundhouse/kit'
import { readEndpoints } from './read-endpoints.ts'
import type { ConsoleRequest } from './request.ts'

/**
 * What a request may do, by its method and the segments of its normalised path. Never by its body, where any word can
 * stand, and never by a part of a segment, which an index name can hold.
 *
 * - `read`: the endpoint is in the table of those that only read;
 * - `destructive`: takes away more than a request can bring back: every DELETE of data or settings, `_delete_by_query`,
 *   closing an index, restoring over one, and every write to a pattern or to `_all`;
 * - `write`: everything else, unknown endpoints too. `_bulk` may delete, but only documents that it names.
 */
export function accessOf({ method, path: { segments } }: Pick<ConsoleRequest, 'method' | 'path'>): Access {
	if (method === 'GET' || method === 'HEAD') return isReadEndpoint('GET', segments) ? 'read' : 'write'
	if (method === 'POST' && isReadEndpoint('POST', segments)) return 'read'
	if (method === 'DELETE') return closesSearch(segments) ? 'write' : 'destructive'
	return isDestructive(segments) ? 'destructive' : 'write'
}

function isReadEndpoint(method: 'GET' | 'POST', segments: readonly string[]): boolean {
	return templates[method].some(template => matches(template, segments))
}

const templates = {
	GET: readEndpoints.GET.map(split),
	POST: readEndpoints.POST.map(split),
}

function split(template: string): readonly string[] {
	return template === '' ? [] : template.split('/')
}

function matches(template: readonly string[], segments: readonly string[]): boolean {
	const isOpen = template.at(-1) === '**'
	const fixed = isOpen ? template.slice(0, -1) : template
	if (isOpen ? segments.length <= fixed.length : segments.length !== fixed.length) return false
	return fixed.every((part, index) => {
		const segment = segments[index] ?? ''
		if (part === ':index') return !segment.startsWith('_') || segment === '_all'
		return part === ':x' || part === segment
	})
}

/** Frees a scroll, a point-in-time or a stored search: nothing that anybody stored is lost. */
function closesSearch([first, second]: readonly string[]): boolean {
	return first === '_pit' || first === '_async_search' || (first === '_search' && second === 'scroll')
}

const destroying = new Set(['_delete_by_query', '_close', '_restore', '_cleanup', '_wipe', '_reset'])

function isDestructive(segments: readonly string[]): boolean {
	const [target = ''] = segments
	const isPattern = target === '_all' || (target.includes('*') && !target.startsWith('_'))
	return (
		isPattern ||
		segments.some((segment, index) => destroying.has(segment) && index > 0 && !isDocumentId(segments, index))
	)
}

/** What stands behind `_doc` and its like is an id, whatever it looks like. */
function isDocumentId(segments: readonly string[], index: number): boolean {
	return /^_(doc|create|update|source)$/.test(segments[index - 1] ?? '')
}
