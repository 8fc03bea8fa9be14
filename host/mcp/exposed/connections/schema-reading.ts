import type { Column, JsonObject, Reference, Table } from '@roundhouse/kit'
import type { ClientSession } from '../../access/client-session.ts'
import { decodeAnswer } from '../../access/decode-answer.ts'
import { driverText } from '../../protocol/outgoing-text.ts'

/** Reads the schema of a connection for tools, resources and prompts. */

/** A model gets the first choices of an enumeration. */
const mostChoices = 100
const mostReferrers = 50
/** A driver finds at most as many (`Connection.findColumns`). */
const columnsOfDriver = 1_000
/** Of a driver that finds no columns itself: a request each. */
const tablesSearchedForColumns = 50

export async function readTables(session: ClientSession, signal: AbortSignal) {
	return (await session.call('listTables', {}, { signal })).map(describeTableEntry)
}

export async function readColumns(session: ClientSession, table: string, signal: AbortSignal) {
	return (await readDescription(session, table, signal)).columns
}

/**
 * Finds columns by a part of their name.
 * @returns also the number of tables that were searched, if those are not all, and whether there may be more columns
 */
export async function findColumns(
	session: ClientSession,
	{ term, tables }: { readonly term: string; readonly tables: readonly { readonly name: string }[] },
	signal: AbortSignal,
): Promise<{ readonly columns: readonly JsonObject[]; readonly searched?: number; readonly isCut?: boolean }> {
	const found = await session.call('findColumns', { text: term }, { signal })
	if (found)
		return {
			columns: found.map(column => ({ ...column })),
			...(found.length >= columnsOfDriver && { isCut: true }),
		}
	const columns: JsonObject[] = []
	const searched = tables.slice(0, tablesSearchedForColumns)
	for (const { name: table } of searched) {
		const described = await readColumns(session, table, signal)
		columns.push(...described.filter(nameContains(term)).map(column => ({ table, ...column })))
	}
	return { columns, ...(tables.length > searched.length && { searched: searched.length }) }
}

/** Returns the driver's own description of a table. */
export async function readTable(session: ClientSession, table: string, signal: AbortSignal) {
	return decodeAnswer('describeTable', await session.call('describeTable', { table }, { signal }), session)
}

export async function readDescription(session: ClientSession, table: string, signal: AbortSignal) {
	const { columns, note, indexes, references, referrers } = await readTable(session, table, signal)
	return {
		columns: columns.map(describeColumn),
		...(note !== undefined && { note: driverText(note) }),
		...(indexes && {
			indexes:
				indexes.length > 0
					? indexes.map(driverText)
					: [columns.some(({ isKey }) => isKey) ? 'none besides the key' : 'none'],
		}),
		...(references?.length && { references: references.map(reference => ({ ...reference })) }),
		...(referrers?.length && { referred_by: shortened(referrers.map(referrerText)) }),
	}
}

/** `orders(customer) on delete cascade`: a table, its columns that have the values of the key, and what goes with a row. */
const referrerText = ({ table, to, onDelete }: Reference) =>
	`${table}(${to.join(', ')})${onDelete ? ` on delete ${driverText(onDelete)}` : ''}`

const shortened = (texts: readonly string[]) =>
	texts.length > mostReferrers ? [...texts.slice(0, mostReferrers), `… ${texts.length - mostReferrers} more`] : texts

function describeColumn(column: Column) {
	const { name, type, isKey, keyPosition, isReadOnly, isSortable, isRequired, generated, choices = [] } = column
	const notes = [
		...(column.note === undefined ? [] : [column.note]),
		...(choices.length > mostChoices ? [`The first ${mostChoices} of ${choices.length} choices are shown.`] : []),
	]
	return {
		name,
		type,
		...(isKey && { is_key: true }),
		...(keyPosition !== undefined && { key_position: keyPosition }),
		...(isReadOnly !== false && { is_read_only: isReadOnly }),
		...(!isSortable && { is_sortable: false }),
		...(isRequired && { is_required: true }),
		...(column.default !== undefined && { default: driverText(column.default) }),
		...(generated !== undefined && { generated }),
		...(choices.length > 0 && { choices: choices.slice(0, mostChoices) }),
		...(notes.length > 0 && { note: notes.join(' ') }),
	}
}

function describeTableEntry({ name, kind, path, cannot, rowCount, isRowCountEstimated, sizeBytes, condition }: Table) {
	const refused = Object.entries(cannot ?? {}).map(([change, why]) => [change, driverText(why)] as const)
	return {
		name,
		...(kind !== undefined && { kind: driverText(kind) }),
		...(path !== undefined && { path: path.map(driverText) }),
		...(refused.length > 0 && { cannot: Object.fromEntries(refused) }),
		...(rowCount !== undefined && { row_count: rowCount }),
		...(isRowCountEstimated && { row_count_is_estimated: true }),
		...(sizeBytes !== undefined && { size_bytes: sizeBytes }),
		...(condition !== undefined && { condition: driverText(condition.text) }),
	}
}

/** Returns a test of whether a name contains a term, in any case. */
export function nameContains(term: string) {
	const wanted = term.toLowerCase()
	return ({ name }: { readonly name: string }) => name.toLowerCase().includes(wanted)
}
