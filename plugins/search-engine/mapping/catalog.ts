import {
	isJsonObject,
	type Json,
	type JsonObject,
	type Table,
	type TableCondition,
	type TableDescription,
	type TableDetail,
} from '@roundhouse/kit'
import { EngineError } from '../transport/engine-error.ts'
import { pathOf } from '../transport/request-path.ts'
import type { Transport } from '../transport/transport.ts'
import { columnsOf } from './columns.ts'
import { stateOfColour } from './health.ts'
import { settingsPath } from './index-settings.ts'
import { type Mapping, readMapping } from './mapping.ts'
import { rowCounts } from './row-counts.ts'
import { readSources, type Source } from './sources.ts'
import { datedIndices, searchableMapping, visibleIndices } from './visible-indices.ts'

const namesLiveMs = 30_000
const smallMappingBytes = 4_000_000
const mappingsKept = 100
/**
 * Long enough for a user who sorts and filters. After a change by another client, the new mapping shows within this
 * time.
 */
const mappingLivesMs = 10_000

/**
 * Provides the indices of a cluster and their mappings. A mapping is cached for a time, or until this connection sends
 * a write. A description and a reload read it again. Completion accepts any cached mapping.
 */
export class Catalog {
	readonly #transport: Transport
	/** Mappings in the order in which they were read. */
	readonly #mappings = new Map<string, Known>()
	#listsOnlyVisible = false
	readonly #sources = new Recent<readonly Source[]>()
	readonly #timed = new Recent<readonly string[]>()
	#listed: { readonly tables: readonly Table[]; readonly at: number } | undefined

	constructor(transport: Transport) {
		this.#transport = transport
	}

	/** Returns the concrete indices except those that begin with `.`; no aliases, no data streams (contract, part B). */
	async tables(signal: AbortSignal): Promise<Table[]> {
		// The new list may have new indices, and new names for them. First, so that what is read beside it is kept.
		this.#sources.drop()
		this.#timed.drop()
		const [rows, counts] = await Promise.all([this.#list(signal), rowCounts(this.#transport, signal)])
		const listed = Array.isArray(rows) ? rows.filter(isJsonObject) : []
		const assignsReplicas = listed.some(row => row.health === 'green' && (readCount(row.rep) ?? 0) > 0)
		const tables = listed.flatMap(row => readRow(row, { counts, assignsReplicas }))
		this.#listed = { tables, at: performance.now() }
		return tables
	}

	/** Returns the rows of `_cat/indices`, or only names if the credential may not see more. */
	async #list(signal: AbortSignal): Promise<Json> {
		const search =
			'format=json&bytes=b&h=index,health,status,docs.count,store.size,pri,rep,creation.date.string&s=index'
		const refused = async () => {
			const indices = await visibleIndices(this.#transport, signal)
			this.#listsOnlyVisible = true
			return indices.map(({ name, isClosed }) => ({ index: name, ...(isClosed && { status: 'close' }) }))
		}
		return orIfRefused(async () => {
			const request = { method: 'GET', path: '/_cat/indices', search, isRead: true } as const
			const rows = (await this.#transport.send(request, signal)).json()
			this.#listsOnlyVisible = false
			return rows
		}, refused)
	}

	/** Whether the last list has only the indices that the credential may use, without their sizes and health. */
	get listsOnlyVisible(): boolean {
		return this.#listsOnlyVisible
	}

	/** Returns names for completion, from the last list unless it is stale. */
	async names(signal: AbortSignal): Promise<readonly string[]> {
		return (await this.listed(signal)).map(({ name }) => name)
	}

	/** Returns the last list of indices, read again if it is stale. */
	async listed(signal: AbortSignal): Promise<readonly Table[]> {
		const isFresh = this.#listed !== undefined && performance.now() - this.#listed.at < namesLiveMs
		if (!isFresh) await this.tables(signal)
		return this.#listed?.tables ?? []
	}

	/** Returns aliases and data streams for completion, from the last list unless it is stale. */
	sources(signal: AbortSignal): Promise<readonly Source[]> {
		return this.#sources.get(() => readSources(this.#transport, signal))
	}

	/** Returns the open indices with a date `@timestamp`, from the last answer unless it is stale. */
	timed(signal: AbortSignal): Promise<readonly string[]> {
		return this.#timed.get(() => datedIndices(this.#transport, '@timestamp', signal))
	}

	/**
	 * Returns the fields of a pattern, a list of names, or of all indices (''), for completion. The engine merges them, so
	 * that it sends no mapping of each index. @throws DriverError if they are too many
	 */
	async smallFields(expression: string, signal: AbortSignal): Promise<Mapping> {
		const known = this.#mappings.get(expression)
		if (known !== undefined && performance.now() - known.at < namesLiveMs) return known.mapping
		return this.#keep(expression, false, async () => {
			const asked = { table: expression, maxAnswerBytes: smallMappingBytes }
			const answer = await searchableMapping(this.#transport, asked, signal)
			return { ...readMapping(answer), isInferred: true }
		})
	}

	async describe(table: string, signal: AbortSignal): Promise<TableDescription> {
		const mapping = await this.refresh(table, signal)
		return { name: table, columns: columnsOf(mapping), definition: mapping.definition }
	}

	/** Returns the mapping that was read last, if any. */
	known(table: string): Mapping | undefined {
		return this.#mappings.get(table)?.mapping
	}

	/** Returns the cached mapping if it is recent, otherwise reads it. */
	async mapping(table: string, signal: AbortSignal): Promise<Mapping> {
		return this.recent(table) ?? this.refresh(table, signal)
	}

	/** Returns the cached mapping if it is recent. */
	recent(table: string): Mapping | undefined {
		const known = this.#mappings.get(table)
		if (!known?.isWhole || known.writes !== this.#transport.writes) return undefined
		return performance.now() - known.at < mappingLivesMs ? known.mapping : undefined
	}

	/**
	 * Returns a mapping for completion. Reads one that is not cached only if it is small. @throws DriverError if it is
	 * not
	 */
	async smallMapping(table: string, signal: AbortSignal): Promise<Mapping> {
		const known = this.#mappings.get(table)
		if (known !== undefined) return known.mapping
		return this.#keep(table, false, async () => {
			const { answer, isInferred } = await this.#read(table, signal, { maxAnswerBytes: smallMappingBytes })
			return { ...readMapping(answer), isInferred }
		})
	}

	/** Reads the current mapping. */
	refresh(table: string, signal: AbortSignal): Promise<Mapping> {
		return this.#keep(table, true, async () => {
			const [read, settings] = await Promise.all([this.#read(table, signal), this.#settings(table, signal)])
			return { ...readMapping(read.answer, settings), isInferred: read.isInferred }
		})
	}

	async #keep(table: string, isWhole: boolean, read: () => Promise<Mapping>): Promise<Mapping> {
		const asOf = { at: performance.now(), writes: this.#transport.writes }
		const mapping = await read()
		// A later request may have been answered earlier.
		if ((this.#mappings.get(table)?.at ?? 0) > asOf.at) return mapping
		this.#mappings.delete(table)
		this.#mappings.set(table, { mapping, isWhole, ...asOf })
		const [oldest] = this.#mappings.keys()
		if (this.#mappings.size > mappingsKept && oldest !== undefined) this.#mappings.delete(oldest)
		return mapping
	}

	#read(table: string, signal: AbortSignal, limit: { readonly maxAnswerBytes?: number } = {}): Promise<ReadMapping> {
		const path = `${pathOf(table)}/_mapping`
		return orIfRefused<ReadMapping>(
			async () => {
				const reply = await this.#transport.send({ method: 'GET', path, isRead: true, ...limit }, signal)
				return { answer: reply.json(), isInferred: false }
			},
			async () => ({ answer: await searchableMapping(this.#transport, { table }, signal), isInferred: true }),
		)
	}

	/** Returns no settings if the credential may not read them. A mapping can be shown without them. */
	async #settings(table: string, signal: AbortSignal): Promise<Json> {
		const path = `${pathOf(table)}/${settingsPath}`
		const reply = await this.#transport.exchange({ method: 'GET', path, isRead: true }, signal)
		return reply.status < 300 ? reply.json() : {}
	}
}

/** An answer that is used again until it is stale. */
class Recent<T> {
	#kept: { readonly value: T; readonly at: number } | undefined

	async get(read: () => Promise<T>): Promise<T> {
		if (this.#kept !== undefined && performance.now() - this.#kept.at < namesLiveMs) return this.#kept.value
		const value = await read()
		this.#kept = { value, at: performance.now() }
		return value
	}

	drop(): void {
		this.#kept = undefined
	}
}

/** Reads in another way what the credential may not read. @throws the refusal if that fails too */
async function orIfRefused<T>(read: () => Promise<T>, otherwise: () => Promise<T>): Promise<T> {
	try {
		return await read()
	} catch (error) {
		if (!(error instanceof EngineError) || error.status !== 403) throw error
		return otherwise().catch(reason => {
			throw reason instanceof EngineError ? error : reason
		})
	}
}

/** The answer of `GET /<index>/_mapping`, or one like it (see {@link Mapping.isInferred}). */
interface ReadMapping {
	readonly answer: Json
	readonly isInferred: boolean
}

interface Known {
	readonly mapping: Mapping
	/** Whether it includes the settings of its indices. Without them it is sufficient for names only. */
	readonly isWhole: boolean
	readonly at: number
	/** Number of writes that had been sent at that time. */
	readonly writes: number
}

/** What the whole list says about each index. */
interface ListContext {
	readonly counts: ReadonlyMap<string, number> | undefined
	/** Whether an index has its replicas. In a cluster of one node none has them, which is no condition of an index. */
	readonly assignsReplicas: boolean
}

/**
 * `_cat` counts Lucene documents, including nested ones, so its number is an estimate. It is used for an index that the
 * search did not count.
 */
function readRow(row: JsonObject, { counts, assignsReplicas }: ListContext): Table[] {
	if (typeof row.index !== 'string' || row.index.startsWith('.')) return []
	const rowCount = counts?.get(row.index) ?? readCount(row['docs.count'])
	const sizeBytes = readCount(row['store.size'])
	const condition = conditionOf(row, assignsReplicas)
	return [
		{
			name: row.index,
			...(rowCount !== undefined && { rowCount }),
			...(rowCount !== undefined && rowCount > 0 && !counts?.has(row.index) && { isRowCountEstimated: true }),
			...(sizeBytes !== undefined && { sizeBytes }),
			...(condition !== undefined && { condition }),
			...detailsOf(row),
			...(condition?.state === 'closed' && { cannot: { insert: closed, update: closed, delete: closed } }),
		},
	]
}

function detailsOf(row: JsonObject): Pick<Table, 'details'> {
	const { health } = row
	const [shards, replicas, created] = [readCount(row.pri), readCount(row.rep), row['creation.date.string']]
	const details: readonly TableDetail[] = [
		...(typeof health === 'string' && health !== ''
			? [{ name: 'Health', value: health.slice(0, 100), ...stateOfColour(health) }]
			: []),
		...(shards === undefined ? [] : [{ name: 'Shards', value: shards }]),
		...(replicas === undefined ? [] : [{ name: 'Replicas', value: replicas }]),
		...(typeof created === 'string' && created !== '' ? [{ name: 'Created', value: created.slice(0, 100) }] : []),
	]
	return details.length > 0 ? { details } : {}
}

const closed = 'The index is closed.'

function conditionOf({ health, status }: JsonObject, assignsReplicas: boolean): TableCondition | undefined {
	if (status === 'close') return { state: 'closed', text: 'Closed: open the index to read it (POST /<index>/_open).' }
	if (health === 'red') return { state: 'bad', text: 'Red: a primary shard is not assigned, so documents are missing.' }
	if (health === 'yellow' && assignsReplicas) return { state: 'warning', text: 'Yellow: a replica is not assigned.' }
	return undefined
}

function readCount(value: Json | undefined): number | undefined {
	return typeof value === 'string' && /^[0-9]+$/.test(value) ? Number(value) : undefined
}
