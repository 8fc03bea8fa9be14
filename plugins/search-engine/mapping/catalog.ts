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
/** They change seldom, and what they say of searches the engine says again where it matters. */
const settingsLiveMs = 60_000

/**
 * The indices of a cluster and their mappings. A mapping is kept once it was read, for edits and filters; describing a
 * table reads it anew, so that reloading shows a change.
 */
export class Catalog {
	readonly #transport: Transport
	/** The one read last stands last. One without the settings of its indices is good for names alone. */
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

	async mapping(table: string, signal: AbortSignal): Promise<Mapping> {
		const known = this.#mappings.get(table)
		return known?.settings === undefined ? this.refresh(table, signal) : known.mapping
	}

	/** For completion: one that is not known yet is read only if it is small. @throws DriverError when it is not. */
	async smallMapping(table: string, signal: AbortSignal): Promise<Mapping> {
		const known = this.#mappings.get(table)
		if (known !== undefined) return known.mapping
		return this.#keep(table, { mapping: readMapping(await this.#read(table, signal, smallMappingBytes)) })
	}

	async refresh(table: string, signal: AbortSignal): Promise<Mapping> {
		const known = this.#mappings.get(table)?.settings
		const isFresh = known !== undefined && performance.now() - known.at < settingsLiveMs
		const [mapping, settings] = await Promise.all([
			this.#read(table, signal),
			isFresh ? known : this.#settings(table, signal),
		])
		return this.#keep(table, { mapping: readMapping(mapping, settings.answer), settings })
	}

	#keep(table: string, known: Known): Mapping {
		this.#mappings.delete(table)
		this.#mappings.set(table, known)
		const [oldest] = this.#mappings.keys()
		if (this.#mappings.size > mappingsKept && oldest !== undefined) this.#mappings.delete(oldest)
		return known.mapping
	}

	async #read(table: string, signal: AbortSignal, maxAnswerBytes?: number): Promise<Json> {
		const path = `${pathOf(table)}/_mapping`
		const limit = maxAnswerBytes !== undefined && { maxAnswerBytes }
		const reply = await this.#transport.send({ method: 'GET', path, isRead: true, ...limit }, signal)
		return reply.json()
	}

	/** None where the person may not read them: a mapping shows without. */
	async #settings(table: string, signal: AbortSignal): Promise<SettingsRead> {
		const path = `${pathOf(table)}/${settingsPath}`
		const reply = await this.#transport.exchange({ method: 'GET', path, isRead: true }, signal)
		return { answer: reply.status < 300 ? reply.json() : {}, at: performance.now() }
	}
}

interface Known {
	readonly mapping: Mapping
	readonly settings?: SettingsRead
}

interface SettingsRead {
	readonly answer: Json
	readonly at: number
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
