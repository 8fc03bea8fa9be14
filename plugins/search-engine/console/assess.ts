import { type Assessment, type Call, type Count, type JsonObject, parseJson, rowsOfEffect } from '@roundhouse/kit'
import { objectOf } from '../transport/answer.ts'
import type { ClusterConnection } from '../transport/cluster-connection.ts'
import { Deadline } from '../transport/deadline.ts'
import { named } from '../transport/engine-words.ts'
import { matchesPattern } from '../transport/pattern.ts'
import type { Engine } from '../transport/product.ts'
import { parameterMap, searchOf } from '../transport/query-string.ts'
import { beforeAnId } from '../transport/request-path.ts'
import { aliasActions, lostProperties } from './alias-losses.ts'
import { assessBulk } from './bulk-losses.ts'
import { type ClassifiedRequest, hasOneReading, isTypedName } from './classify.ts'
import { bodyDestroys } from './destroying-body.ts'
import { addedDocuments, effectByQuery, targetDigest } from './effect-by-query.ts'
import { grantOf } from './grant-target.ts'
import { type Indices, LookUps } from './look-ups.ts'
import { allDocuments, byScript, destroying, scopeOf, selectedByPipelines, someDocuments, untried } from './losses.ts'
import { replacedObject } from './replaced-object.ts'
import type { ConsoleRequest } from './request.ts'
import { isSteady } from './steady-query.ts'

/** Less than the five seconds for which the host waits, so that what the text alone shows is stated in time. */
const lookUpLimitMs = 4_000

/**
 * Runs an assessment with look-ups that end in time. Look-ups that are late, fail or are aborted return nothing, and the
 * assessment then states what the text alone shows.
 */
export async function withLookUps(
	cluster: ClusterConnection,
	{ signal }: Pick<Call, 'signal'>,
	assess: (lookUps: LookUps) => Promise<Assessment>,
): Promise<Assessment> {
	using deadline = new Deadline(signal, lookUpLimitMs)
	return await assess(new LookUps(cluster, deadline.signal))
}

/**
 * Estimates the effect of a request with read requests only, for the user's consent. Omits every number that is not
 * certain, but no loss that is possible.
 */
export async function assess(lookUps: LookUps, request: ClassifiedRequest, engine: Engine): Promise<Assessment> {
	if (request.access === 'read') return {}
	const { segments, search } = request.path
	const parameters = parameterMap(search)
	// Without an id in the path, the engine uses the id from the query string.
	const [target = '', word = '', id = parameters.get('id')] = segments
	// The engine uses this parameter as the body, whatever body is sent.
	if (parameters.has('source')) return { destroys: 'what the parameter source selects, instead of the body' }
	if (!hasOneReading(request.path)) return { destroys: 'what a proxy in between finds, if it decodes this path' }
	const pipeline = parameters.get('pipeline')
	if (segments.includes('_bulk')) {
		const hasGrant = grantOf(request) !== undefined
		const index = target.startsWith('_') ? (parameters.get('index') ?? '') : target
		return assessBulk(lookUps, { lines: request.body ?? '', target: index, pipeline, hasGrant })
	}
	const body = bodyOf(request)
	if (target === '_aliases') return ofAliases(lookUps, body)
	if (/^_alias(?:es)?$/.test(word) && request.access === 'write' && segments.length === 3) {
		return destroying(await lostProperties(lookUps, [{ index: target, alias: segments[2] ?? '' }]))
	}
	if (word === '_update_by_query' || word === '_delete_by_query') return ofByQuery(lookUps, request, body)
	if (target === '_reindex') return ofReindex(lookUps, request, body)
	if (isTypedName(segments, engine)) return {}
	if (beforeAnId.has(word) && segments.length <= 3 && (id !== undefined || word === '_doc')) {
		return { affects: one, ...(await ofDocument(lookUps, request, { index: target, word, id })) }
	}
	if (request.method === 'DELETE') return ofDeletion(lookUps, request)
	const replaced = await replacedObject(lookUps, request)
	return replaced === undefined ? {} : { destroys: replaced }
}

const one: Count = { value: 1, isExact: true }

/** There is no transaction to try a request in: what it changes is what its query matches right before it runs. */
async function ofByQuery(lookUps: LookUps, request: ConsoleRequest, body: JsonObject): Promise<Assessment> {
	const { segments, search } = request.path
	const [expression = '', word] = segments
	const isUpdate = word === '_update_by_query'
	const [effect, written] = await Promise.all([
		effectByQuery(lookUps, { expression, search, body }, isUpdate ? 'updated' : 'deleted'),
		isUpdate ? lookUps.written(expression) : undefined,
	])
	const affects: Count | undefined = effect && { value: rowsOfEffect(effect), isExact: true }
	if (!isUpdate)
		return effect
			? { effect }
			: { destroys: `an unknown number of documents of ${named(expression)}`, unrehearsed: untried.matches }
	const hasScript = body.script !== undefined
	const changed = `the current values of fields that the script changes, in ${someDocuments(affects)} of ${named(expression)}`
	const pipelines = written ? selectedByPipelines(expression, written, parameterMap(search).get('pipeline')) : []
	const losses = [...(bodyDestroys(request, segments) ? [byScript(affects)] : hasScript ? [changed] : []), ...pipelines]
	if (effect && losses.length === 0) return { effect }
	const unrehearsed = hasScript ? untried.script : pipelines.length > 0 ? untried.pipeline : untried.matches
	return { ...(affects && { affects }), ...destroying(losses), unrehearsed }
}

interface DocumentOf {
	readonly index: string
	readonly word: string
	readonly id: string | undefined
}

/** Assesses a request that writes or deletes one document. */
async function ofDocument(
	lookUps: LookUps,
	request: ClassifiedRequest,
	{ index, word, id }: DocumentOf,
): Promise<Assessment> {
	const { method, path } = request
	if (method === 'DELETE') return { destroys: `the document ${named(id ?? '')} of ${named(index)}` }
	const parameters = parameterMap(path.search)
	const mayReplace = word === '_doc' && id !== undefined && parameters.get('op_type') !== 'create'
	const [written, isThere] = await Promise.all([
		lookUps.written(index),
		mayReplace ? lookUps.isThere(index, id, parameters.get('routing')) : false,
	])
	const isScripted = word === '_update' && bodyDestroys(request, path.segments)
	const content = `the current content of document ${named(id ?? '')} of ${named(index)}`
	const losses = [
		...(isScripted ? [byScript(one)] : []),
		...(isThere === false ? [] : [isThere ? content : `${content}, if it exists`]),
		...selectedByPipelines(index, written, parameters.get('pipeline')),
	]
	const hasScope = losses.length === 0 && grantOf(request) !== undefined
	return {
		...destroying(losses),
		...(isScripted && { unrehearsed: untried.script }),
		...(hasScope && scopeOf(word === '_update' ? 'change' : 'add', written)),
	}
}

async function ofDeletion(lookUps: LookUps, { access, path }: ClassifiedRequest): Promise<Assessment> {
	const { segments, search } = path
	const [target = '', name = ''] = segments
	if (access !== 'destructive') return {}
	const isIndex = segments.length === 1 && (!target.startsWith('_') || target === '_all')
	const isStream = target === '_data_stream' && segments.length === 2
	if (!isIndex && !isStream) return { destroys: segments.map(named).join('/') }
	const parameters = parameterMap(search)
	const meant = {
		expand_wildcards: parameters.get('expand_wildcards') || (isIndex ? 'open,closed' : 'open'),
		...(parameters.has('allow_no_indices') && { allow_no_indices: parameters.get('allow_no_indices') ?? '' }),
	}
	const expression = isIndex ? target : name
	if (isIndex && takesAll(expression)) return { destroys: allIndices(expression) }
	const stream = `the data stream ${named(name)}`
	// A pattern of data streams would also count indices. Without `ignore_unavailable`, a closed index prevents a count.
	if (!isIndex && /[*,]/.test(name)) return { destroys: `${stream} with ${allDocuments(undefined)}` }
	const counted = await lookUps.count({ expression, search: searchOf(Object.entries(meant)) })
	const ignored = parameters.get('ignore_unavailable')
	const looked = { ...meant, ...(ignored !== undefined && { ignore_unavailable: ignored }) }
	const indices = await lookUps.indices(expression, searchOf(Object.entries(looked)))
	// A pattern also matches indices by their aliases, but a deletion does not.
	const isByAlias = isIndex && indices !== undefined && !areMeant(indices.names, expression)
	const affects = isByAlias ? undefined : atLeast(counted, indices)
	const what = isIndex ? nameAll(isByAlias ? undefined : indices, expression) : stream
	return { ...(affects && { affects }), destroys: `${what} with ${allDocuments(affects)}` }
}

/** Unlike any other pattern, `_all` and `*` delete closed and hidden indices too, which a look-up omits. */
function takesAll(expression: string): boolean {
	return expression.split(',').some(part => /^(?:_all|\*+)$/.test(part))
}

function allIndices(expression: string): string {
	return `all indices of ${named(expression)}, also closed and hidden ones, with all their documents`
}

function areMeant(names: readonly string[], expression: string): boolean {
	if (!expression.includes('*')) return true
	return names.every(name => expression.split(',').some(pattern => matchesPattern(name, pattern)))
}

/** A search does not show all documents of an index that is seldom or never refreshed. */
function atLeast(count: Count | undefined, indices: Indices | undefined): Count | undefined {
	return count && { ...count, isExact: count.isExact && indices?.areSearchable === true }
}

function nameAll(indices: Indices | undefined, expression: string): string {
	if (indices === undefined) return named(expression)
	const { names } = indices
	if (names.length === 1) return `the index ${named(names[0] ?? '')}`
	const shown = names.slice(0, 10).map(named).join(', ')
	return `${names.length} indices (${names.length > 10 ? `${shown} and others` : shown})`
}

/** Assesses a `POST /_aliases`. */
async function ofAliases(lookUps: LookUps, body: JsonObject): Promise<Assessment> {
	const { added, removed, removedIndices } = aliasActions(body)
	const losses = [...(await lostProperties(lookUps, [...added, ...removed]))]
	if (removedIndices.length === 0) return destroying(losses)
	const expression = removedIndices.join(',')
	if (removedIndices.some(takesAll)) return destroying([allIndices(expression), ...losses])
	const counted = await lookUps.count({ expression })
	const indices = await lookUps.indices(expression, '')
	const affects = atLeast(counted, indices)
	const what = `${nameAll(indices, expression)} with ${allDocuments(affects)}`
	return { ...(affects && { affects }), ...destroying([what, ...losses]) }
}

/** Returns what `_reindex` copies and what it replaces: documents of the destination with the same ids. */
async function ofReindex(lookUps: LookUps, request: ConsoleRequest, body: JsonObject): Promise<Assessment> {
	const { path } = request
	const { source, dest, ...others } = body
	const { index, query, ...narrowing } = objectOf(source)
	const { index: into, op_type: kind, pipeline } = objectOf(dest)
	const reached = typeof into === 'string' ? lookUps.written(into) : undefined
	const expression = Array.isArray(index) ? index.join(',') : index
	const isWhole = hasOnly(narrowing, ['_source', 'size']) && hasOnly(others, ['script', 'conflicts'])
	const isCountable = isWhole && !parameterMap(path.search).has('max_docs') && isSteady(query)
	const [matched, place] =
		isCountable && typeof expression === 'string'
			? await Promise.all([lookUps.matched({ expression, query }), targetDigest(lookUps, { expression, query })])
			: []
	const affects: Count | undefined = matched && { value: matched.total, isExact: true }
	const written = await reached
	const replaces = kind !== 'create' && written?.isAbsent === false
	const replaced = `the current content of each document in ${named(String(into))} that has the same id as a copied document`
	const pipelines = written
		? selectedByPipelines(String(into), written, typeof pipeline === 'string' ? pipeline : undefined)
		: []
	const losses = [
		...(replaces ? [replaced] : []),
		...(bodyDestroys(request, path.segments) ? [byScript(affects)] : []),
		...pipelines,
	]
	const hasScript = body.script !== undefined
	if (matched && place !== undefined && losses.length === 0 && !hasScript && written)
		return { effect: addedDocuments(matched, String(into), `${place} ${written.uuid ?? ''}`) }
	const unrehearsed = hasScript
		? untried.script
		: pipelines.length > 0
			? untried.pipeline
			: replaces
				? untried.replacement
				: untried.matches
	return { ...(affects && { affects }), ...destroying(losses), unrehearsed }
}

/** Any other member may change how many documents are copied. */
function hasOnly(members: JsonObject, known: readonly string[]): boolean {
	return Object.keys(members).every(name => known.includes(name))
}

function bodyOf({ path, body }: ConsoleRequest): JsonObject {
	if (body === undefined || path.segments.includes('_bulk')) return {}
	return objectOf(parseJson(body))
}
