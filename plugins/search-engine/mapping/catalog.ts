import {
	isJsonObject,
	type Json,
	type JsonObject,
	type Table,
	type TableCondition,
	type TableDescription,
} from '@roundhouse/kit'
import { pathOf } from '../transport/request-path.ts'
import type { Transport } from '../transport/transport.ts'
import { columnsOf } from './columns.ts'
import { settingsPath } from './index-settings.ts'
import { type Mapping, readMapping } from './mapping.ts'
import { rowCounts } from './row-counts.ts'

const namesLiveMs = 30_000
const smallMappingBytes = 4_000_000
const mappingsKept = 100
/** Long enough for a person who sorts and filters. Who has made the index anew meanwhile waits no longer for it to show. */
const mappingLivesMs = 10_000

/**
 * The indices of a cluster and their mappings. A mapping that was read is good for a while, or until this connection
 * sends what is no read; describing a table and a reload read it anew. For completion any that is known will do.
 */
export class Catalog {
	readonly #transport: Transport
	/** The one read last stands last. */
	readonly #mappings = new Map<string, Known>()
	#listed: { readonly names: readonly string[]; readonly at: number } | undefined

	constructor(transport: Transport) {
		this.#transport = transport
	}

	/** Concrete indices, none that begins with `.`; no aliases, no data streams (contract, part B). */
	async tables(signal: AbortSignal): Promise<Table[]> {
		const search = 'format=json&bytes=b&h=index,health,status,docs.count,store.size&s=index'
		const [reply, counts] = await Promise.all([
			this.#transport.send({ method: 'GET', path: '/_cat/indices', search, isRead: true }, signal),
			rowCounts(this.#transport, signal),
		])
		const rows = reply.json()
		const tables = Array.isArray(rows) ? rows.flatMap(row => readRow(row, counts)) : []
		this.#listed = { names: tables.map(table => table.name), at: performance.now() }
		return tables
	}

	/** Names for completion: of the last list, unless it is old. */
	async names(signal: AbortSignal): Promise<readonly string[]> {
		const isFresh = this.#listed !== undefined && performance.now() - this.#listed.at < namesLiveMs
		if (!isFresh) await this.tables(signal)
		return this.#listed?.names ?? []
	}

	async describe(table: string, signal: AbortSignal): Promise<TableDescription> {
		const mapping = await this.refresh(table, signal)
		return { name: table, columns: columnsOf(mapping), definition: mapping.definition }
	}

	/** As it was read last, if it was. */
	known(table: string): Mapping | undefined {
		return this.#mappings.get(table)?.mapping
	}

	/** As it was a short while ago, or else as it is. */
	async mapping(table: string, signal: AbortSignal): Promise<Mapping> {
		const known = this.#mappings.get(table)
		return known?.isWhole && this.#isRecent(known) ? known.mapping : this.refresh(table, signal)
	}

	#isRecent({ at, writes }: Known): boolean {
		return writes === this.#transport.writes && performance.now() - at < mappingLivesMs
	}

	/** For completion: one that is not known yet is read only if it is small. @throws DriverError when it is not. */
	async smallMapping(table: string, signal: AbortSignal): Promise<Mapping> {
		const known = this.#mappings.get(table)
		if (known !== undefined) return known.mapping
		return this.#keep(table, false, async () => readMapping(await this.#read(table, signal, smallMappingBytes)))
	}

	/** As it is. */
	refresh(table: string, signal: AbortSignal): Promise<Mapping> {
		return this.#keep(table, true, async () => {
			const [mapping, settings] = await Promise.all([this.#read(table, signal), this.#settings(table, signal)])
			return readMapping(mapping, settings)
		})
	}

	async #keep(table: string, isWhole: boolean, read: () => Promise<Mapping>): Promise<Mapping> {
		const asOf = { at: performance.now(), writes: this.#transport.writes }
		const mapping = await read()
		// Who has looked later may have been answered sooner.
		if ((this.#mappings.get(table)?.at ?? 0) > asOf.at) return mapping
		this.#mappings.delete(table)
		this.#mappings.set(table, { mapping, isWhole, ...asOf })
		const [oldest] = this.#mappings.keys()
		if (this.#mappings.size > mappingsKept && oldest !== undefined) this.#mappings.delete(oldest)
		return mapping
	}

	async #read(table: string, signal: AbortSignal, maxAnswerBytes?: number): Promise<Json> {
		const path = `${pathOf(table)}/_mapping`
		const limit = maxAnswerBytes !== undefined && { maxAnswerBytes }
		const reply = await this.#transport.send({ method: 'GET', path, isRead: true, ...limit }, signal)
		return reply.json()
	}

	/** None where the person may not read them: a mapping shows without. */
	async #settings(table: string, signal: AbortSignal): Promise<Json> {
		const path = `${pathOf(table)}/${settingsPath}`
		const reply = await this.#transport.exchange({ method: 'GET', path, isRead: true }, signal)
		return reply.status < 300 ? reply.json() : {}
	}
}

interface Known {
	readonly mapping: Mapping
	/** With the settings of its indices; without them it is good for names alone. */
	readonly isWhole: boolean
	readonly at: number
	/** That had been sent by then. */
	readonly writes: number
}

/** `_cat` counts Lucene documents, nested ones too, so its number is taken only where both agree that there are none. */
function readRow(row: Json, counts: ReadonlyMap<string, number> | undefined): Table[] {
	if (!isJsonObject(row) || typeof row.index !== 'string' || row.index.startsWith('.')) return []
	const rowCount = counts?.get(row.index) ?? (row['docs.count'] === '0' ? 0 : undefined)
	const sizeBytes = readCount(row['store.size'])
	const condition = conditionOf(row)
	return [
		{
			name: row.index,
			...(rowCount !== undefined && { rowCount }),
			...(sizeBytes !== undefined && { sizeBytes }),
			...(condition !== undefined && { condition }),
		},
	]
}

function conditionOf({ health, status }: JsonObject): TableCondition | undefined {
	if (status === 'close') return { state: 'closed', text: 'Closed: open it before it is read (POST /<index>/_open).' }
	if (health === 'red') return { state: 'bad', text: 'Red: a primary shard is not assigned, so documents are missing.' }
	if (health === 'yellow') return { state: 'warning', text: 'Yellow: a replica is not assigned.' }
	return undefined
}

function readCount(value: Json | undefined): number | undefined {
	return typeof value === 'string' && /^[0-9]+$/.test(value) ? Number(value) : undefined
}
