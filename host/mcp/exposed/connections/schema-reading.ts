import type { Table } from '@roundhouse/kit'
import type { ClientSession } from '../../access/client-session.ts'
import { driverText } from '../../protocol/outgoing-text.ts'
import { decodeAnswer } from '../framework/driver-answer.ts'

/** Reads the schema of a connection for tools, resources and prompts. */

export async function readTables(session: ClientSession, signal: AbortSignal) {
	return (await session.call('listTables', {}, { signal })).map(describeTableEntry)
}

export async function readColumns(session: ClientSession, table: string, signal: AbortSignal) {
	const { columns } = decodeAnswer('describeTable', await session.call('describeTable', { table }, { signal }))
	return columns.map(({ name, type, isKey, isReadOnly, isSortable, note }) => ({
		name,
		type,
		...(isKey && { is_key: true }),
		...(isReadOnly && { is_read_only: true }),
		...(!isSortable && { is_sortable: false }),
		...(note !== undefined && { note }),
	}))
}

function describeTableEntry({ name, rowCount, sizeBytes, condition }: Table) {
	return {
		name,
		...(rowCount !== undefined && { row_count: rowCount }),
		...(sizeBytes !== undefined && { size_bytes: sizeBytes }),
		...(condition !== undefined && { condition: driverText(condition.text) }),
	}
}
