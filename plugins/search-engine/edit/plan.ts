import { type Cell, type Change, isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { decodeRowId, decodeVersion, type RowKey, rowVersionOf } from '../grid/row-id.ts'
import { isMetaColumn } from '../mapping/columns.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { objectOf } from '../transport/answer.ts'
import { isAtLeast, type Version } from '../transport/product.ts'
import { pathOf } from '../transport/request-path.ts'
import type { EngineRequest, Transport } from '../transport/transport.ts'
import { refused, valueOfCell } from './cell-value.ts'
import { type FieldValues, isSame, merged, partWith, planEdits } from './document.ts'
import { type ReadDocument, readDocument } from './read-document.ts'
import { editText, sourceTextOf } from './source-text.ts'
import { refuseWithheld } from './withheld.ts'

/** A table that is edited. */
export interface EditedTable {
	readonly transport: Transport
	readonly version: Version
	readonly name: string
	readonly mapping: Mapping
}

/** How a change is made. */
export interface PlannedChange {
	readonly request: EngineRequest
	/** The document before it, where it had to be read. */
	readonly document?: JsonObject
}

/**
 * The one request that makes a change (contract, part B: `POST _update`, `PUT _doc`, `DELETE _doc`). May read the
 * document to keep its shape; writes nothing.
 *
 * @throws DriverError when the change cannot be made.
 */
export async function planChange(edited: EditedTable, change: Change, signal: AbortSignal): Promise<PlannedChange> {
	const { name: table, mapping } = edited
	switch (change.kind) {
		case 'insert':
			return { request: insert(table, change.values, mapping) }
		case 'delete': {
			const key = decodeRowId(change.rowId, table)
			const search = parameters(key, change.version)
			return { request: { method: 'DELETE', path: documentPath(key), search, isRead: false } }
		}
		case 'update': {
			const key = decodeRowId(change.rowId, table)
			const values = valuesOf(change.set, mapping)
			if (values.size === 0) throw refused('The change sets no field')
			refuseWithheld(key.index, mapping)
			if (!needsDocument(values)) {
				return { request: update(key, change.version, Object.fromEntries(values) as JsonObject) }
			}
			return inDocument(await readWhole(edited, key, signal), key, change.version, values)
		}
	}
}

/** Plain values of top-level fields fit any document; all else depends on what the document holds. */
function needsDocument(values: FieldValues): boolean {
	return [...values].some(([path, value]) => path.includes('.') || value === undefined || isJsonObject(value))
}

/** From 9.2 on the engine leaves vectors out of what it shows, and replacing a document without them would drop them. */
function readWhole(edited: EditedTable, key: RowKey, signal: AbortSignal): Promise<ReadDocument> {
	const parameters = isAtLeast(edited.version, 9, 2) ? ['_source_exclude_vectors=false'] : []
	return readDocument(edited.transport, key, signal, parameters)
}

/**
 * Sends only what changed where the engine's merging leads to the wanted document; a removed field or an object that
 * loses keys cannot be said that way, so the whole document is replaced, on condition that nobody else changed it: as it
 * is written, but for what changed.
 */
function inDocument(
	{ answer, text }: ReadDocument,
	key: RowKey,
	version: string | undefined,
	values: FieldValues,
): PlannedChange {
	const document = objectOf(answer._source)
	const { edits, wanted } = planEdits(document, values)
	const part = partWith(wanted, edits)
	const readVersion = version ?? rowVersionOf(answer)
	if (isSame(merged(document, part), wanted)) return { request: update(key, readVersion, part), document }
	const [path, search] = [documentPath(key), parameters(key, readVersion)]
	const whole = editText(sourceTextOf(text), edits)
	return { request: { method: 'PUT', path, search, text: whole, isRead: false }, document }
}

function update(key: RowKey, version: string | undefined, doc: JsonObject): EngineRequest {
	const path = pathOf(key.index, '_update', key.id)
	return { method: 'POST', path, search: parameters(key, version), body: { doc }, isRead: false }
}

/** With an `_id`, the document must be new: replacing one by a typed id would destroy it without a word. */
function insert(table: string, cells: Readonly<Record<string, Cell>>, mapping: Mapping): EngineRequest {
	const { _id, _routing, ...fields } = cells
	const id = textOfCell('_id', _id)
	const routing = textOfCell('_routing', _routing)
	const own = Object.fromEntries(Object.entries(fields).filter(([name]) => !isMetaColumn(name)))
	const { wanted: body } = planEdits({}, byDepth(valuesOf(own, mapping, { isNew: true })))
	const key: RowKey = { index: table, id: id ?? '', ...(routing !== undefined && { routing }) }
	if (id === undefined) {
		return { method: 'POST', path: pathOf(table, '_doc'), search: parameters(key), body, isRead: false }
	}
	const search = `op_type=create&${parameters(key)}`
	return { method: 'PUT', path: documentPath(key), search, body, isRead: false }
}

function valuesOf(
	cells: Readonly<Record<string, Cell>>,
	mapping: Mapping,
	options?: { readonly isNew: boolean },
): Map<string, Json | undefined> {
	return new Map(Object.entries(cells).map(([column, cell]) => [column, valueOfCell(column, cell, mapping, options)]))
}

/** Parents before children, so that a child finds the object it belongs to; a missing cell of a new row is no value. */
function byDepth(values: FieldValues): FieldValues {
	const given = [...values].filter(([, value]) => value !== undefined)
	return new Map(given.sort(([a], [b]) => a.split('.').length - b.split('.').length))
}

function textOfCell(column: string, cell: Cell | undefined): string | undefined {
	if (cell === undefined || cell === null || cell === '') return undefined
	if (typeof cell === 'string' || typeof cell === 'number') return String(cell)
	if (typeof cell === 'object' && 'missing' in cell) return undefined
	if (typeof cell === 'object' && 'number' in cell) return cell.number
	throw refused(`${column} must be text`)
}

function documentPath(key: RowKey): string {
	return pathOf(key.index, '_doc', key.id)
}

/** `refresh=true`: the grid reads by search right after, and must see what was saved. */
function parameters(key: RowKey, version?: string): string {
	const { seqNo, primaryTerm } = version === undefined ? {} : decodeVersion(version)
	return [
		...(seqNo === undefined ? [] : [`if_seq_no=${seqNo}`, `if_primary_term=${primaryTerm}`]),
		...(key.routing === undefined ? [] : [`routing=${encodeURIComponent(key.routing)}`]),
		'refresh=true',
	].join('&')
}
