import { type Cell, type Change, DriverError, isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import {
	decodeRowId,
	decodeVersion,
	encodeRowId,
	isRowIdForm,
	type RowKey,
	rowKeyOf,
	rowVersionOf,
} from '../grid/row-id.ts'
import { isMetaColumn } from '../mapping/columns.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { whyNoInsert } from '../mapping/several.ts'
import { objectOf, objectsOf } from '../transport/answer.ts'
import type { EngineRequest } from '../transport/engine-request.ts'
import { pathOf } from '../transport/request-path.ts'
import type { Transport } from '../transport/transport.ts'
import { type EditedCell, refused, valueOfCell } from './cell-value.ts'
import { type FieldValues, isSame, merged, partWith, planEdits } from './document.ts'
import { ChangedMeanwhile, type ReadDocument, readDocument } from './read-document.ts'
import { editText, sourceTextOf } from './source-text.ts'
import { refuseWithheld } from './withheld.ts'

export interface EditedTable {
	readonly transport: Transport
	readonly name: string
	readonly mapping: Mapping
}

/** The request of a change. */
export interface PlannedChange {
	readonly request: EngineRequest
	/** The document before the change, if it was read. */
	readonly document?: JsonObject
}

/**
 * Returns the one request of a change (contract, part B: `POST _update`, `PUT _doc`, `DELETE _doc`). May read the
 * document to keep its shape. Writes nothing.
 *
 * @throws DriverError if the change cannot be made.
 */
export async function planChange(edited: EditedTable, change: Change, signal: AbortSignal): Promise<PlannedChange> {
	const { name: table, mapping } = edited
	switch (change.kind) {
		case 'insert':
			return { request: insert(table, change.values, mapping) }
		case 'delete': {
			const key = rowIn(edited, change.rowId)
			await refuseAmbiguous(edited, change, signal)
			const search = parameters(key, change.version)
			return { request: { method: 'DELETE', path: documentPath(key), search, isRead: false } }
		}
		case 'update': {
			const key = rowIn(edited, change.rowId)
			const values = valuesOf(change.set, { mapping, index: key.index })
			if (values.size === 0) throw refused('The change sets no field')
			refuseWithheld(key.index, mapping)
			await refuseAmbiguous(edited, change, signal)
			if (!needsDocument(values)) {
				return { request: update(key, change.version, Object.fromEntries(values) as JsonObject) }
			}
			return inDocument(await readDocument(edited, key, signal), {
				key,
				version: change.version,
				values,
				flat: mapping.flat,
			})
		}
	}
}

/** Returns whether a row belongs to a table. The mapping names the indices behind an alias or a pattern. */
export function isRowIn({ name, mapping }: Pick<EditedTable, 'name' | 'mapping'>, rowId: string): boolean {
	const { index } = decodeRowId(rowId, name)
	return index === name || Object.hasOwn(mapping.definition, index)
}

/** The user agrees to a change of this table, and a row id names its index itself. @throws DriverError */
function rowIn(edited: EditedTable, rowId: string): RowKey {
	if (!isRowIn(edited, rowId)) throw refused(`The row belongs to an index other than ${edited.name}`)
	return decodeRowId(rowId, edited.name)
}

/**
 * A client may give an `_id` in place of a row id, and a document may have an `_id` that looks like one. A version says
 * that the row id was read from a row. @throws DriverError if both documents may be meant
 */
async function refuseAmbiguous(
	{ name, transport }: EditedTable,
	{ rowId, version }: { readonly rowId: string; readonly version?: string },
	signal: AbortSignal,
): Promise<void> {
	if (version !== undefined || !isRowIdForm(rowId)) return
	const body = { size: 1, _source: false, query: { ids: { values: [rowId] } } }
	const reply = await transport.exchange(
		{ method: 'POST', path: pathOf(name, '_search'), search: 'ignore_unavailable=true', body, isRead: true },
		signal,
	)
	const [hit] = reply.status === 200 ? objectsOf(objectOf(objectOf(reply.json()).hits).hits) : []
	if (hit?._id !== rowId) return
	const [meant, other] = [decodeRowId(rowId, name).id, encodeRowId(rowKeyOf(hit))]
	throw refused(
		`${rowId} is the row id of the document ${meant}, and the _id of another one. Give ${meant} for the first, or ${other} for the second`,
	)
}

/** Plain values of top-level fields fit any document. All other edits depend on the document's content. */
function needsDocument(values: FieldValues): boolean {
	return [...values].some(([path, value]) => path.includes('.') || value === undefined || isJsonObject(value))
}

/** The edit of one row, against the version that was read. */
interface PlannedEdit {
	readonly key: RowKey
	readonly version: string | undefined
	readonly values: FieldValues
	readonly flat: Mapping['flat']
}

/**
 * Sends only the changed part if the engine's merge leads to the wanted document. A merge cannot remove a field or a
 * key of an object. In that case the whole document is replaced, on condition that no other client changed it.
 * Everything except the edits stays unchanged.
 */
function inDocument({ answer, text }: ReadDocument, { key, version, values, flat }: PlannedEdit): PlannedChange {
	const document = objectOf(answer._source)
	const current = rowVersionOf(answer)
	const readVersion = version ?? current
	if (current !== undefined && current !== readVersion) {
		throw new ChangedMeanwhile('invalid_argument', 'Another client changed this document after it was read.')
	}
	const { edits, wanted } = ofRow(key, () => planEdits(document, values, flat))
	const part = partWith(wanted, edits)
	if (isSame(merged(document, part), wanted)) return { request: update(key, readVersion, part), document }
	const [path, search] = [documentPath(key), parameters(key, readVersion)]
	const whole = editText(sourceTextOf(text), edits)
	return { request: { method: 'PUT', path, search, text: whole, isRead: false }, document }
}

/** Names the document in a refusal, because a review may have many. */
function ofRow<T>({ id }: RowKey, plan: () => T): T {
	try {
		return plan()
	} catch (error) {
		if (error instanceof DriverError) throw new DriverError(error.code, `Document ${id}: ${error.message}`)
		throw error
	}
}

function update(key: RowKey, version: string | undefined, doc: JsonObject): EngineRequest {
	const path = pathOf(key.index, '_update', key.id)
	return { method: 'POST', path, search: parameters(key, version), body: { doc }, isRead: false }
}

/** With an `_id`, the document must be new, because a typed id could silently replace an existing document. */
function insert(table: string, cells: Readonly<Record<string, Cell>>, mapping: Mapping): EngineRequest {
	const { _id, _index, _routing, ...fields } = cells
	const index = targetOf(table, _index, mapping)
	const id = textOfCell('_id', _id)
	const routing = textOfCell('_routing', _routing)
	const own = Object.fromEntries(Object.entries(fields).filter(([name]) => !isMetaColumn(name)))
	const { wanted: body } = planEdits({}, byDepth(valuesOf(own, { mapping, index, isNew: true })), mapping.flat)
	const key: RowKey = { index, id: id ?? '', ...(routing !== undefined && { routing }) }
	if (id === undefined) {
		return { method: 'POST', path: pathOf(index, '_doc'), search: parameters(key), body, isRead: false }
	}
	const search = `op_type=create&${parameters(key)}`
	return { method: 'PUT', path: documentPath(key), search, body, isRead: false }
}

/** A document that is made again names its index behind an alias or a pattern. @throws DriverError */
function targetOf(table: string, index: Cell | undefined, { definition }: Mapping): string {
	if (typeof index !== 'string' || index === '') {
		const why = whyNoInsert(table)
		if (why !== undefined) throw new DriverError('invalid_argument', why)
		return table
	}
	// A new document does not leave an index that is open itself.
	if (Object.hasOwn(definition, table)) return table
	if (!Object.hasOwn(definition, index)) throw refused(`The row belongs to an index other than ${table}`)
	return index
}

function valuesOf(cells: Readonly<Record<string, Cell>>, edited: EditedCell): Map<string, Json | undefined> {
	return new Map(Object.entries(cells).map(([column, cell]) => [column, valueOfCell(column, cell, edited)]))
}

/** Parents before children, so that a child finds its object. A missing cell of a new row has no value. */
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

/** `refresh=true`, because the grid searches directly afterwards and must see the saved document. */
function parameters(key: RowKey, version?: string): string {
	const { seqNo, primaryTerm } = version === undefined ? {} : decodeVersion(version)
	return [
		...(seqNo === undefined ? [] : [`if_seq_no=${seqNo}`, `if_primary_term=${primaryTerm}`]),
		...(key.routing === undefined ? [] : [`routing=${encodeURIComponent(key.routing)}`]),
		'refresh=true',
	].join('&')
}
