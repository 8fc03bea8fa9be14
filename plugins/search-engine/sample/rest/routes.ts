import { isJsonObject, type Json, type JsonObject, parseJson } from '@roundhouse/kit'
import * as documents from '../documents/documents.ts'
import * as many from '../documents/many-documents.ts'
import * as scroll from '../search/scroll.ts'
import { count, search } from '../search/search.ts'
import type { Cluster } from '../store/cluster.ts'
import { durationMs } from '../values/durations.ts'
import { Failure, failure, illegalArgument, parsingFailure } from '../values/failure.ts'
import * as administration from './administration.ts'
import * as monitoring from './monitoring.ts'

export interface SampleRequest {
	readonly method: string
	/** Decoded segments. */
	readonly segments: readonly string[]
	readonly parameters: documents.Parameters
	readonly text: string
}

/** `body` is text for `_cat` without `format=json`. */
export interface SampleAnswer {
	readonly status: number
	readonly body: Json | string
	readonly isText?: boolean
}

interface Handling {
	readonly cluster: Cluster
	readonly request: SampleRequest
	/** Values of `:name` in the pattern, in order. */
	readonly names: readonly string[]
	/** Parses the body as JSON. @throws Failure */
	readonly json: () => Json | undefined
	readonly object: () => JsonObject
}

type Handler = (handling: Handling) => SampleAnswer

const ok = (body: Json): SampleAnswer => ({ status: 200, body })
const table = (body: Json | string): SampleAnswer => ({ status: 200, body, isText: typeof body === 'string' })
const freed = (count: number): SampleAnswer => {
	return { status: count > 0 ? 200 : 404, body: { succeeded: true, num_freed: count } }
}
const first = (names: readonly string[]) => names[0] ?? ''
const second = (names: readonly string[]) => names[1] ?? ''

/** The REST calls of the sample: methods, path with `:names`, and handler. The first match wins. */
const routes: readonly (readonly [methods: string, path: string, handler: Handler])[] = [
	['GET HEAD', '', ({ cluster }) => ok(administration.root(cluster))],
	[
		'GET',
		'_cat/indices',
		({ cluster, request }) => table(administration.catIndices(cluster, undefined, request.parameters)),
	],
	[
		'GET',
		'_cat/indices/:index',
		({ cluster, request, names }) => table(administration.catIndices(cluster, first(names), request.parameters)),
	],
	['GET', '_cat/aliases', ({ cluster, request }) => table(administration.catAliases(cluster, request.parameters))],
	['GET', '_cat/health', ({ cluster, request }) => table(administration.catHealth(cluster, request.parameters))],
	['GET', '_cat/nodes', ({ cluster, request }) => table(monitoring.catNodes(cluster, request.parameters))],
	['GET', '_cat/shards', ({ cluster, request }) => table(monitoring.catShards(cluster, undefined, request.parameters))],
	[
		'GET',
		'_cat/shards/:index',
		({ cluster, request, names }) => table(monitoring.catShards(cluster, first(names), request.parameters)),
	],
	['GET POST', '_cluster/allocation/explain', monitoring.explainAllocation],
	['GET', '_cluster/settings', () => ok({ persistent: {}, transient: {} })],
	[
		'GET',
		'_cluster/state/metadata/:index',
		({ cluster, names }) => ok(administration.changeCounts(cluster, first(names))),
	],
	['GET', '_tasks', () => ok(monitoring.tasks())],
	// Without a pipeline, the engine answers so.
	['GET', '_ingest/pipeline', () => ({ status: 404, body: {} })],
	['GET', '_snapshot', () => ok({})],
	['GET', '_index_template', () => ok({ index_templates: [] })],
	['GET', '_component_template', () => ok({ component_templates: [] })],
	['GET', '_template', () => ok({})],
	['GET', ':index/_stats', ({ cluster, names }) => ok(monitoring.statistics(cluster, first(names)))],
	['GET', '_cluster/health', ({ cluster }) => ok(administration.health(cluster, undefined))],
	['GET', '_cluster/health/:index', ({ cluster, names }) => ok(administration.health(cluster, first(names)))],
	['GET', '_alias', ({ cluster }) => ok(administration.aliases(cluster, '_all'))],
	['GET', '_aliases', ({ cluster }) => ok(administration.aliases(cluster, '_all'))],
	['GET', ':index/_alias', ({ cluster, names }) => ok(administration.aliases(cluster, first(names)))],
	['POST', '_aliases', ({ cluster, object }) => ok(administration.changeAliases(cluster, object()))],
	['GET', '_resolve/index/*', ({ cluster }) => ok(administration.resolveAll(cluster))],
	[
		'GET POST',
		'_field_caps',
		({ cluster, request }) => ok(administration.fieldCapabilities(cluster, '_all', request.parameters)),
	],
	[
		'GET POST',
		':index/_field_caps',
		({ cluster, names, request }) => ok(administration.fieldCapabilities(cluster, first(names), request.parameters)),
	],
	['GET', '_data_stream', () => ok({ data_streams: [] })],
	['GET POST', '_analyze', ({ object }) => ok(administration.analyze(object()))],
	['GET POST', ':index/_analyze', ({ object }) => ok(administration.analyze(object()))],
	['GET', '_mapping', ({ cluster }) => ok(administration.mappings(cluster, '_all'))],
	['GET', ':index/_mapping', ({ cluster, names }) => ok(administration.mappings(cluster, first(names)))],
	['PUT POST', ':index/_mapping', putMapping],
	[
		'GET',
		':index/_settings',
		({ cluster, request, names }) =>
			ok(administration.settings(cluster, first(names), { parameters: request.parameters })),
	],
	[
		'GET',
		':index/_settings/:names',
		({ cluster, request, names }) =>
			ok(administration.settings(cluster, first(names), { parameters: request.parameters, names: second(names) })),
	],
	['PUT', ':index/_settings', putSettings],
	[
		'GET POST',
		'_search',
		({ cluster, request, object }) =>
			ok(search(cluster, { expression: undefined, body: searchBody(request, object()) }, optionsOf(request))),
	],
	['GET POST', ':index/_search', handling => ok(searchOrScroll(handling))],
	['GET POST', '_count', ({ cluster, request, object }) => ok(count(cluster, '_all', searchBody(request, object())))],
	[
		'GET POST',
		':index/_count',
		({ cluster, request, names, object }) => ok(count(cluster, first(names), searchBody(request, object()))),
	],
	['GET POST', '_msearch', ({ cluster, request }) => ok(manySearches(cluster, undefined, request.text))],
	[
		'GET POST',
		':index/_msearch',
		({ cluster, request, names }) => ok(manySearches(cluster, first(names), request.text)),
	],
	['GET POST', '_search/scroll', ({ cluster, object }) => ok(scroll.next(cluster, object()))],
	['DELETE', '_search/scroll', ({ cluster, object }) => freed(scroll.clear(cluster, object()))],
	['POST', ':index/_pit', openPoint],
	['DELETE', '_pit', closePoint],
	[
		'GET POST',
		'_mget',
		({ cluster, object, request: { parameters } }) => many.readMany(cluster, undefined, { body: object(), parameters }),
	],
	[
		'GET POST',
		':index/_mget',
		({ cluster, names, object, request: { parameters } }) =>
			many.readMany(cluster, first(names), { body: object(), parameters }),
	],
	[
		'PUT POST',
		'_bulk',
		({ cluster, request }) =>
			many.bulk(cluster, { defaultIndex: undefined, text: request.text, parameters: request.parameters }),
	],
	[
		'PUT POST',
		':index/_bulk',
		({ cluster, request, names }) =>
			many.bulk(cluster, { defaultIndex: first(names), text: request.text, parameters: request.parameters }),
	],
	['GET POST', '_refresh', ({ cluster }) => refresh(cluster, '_all')],
	['GET POST', ':index/_refresh', ({ cluster, names }) => refresh(cluster, first(names))],
	['GET HEAD', ':index/_doc/:id', readDocument],
	['GET HEAD', ':index/_source/:id', readSource],
	[
		'PUT POST',
		':index/_doc/:id',
		({ cluster, request, names, json }) =>
			documents.indexDocument(cluster, {
				name: first(names),
				id: second(names),
				body: json(),
				parameters: request.parameters,
			}),
	],
	[
		'POST',
		':index/_doc',
		({ cluster, request, names, json }) =>
			documents.indexDocument(cluster, {
				name: first(names),
				id: undefined,
				body: json(),
				parameters: request.parameters,
			}),
	],
	['PUT POST', ':index/_create/:id', createDocument],
	[
		'DELETE',
		':index/_doc/:id',
		({ cluster, request, names }) =>
			documents.deleteDocument(cluster, { name: first(names), id: second(names), parameters: request.parameters }),
	],
	[
		'POST',
		':index/_update/:id',
		({ cluster, request, names, json }) =>
			documents.updateDocument(cluster, {
				name: first(names),
				id: second(names),
				body: json(),
				parameters: request.parameters,
			}),
	],
	['PUT', ':index', ({ cluster, names, object }) => ok(administration.createIndex(cluster, first(names), object()))],
	['GET', ':index', ({ cluster, names }) => ok(administration.describeIndices(cluster, first(names)))],
	['HEAD', ':index', ({ cluster, names }) => ok(administration.describeIndices(cluster, first(names)))],
	['DELETE', ':index', deleteIndex],
]

const compiled = routes.map(([methods, path, handler]) => {
	return { methods: methods.split(' '), parts: path === '' ? [] : path.split('/'), handler }
})

export function answer(cluster: Cluster, request: SampleRequest): SampleAnswer {
	try {
		const fitting = compiled.flatMap(route => {
			const names = match(route.parts, request.segments)
			return names === undefined ? [] : [{ ...route, names }]
		})
		const route = fitting.find(({ methods }) => methods.includes(request.method))
		if (route === undefined)
			return unknownRoute(
				request,
				fitting.flatMap(({ methods }) => methods),
			)
		const json = () => bodyOf(request.text)
		const object = () => {
			const body = json() ?? {}
			if (!isJsonObject(body)) throw parsingFailure('Expected [START_OBJECT]')
			return body
		}
		return route.handler({ cluster, request, names: route.names, json, object })
	} catch (error) {
		if (error instanceof Failure) return { status: error.status, body: error.body }
		throw error
	}
}

function match(parts: readonly string[], segments: readonly string[]): string[] | undefined {
	if (parts.length !== segments.length) return undefined
	const names: string[] = []
	for (const [at, part] of parts.entries()) {
		const segment = segments[at] ?? ''
		if (part.startsWith(':')) names.push(segment)
		else if (part !== segment) return undefined
		// The name of an index never begins with an underscore, except `_all`.
		if (part === ':index' && segment.startsWith('_') && segment !== '_all') return undefined
	}
	return names
}

/** Other languages of the engine, by the first part of their path. */
const languages: ReadonlyMap<string, string> = new Map([
	['_query', 'ES|QL'],
	['_sql', 'SQL'],
	['_eql', 'EQL'],
])

function unknownRoute(request: SampleRequest, methods: readonly string[]): SampleAnswer {
	const language = languages.get(request.segments[0] ?? '')
	if (language !== undefined) {
		throw illegalArgument(`This sample has no ${language}, which a real cluster has. Use [_search] here.`)
	}
	const uri = `/${request.segments.join('/')}`
	if (methods.length > 0) {
		const error = `Incorrect HTTP method for uri [${uri}] and method [${request.method}], allowed: [${[...new Set(methods)].join(', ')}]`
		return { status: 405, body: { error, status: 405 } }
	}
	return { status: 400, body: { error: `no handler found for uri [${uri}] and method [${request.method}]` } }
}

function bodyOf(text: string): Json | undefined {
	if (text.trim() === '') return undefined
	try {
		return parseJson(text)
	} catch (error) {
		const reason = error instanceof Error ? error.message : ''
		throw failure(400, { type: 'x_content_parse_exception', reason: `[1:1] ${reason}` })
	}
}

/** Applies the URL parameters that users type in a console: `q`, `size`, `from`, `sort`, `track_total_hits`. */
function searchBody({ parameters }: SampleRequest, body: JsonObject): JsonObject {
	const text = parameters.get('q')
	const sort = parameters
		.get('sort')
		?.split(',')
		.map((key): Json => {
			const [name = '', order = 'asc'] = key.split(':')
			return { [name]: order }
		})
	return {
		...body,
		...(text !== undefined && { query: { query_string: { query: text, lenient: true } } }),
		...(sort !== undefined && { sort }),
		...numberParameter(parameters, 'size'),
		...numberParameter(parameters, 'from'),
		...(parameters.has('track_total_hits') && { track_total_hits: parameters.get('track_total_hits') === 'true' }),
	}
}

function searchOrScroll({ cluster, request, names, object }: Handling): JsonObject {
	const expression = first(names)
	const body = searchBody(request, object())
	const keepAlive = request.parameters.get('scroll')
	const options = optionsOf(request)
	return keepAlive === undefined
		? search(cluster, { expression, body }, options)
		: scroll.begin(cluster, { expression, body, keepAlive, allowsPartial: options.allowsPartial })
}

function optionsOf({ parameters }: SampleRequest) {
	return { allowsPartial: parameters.get('allow_partial_search_results') !== 'false' }
}

function numberParameter(parameters: documents.Parameters, name: string): JsonObject {
	const text = parameters.get(name)
	return text === undefined ? {} : { [name]: Number(text) }
}

function manySearches(cluster: Cluster, index: string | undefined, text: string): JsonObject {
	const lines = text.split('\n').filter(line => line.trim() !== '')
	const responses: JsonObject[] = []
	for (let at = 0; at + 1 < lines.length; at += 2) {
		const header = bodyOf(lines[at] ?? '')
		const body = bodyOf(lines[at + 1] ?? '')
		const name = isJsonObject(header) && header.index !== undefined ? String(header.index) : index
		try {
			const asked = { expression: name, body: isJsonObject(body) ? body : {} }
			responses.push({ ...search(cluster, asked), status: 200 })
		} catch (error) {
			if (!(error instanceof Failure)) throw error
			responses.push(error.body)
		}
	}
	return { took: 1, responses }
}

function openPoint({ cluster, request, names }: Handling): SampleAnswer {
	const keepAlive = request.parameters.get('keep_alive')
	if (keepAlive === undefined) {
		throw failure(400, {
			type: 'action_request_validation_exception',
			reason: 'Validation Failed: 1: [keep_alive] is not specified;',
		})
	}
	return ok({ id: cluster.openPoint(first(names), durationMs(keepAlive)) })
}

function closePoint({ cluster, object }: Handling): SampleAnswer {
	return freed(cluster.closePoint(String(object().id)) ? 1 : 0)
}

function createDocument({ cluster, request, names, json }: Handling): SampleAnswer {
	const parameters = new Map([...request.parameters, ['op_type', 'create']])
	return documents.indexDocument(cluster, { name: first(names), id: second(names), body: json(), parameters })
}

function readDocument({ cluster, request: { parameters }, names }: Handling) {
	return documents.readDocument(cluster, { name: first(names), id: second(names), parameters })
}

function readSource(handling: Handling): SampleAnswer {
	const { names } = handling
	const { status, body } = readDocument(handling)
	if (status === 200 && isJsonObject(body)) return ok(body._source ?? null)
	throw failure(404, {
		type: 'resource_not_found_exception',
		reason: `Document not found [${first(names)}]/[${second(names)}]`,
	})
}

function putMapping({ cluster, names, object }: Handling): SampleAnswer {
	const { properties } = object()
	for (const index of cluster.resolve(first(names)))
		if (isJsonObject(properties)) index.mapping.addProperties(properties)
	return ok({ acknowledged: true })
}

function putSettings({ cluster, names, object }: Handling): SampleAnswer {
	const { index: inner, ...plain } = object()
	const wanted = { ...plain, ...(isJsonObject(inner) ? inner : {}) } as JsonObject
	for (const index of cluster.resolve(first(names))) index.putSettings(wanted)
	return ok({ acknowledged: true })
}

function refresh(cluster: Cluster, expression: string): SampleAnswer {
	const indices = cluster.resolve(expression)
	for (const index of indices) index.refresh()
	return ok({ _shards: { total: indices.length, successful: indices.length, failed: 0 } })
}

function deleteIndex({ cluster, names }: Handling): SampleAnswer {
	for (const index of cluster.resolve(first(names))) {
		cluster.indices.delete(index.name)
		for (const members of cluster.aliases.values()) members.delete(index.name)
	}
	return ok({ acknowledged: true })
}
