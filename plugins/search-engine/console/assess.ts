import {
	type Assessment,
	type Count,
	DriverError,
	isJsonObject,
	type Json,
	type JsonObject,
	parseJson,
} from '@roundhouse/kit'
import { objectOf } from '../transport/answer.ts'
import { pathOf } from '../transport/request-path.ts'
import type { Transport } from '../transport/transport.ts'
import type { JudgedRequest } from './classify.ts'
import { bodyDestroys } from './destroying-body.ts'
import type { ConsoleRequest } from './request.ts'

/**
 * What a request would do, found out by reading: asked before a person consents to it. What cannot be found out is left
 * out, so that a number that is shown is a number that was counted.
 */
export async function assess(transport: Transport, request: JudgedRequest, signal: AbortSignal): Promise<Assessment> {
	if (request.access === 'read') return {}
	const { segments } = request.path
	const [target = '', word = '', id] = segments
	const body = bodyOf(request)
	const counted = (expression: string, query?: Json, search?: string) =>
		countOf(transport, expression, query, search, signal)
	if (segments.includes('_bulk')) return ofBulk(request.body ?? '')
	if (target === '_aliases') return ofAliases(transport, body, signal)
	const mayDelete = bodyDestroys(request, segments)
	if (word === '_update_by_query' || word === '_delete_by_query') {
		const matching = await counted(target, body.query, countParameters(request.path.search))
		const affects = matching && atMost(matching, body.max_docs ?? parameter(request, 'max_docs'))
		if (word === '_update_by_query') return { ...(affects && { affects }), ...(mayDelete && byScript(affects)) }
		return { ...(affects && { affects }), destroys: `${documents(affects)} of ${target}` }
	}
	if (target === '_reindex') {
		const { affects } = await ofReindex(body, counted)
		return { ...(affects && { affects }), ...(mayDelete && byScript(affects)) }
	}
	if (word === '_update' && mayDelete) return { affects: one, ...byScript(one) }
	if (id !== undefined && /^_(doc|update|create)$/.test(word) && segments.length === 3) {
		return { affects: one, ...(await whatIsLost(transport, request, target, id, signal)) }
	}
	if (word === '_doc' && segments.length === 2) return { affects: one }
	return request.method === 'DELETE' ? ofDeletion(transport, request, counted, signal) : {}
}

const one: Count = { value: 1, isExact: true }

type Counter = (expression: string, query?: Json) => Promise<Count | undefined>

async function ofDeletion(
	transport: Transport,
	request: JudgedRequest,
	counted: Counter,
	signal: AbortSignal,
): Promise<Assessment> {
	const { segments } = request.path
	const [target = '', name = ''] = segments
	if (request.access !== 'destructive') return {}
	const isIndex = segments.length === 1 && (!target.startsWith('_') || target === '_all')
	const isStream = target === '_data_stream' && segments.length === 2
	if (!isIndex && !isStream) return { destroys: segments.join('/') }
	const affects = await counted(isIndex ? target : name)
	const what = isIndex ? nameAll(await indicesOf(transport, target, signal), target) : `the data stream ${name}`
	return { ...(affects && { affects }), destroys: `${what} with ${documents(affects)}` }
}

function nameAll(names: readonly string[] | undefined, expression: string): string {
	if (names === undefined) return expression
	if (names.length === 1) return `the index ${names[0]}`
	const shown = names.slice(0, 10).join(', ')
	return `${names.length} indices (${names.length > 10 ? `${shown} and others` : shown})`
}

/** A replaced or deleted document, if there is one. */
async function whatIsLost(
	transport: Transport,
	request: ConsoleRequest,
	index: string,
	id: string,
	signal: AbortSignal,
): Promise<Pick<Assessment, 'destroys'>> {
	const [, word] = request.path.segments
	const isReplaced = word === '_doc' && request.method !== 'DELETE' && parameter(request, 'op_type') !== 'create'
	if (request.method === 'DELETE') return { destroys: `the document ${id} of ${index}` }
	if (!isReplaced) return {}
	const routing = parameter(request, 'routing')
	const search = `_source=false${routing === undefined ? '' : `&routing=${encodeURIComponent(routing)}`}`
	const answer = await asked(transport, { method: 'GET', path: pathOf(index, '_doc', id), search }, signal)
	return answer?.found === true ? { destroys: `what the document ${id} of ${index} holds now` } : {}
}

/** What a script does to a document cannot be told from its text. */
function byScript(affects: Count | undefined): Pick<Assessment, 'destroys'> {
	return { destroys: `${documents(affects)}, if its script deletes what it visits` }
}

/** The indices that go, where the actions can be read. */
async function ofAliases(transport: Transport, { actions }: JsonObject, signal: AbortSignal): Promise<Assessment> {
	const removed = (Array.isArray(actions) ? actions : []).flatMap(action => {
		const removal = isJsonObject(action) ? action.remove_index : undefined
		if (!isJsonObject(removal)) return []
		return [removal.index, removal.indices].flat().filter(name => typeof name === 'string')
	})
	if (removed.length === 0) return {}
	const expression = removed.join(',')
	const affects = await countOf(transport, expression, undefined, undefined, signal)
	const what = nameAll(await indicesOf(transport, expression, signal), expression)
	return { ...(affects && { affects }), destroys: `${what} with ${documents(affects)}` }
}

async function ofReindex({ source }: JsonObject, counted: Counter): Promise<Assessment> {
	if (!isJsonObject(source) || source.remote !== undefined) return {}
	const index = Array.isArray(source.index) ? source.index.join(',') : source.index
	const affects = typeof index === 'string' ? await counted(index, source.query) : undefined
	return { ...(affects && { affects }) }
}

/** Each action has a line, and all but `delete` a document behind it. */
function ofBulk(lines: string): Assessment {
	let [actions, deletions, isDocument] = [0, 0, false]
	for (const line of lines.split('\n')) {
		if (line.trim() === '') continue
		const isDeletion = !isDocument && /^\s*\{\s*"delete"/.test(line)
		if (!isDocument) actions++
		if (isDeletion) deletions++
		isDocument = !isDocument && !isDeletion
	}
	const affects = { value: actions, isExact: true }
	return deletions === 0 ? { affects } : { affects, destroys: documents({ value: deletions, isExact: true }) }
}

async function countOf(
	transport: Transport,
	expression: string,
	query: Json | undefined,
	search: string | undefined,
	signal: AbortSignal,
): Promise<Count | undefined> {
	const body = query === undefined ? {} : { body: { query } }
	const parameters = search === undefined ? {} : { search }
	const request = { method: 'POST', path: `${pathOf(expression)}/_count`, ...body, ...parameters } as const
	const answer = await asked(transport, request, signal)
	if (answer === undefined || typeof answer.count !== 'number') return undefined
	const failed = isJsonObject(answer._shards) ? answer._shards.failed : 0
	return { value: answer.count, isExact: failed === 0 }
}

async function indicesOf(
	transport: Transport,
	expression: string,
	signal: AbortSignal,
): Promise<readonly string[] | undefined> {
	const answer = await asked(
		transport,
		{ method: 'GET', path: `${pathOf(expression)}/_settings`, search: 'filter_path=*.settings.index.uuid' },
		signal,
	)
	const names = Object.keys(answer ?? {})
	return names.length > 0 ? names : undefined
}

/** A question that the engine will not answer leaves a gap in the estimate, and nothing else. */
async function asked(
	transport: Transport,
	request: Omit<Parameters<Transport['send']>[0], 'isRead'>,
	signal: AbortSignal,
): Promise<JsonObject | undefined> {
	try {
		const answer = (await transport.send({ ...request, isRead: true }, signal)).json()
		return isJsonObject(answer) ? answer : undefined
	} catch (error) {
		if (error instanceof DriverError && !signal.aborted) return undefined
		throw error
	}
}

/** The parameters of a by-query request that decide what it matches. */
function countParameters(search: string): string {
	const kept =
		'q df default_operator analyzer analyze_wildcard lenient routing preference ignore_unavailable allow_no_indices expand_wildcards'
	const names = new Set(kept.split(' '))
	return search
		.split('&')
		.filter(pair => names.has(pair.split('=')[0] ?? ''))
		.join('&')
}

function parameter({ path }: ConsoleRequest, name: string): string | undefined {
	return new URLSearchParams(path.search).get(name) ?? undefined
}

function atMost(count: Count, limit: Json | undefined): Count {
	const most = limit === undefined ? Number.NaN : Number(limit)
	return most < count.value ? { ...count, value: most } : count
}

function documents(count: Count | undefined): string {
	if (count === undefined) return 'all its documents'
	const number = `${count.isExact ? '' : 'at least '}${count.value.toLocaleString('en')}`
	return `${number} ${count.value === 1 ? 'document' : 'documents'}`
}

function bodyOf({ path, body }: ConsoleRequest): JsonObject {
	if (body === undefined || path.segments.includes('_bulk')) return {}
	return objectOf(parseJson(body))
}
