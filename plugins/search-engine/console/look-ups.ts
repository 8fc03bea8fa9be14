import { type Count, DriverError, isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { objectOf } from '../transport/answer.ts'
import type { ClusterConnection } from '../transport/cluster-connection.ts'
import { bareWords, EngineError } from '../transport/engine-error.ts'
import type { EngineRequest } from '../transport/engine-request.ts'
import { matchesPattern } from '../transport/pattern.ts'
import { searchOf } from '../transport/query-string.ts'
import { pathOf } from '../transport/request-path.ts'
import type { Transport } from '../transport/transport.ts'

/** The documents to count, described with the index expression, query and parameters of the assessed request. */
export interface Counted {
	readonly expression: string
	readonly query?: Json | undefined
	/** Encoded, without `?`. */
	readonly search?: string
}

/** What a query matches. */
export interface Matched {
	readonly total: number
	/** Number of documents by index. */
	readonly indices: ReadonlyMap<string, number>
	/** Some of the documents. */
	readonly ids: readonly { readonly index: string; readonly id: string }[]
}

/** Documents that a question names. */
const mostIds = 10
/** Indices that an effect lists. */
const mostMatchedIndices = 100

interface Computed {
	/** Names of fields. */
	readonly fields: readonly string[]
	readonly filters: readonly Json[]
}

export interface Indices {
	readonly names: readonly string[]
	/** Whether a count includes all writes, except those of the last second. */
	readonly areSearchable: boolean
}

/** What a name stands for that a request writes to. */
export interface Written {
	/** The id of the index, if the name is that of one existing index, and not an alias or a pattern. */
	readonly uuid: string | undefined
	/** Whether the engine reports that no index has this name. */
	readonly isAbsent: boolean
	/** The pipelines that process each document, or `undefined` if the engine does not say. */
	readonly pipelines: Pipelines | undefined
}

export interface Pipelines {
	/** Used by requests that name no pipeline. */
	readonly byDefault: readonly string[]
	readonly final: readonly string[]
}

/**
 * Read requests to the engine before a write, on separate sockets. Each returns `undefined` if the engine does not
 * answer, and at once after the signal aborts: then the text alone decides what is stated.
 */
export class LookUps {
	readonly #transport: Transport
	readonly #signal: AbortSignal
	readonly isServerless: boolean

	constructor({ transport, engine }: ClusterConnection, signal: AbortSignal) {
		this.#transport = transport
		this.isServerless = engine.isServerless
		this.#signal = signal
	}

	async count({ expression, query, search = '' }: Counted): Promise<Count | undefined> {
		const body = query === undefined ? {} : { body: { query } }
		const answer = await this.#ask(() => ({ method: 'POST', path: `${pathOf(expression)}/_count`, search, ...body }))
		if (answer === undefined || typeof answer.count !== 'number') return undefined
		const failed = isJsonObject(answer._shards) ? answer._shards.failed : 0
		return { value: answer.count, isExact: failed === 0 }
	}

	/**
	 * Returns the documents that a query matches, read by one search. `undefined` also if a part of the answer is missing.
	 */
	async matched({ expression, query, search = '' }: Counted): Promise<Matched | undefined> {
		const aggs = { indices: { terms: { field: '_index', size: mostMatchedIndices } } }
		const body = { size: mostIds, track_total_hits: true, _source: false, aggs, ...(query !== undefined && { query }) }
		const answer = await this.#ask(() => ({ method: 'POST', path: `${pathOf(expression)}/_search`, search, body }))
		if (answer === undefined || answer.timed_out !== false || objectOf(answer._shards).failed !== 0) return undefined
		const { total, hits } = objectOf(answer.hits)
		const { value, relation } = objectOf(total)
		const { buckets, sum_other_doc_count: others } = objectOf(objectOf(answer.aggregations).indices)
		if (typeof value !== 'number' || relation !== 'eq' || (others ?? 0) !== 0) return undefined
		const indices = listOf(buckets).map(({ key, doc_count: count }) => [String(key), Number(count)] as const)
		// An index in which nothing matches has no bucket, and with no index at all there is no aggregation.
		if (indices.reduce((sum, [, count]) => sum + count, 0) !== value) return undefined
		const ids = listOf(hits).map(({ _index: index, _id: id }) => ({ index: String(index), id: String(id) }))
		return { total: value, indices: new Map(indices), ids }
	}

	/** Returns the names and ids of the indices that an expression stands for. An index that was made again has another id. */
	async identities(expression: string, search: string): Promise<readonly string[] | undefined> {
		const wanted = withPart(search, 'filter_path=*.settings.index.uuid')
		const answer = await this.#ask(() => ({ method: 'GET', path: `${pathOf(expression)}/_settings`, search: wanted }))
		const found = Object.entries(answer ?? {}).map(([name, index]) => {
			const { uuid } = indexSettings(objectOf(index).settings)
			return typeof uuid === 'string' ? `${name} ${uuid}` : undefined
		})
		const known = found.filter(identity => identity !== undefined)
		return known.length > 0 && known.length === found.length ? known.toSorted() : undefined
	}

	/**
	 * Returns what the indices of an expression add to a query on them: fields that a script computes for each search, and
	 * the filters of aliases. `undefined` if the engine does not say.
	 */
	async computed(expression: string, search: string): Promise<Computed | undefined> {
		const find = (word: string, filter: string) =>
			this.#find(() => ({
				method: 'GET',
				path: `${pathOf(expression)}/${word}`,
				search: withPart(search, `filter_path=${filter}`),
			}))
		const [mappings, aliases] = await Promise.all([
			find('_mapping', '*.mappings.runtime'),
			find('_alias', '*.aliases.*.filter'),
		])
		if (typeof mappings !== 'object' || typeof aliases !== 'object') return undefined
		const runtime = Object.values(mappings).flatMap(index =>
			Object.entries(objectOf(objectOf(objectOf(index).mappings).runtime)),
		)
		return {
			fields: runtime.flatMap(([name, field]) => (objectOf(field).script === undefined ? [] : [name])),
			filters: Object.values(aliases).flatMap(index =>
				Object.values(objectOf(objectOf(index).aliases)).map(alias => objectOf(alias).filter ?? {}),
			),
		}
	}

	/** Returns the indices that match an expression. */
	async indices(expression: string, search: string): Promise<Indices | undefined> {
		const wanted = withPart(search, 'filter_path=*.settings.index.uuid,*.settings.index.refresh_interval')
		const answer = await this.#ask(() => ({ method: 'GET', path: `${pathOf(expression)}/_settings`, search: wanted }))
		const indices = Object.entries(answer ?? {})
		if (indices.length === 0) return undefined
		const defaultInterval = this.isServerless ? '5s' : '1s'
		const areSearchable = indices.every(([, index]) => isRefreshed(index, defaultInterval))
		return { names: indices.map(([name]) => name).toSorted(), areSearchable }
	}

	/** Returns what a write to an index, an alias or a pattern reaches. */
	async written(expression: string): Promise<Written> {
		const found = await this.#find(() => ({
			method: 'GET',
			path: `${pathOf(expression)}/_settings`,
			search: `filter_path=${settingsOf('*.settings.index', ['uuid', ...pipelineSettings])}`,
		}))
		if (found === missingIndex) {
			return { uuid: undefined, isAbsent: true, pipelines: await this.#pipelinesOfNew(expression) }
		}
		if (typeof found !== 'object') return { uuid: undefined, isAbsent: false, pipelines: undefined }
		const indices = Object.entries(found).map(
			([name, index]) => [name, indexSettings(objectOf(index).settings)] as const,
		)
		const [[name, { uuid }] = ['', {}], ...others] = indices
		const isConcrete = others.length === 0 && name === expression && typeof uuid === 'string'
		return {
			uuid: isConcrete ? String(uuid) : undefined,
			isAbsent: false,
			pipelines: pipelinesOf(indices.map(([, settings]) => settings)),
		}
	}

	/** Returns the pipelines that templates give to an index that the write creates. */
	async #pipelinesOfNew(name: string): Promise<Pipelines | undefined> {
		// A template matches the resolved name of date math, which only the engine knows.
		if (name.startsWith('<')) return undefined
		const [simulated, legacy] = await Promise.all([
			this.#find(() => ({
				method: 'POST',
				path: pathOf('_index_template', '_simulate_index', name),
				search: `filter_path=${settingsOf('template.settings.index', pipelineSettings)}`,
			})),
			this.#legacyTemplates(),
		])
		if (simulated === undefined || legacy === undefined) return undefined
		const templates = Object.values(typeof legacy === 'object' ? legacy : {}).map(objectOf)
		const matching = templates.filter(({ index_patterns: patterns }) =>
			[patterns].flat().some(pattern => typeof pattern === 'string' && matchesPattern(name, pattern)),
		)
		const composed = typeof simulated === 'object' ? [objectOf(simulated.template)] : []
		return pipelinesOf([...composed, ...matching].map(({ settings }) => indexSettings(settings)))
	}

	/** Serverless has no templates of this kind. */
	async #legacyTemplates(): Promise<JsonObject | Missing | undefined> {
		if (this.isServerless) return missing
		return this.#find(() => ({
			method: 'GET',
			path: '/_template',
			search: `filter_path=*.index_patterns,${settingsOf('*.settings.index', pipelineSettings)}`,
		}))
	}

	/**
	 * Returns whether a document exists, or `undefined` if the engine does not say, for example for an alias of several
	 * indices.
	 */
	async isThere(index: string, id: string, routing?: string): Promise<boolean | undefined> {
		const search = searchOf([['_source', 'false'], ...(routing === undefined ? [] : [['routing', routing] as const])])
		const found = await this.#find(() => ({ method: 'GET', path: pathOf(index, '_doc', id), search }))
		if (found === missing || found === missingIndex) return false
		return typeof found === 'object' && found.found === true ? true : undefined
	}

	/** Returns what a path contains, `false` if it contains nothing, or `undefined` if the engine does not say. */
	async at(...segments: readonly string[]): Promise<JsonObject | false | undefined> {
		const found = await this.#find(() => ({ method: 'GET', path: pathOf(...segments) }))
		return found === undefined || typeof found === 'object' ? found : false
	}

	async #ask(requestOf: () => LookUp): Promise<JsonObject | undefined> {
		const found = await this.#find(requestOf)
		return typeof found === 'object' ? found : undefined
	}

	/** Returns an answer, or what the engine says is missing. */
	async #find(requestOf: () => LookUp): Promise<JsonObject | Missing | undefined> {
		try {
			const request = { ...requestOf(), isRead: true, isLookUp: true }
			const answer = (await this.#transport.send(request, this.#signal)).json()
			return isJsonObject(answer) ? answer : undefined
		} catch (error) {
			if (!(error instanceof DriverError)) throw error
			if (!(error instanceof EngineError)) return undefined
			// Older versions of 7.x do not have the endpoint, and so nothing behind it.
			if (error.type === bareWords) return missing
			if (error.status !== 404) return undefined
			return error.type === 'index_not_found_exception' ? missingIndex : missing
		}
	}
}

/** Returns a query string with one more parameter, both encoded. */
const withPart = (search: string, part: string) => (search === '' ? part : `${search}&${part}`)

const listOf = (json: Json | undefined): readonly JsonObject[] => (Array.isArray(json) ? json.map(objectOf) : [])

type LookUp = Omit<EngineRequest, 'isRead' | 'isLookUp'>

/**
 * Returns whether the index is refreshed at least every second. With the default interval, an idle index is not
 * refreshed periodically, but the count request itself refreshes it.
 */
function isRefreshed(index: Json, defaultInterval: string): boolean {
	const { refresh_interval: interval = defaultInterval } = indexSettings(objectOf(index).settings)
	return /^(?:1s|1000ms|\d{1,3}ms)$/.test(String(interval))
}

const pipelineSettings = ['default_pipeline', 'final_pipeline']

function settingsOf(place: string, names: readonly string[]): string {
	return names.map(name => `${place}.${name}`).join(',')
}

function indexSettings(settings: Json | undefined): JsonObject {
	return objectOf(objectOf(settings).index)
}

function pipelinesOf(indices: readonly JsonObject[]): Pipelines {
	const named = (setting: string) => [...new Set(indices.flatMap(index => pipelineNamed(index[setting]) ?? []))]
	return { byDefault: named('default_pipeline'), final: named('final_pipeline') }
}

/** Returns the pipeline that a setting or a parameter names. `_none` means no pipeline. */
export function pipelineNamed(name: Json | undefined): string | undefined {
	return typeof name !== 'string' || name === '' || name === '_none' ? undefined : name
}

const missing = 'missing'
const missingIndex = 'missing index'
type Missing = typeof missing | typeof missingIndex
