import { isJsonObject, type Json, type Table, type TableDescription } from '@roundhouse/kit'
import { pathOf } from '../transport/request-path.ts'
import type { Transport } from '../transport/transport.ts'
import { columnsOf } from './columns.ts'
import { type Mapping, readMapping } from './field.ts'

/**
 * The indices of a cluster and their mappings. A mapping is kept once it was read, for edits and filters; describing a
 * table reads it anew, so that reloading shows a change.
 */
export class Catalog {
	readonly #transport: Transport
	readonly #mappings = new Map<string, Mapping>()

	constructor(transport: Transport) {
		this.#transport = transport
	}

	/** Concrete indices, none that begins with `.`; no aliases, no data streams (contract, part B). */
	async tables(signal: AbortSignal): Promise<Table[]> {
		const search = 'format=json&bytes=b&h=index,docs.count,store.size&s=index'
		const reply = await this.#transport.send({ method: 'GET', path: '/_cat/indices', search, isRead: true }, signal)
		const rows = reply.json()
		return Array.isArray(rows) ? rows.flatMap(readRow) : []
	}

	async describe(table: string, signal: AbortSignal): Promise<TableDescription> {
		const mapping = await this.refresh(table, signal)
		return { name: table, columns: columnsOf(mapping), definition: mapping.definition }
	}

	async mapping(table: string, signal: AbortSignal): Promise<Mapping> {
		return this.#mappings.get(table) ?? this.refresh(table, signal)
	}

	async refresh(table: string, signal: AbortSignal): Promise<Mapping> {
		const path = `${pathOf(table)}/_mapping`
		const reply = await this.#transport.send({ method: 'GET', path, isRead: true }, signal)
		const mapping = readMapping(reply.json())
		this.#mappings.set(table, mapping)
		return mapping
	}
}

/** `_cat` counts Lucene documents, nested ones too: a size to go by, not the number of rows. A closed index has none. */
function readRow(row: Json): Table[] {
	if (!isJsonObject(row) || typeof row.index !== 'string' || row.index.startsWith('.')) return []
	const rowCount = readCount(row['docs.count'])
	const sizeBytes = readCount(row['store.size'])
	return [
		{
			name: row.index,
			...(rowCount !== undefined && { rowCount }),
			...(sizeBytes !== undefined && { sizeBytes }),
		},
	]
}

function readCount(value: Json | undefined): number | undefined {
	return typeof value === 'string' && /^[0-9]+$/.test(value) ? Number(value) : undefined
}
