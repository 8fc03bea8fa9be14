import type { Column, Table } from '@roundhouse/kit'
import type { ClientSession } from '../../access/client-session.ts'
import { driverText } from '../../protocol/outgoing-text.ts'
import { decodeAnswer } from '../framework/driver-answer.ts'

/** Reads the schema of a connection for tools, resources and prompts. */

/** A model gets the first choices of an enumeration. */
const mostChoices = 100

export async function readTables(session: ClientSession, signal: AbortSignal) {
	return (await session.call('listTables', {}, { signal })).map(describeTableEntry)
}

export async function readColumns(session: ClientSession, table: string, signal: AbortSignal) {
	return (await readDescription(session, table, signal)).columns
}

export async function readDescription(session: ClientSession, table: string, signal: AbortSignal) {
	const { columns, references = [] } = decodeAnswer(
		'describeTable',
		await session.call('describeTable', { table }, { signal }),
		session,
	)
	return {
		columns: columns.map(describeColumn),
		...(references.length > 0 && { references: references.map(reference => ({ ...reference })) }),
	}
}

function describeColumn(column: Column) {
	const { name, type, isKey, keyPosition, isReadOnly, isSortable, isRequired, generated, choices = [], note } = column
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
		...(note !== undefined && { note }),
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
