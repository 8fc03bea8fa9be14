import type { Table } from '@roundhouse/kit'
import { decode } from '@roundhouse/kit'
import type { ClientSession } from '../../access/client-session.ts'
import { outgoingText } from '../../protocol/outgoing-text.ts'

/** The schema of a connection as models read it, for tools, resources and prompts alike. */

export async function readTables(session: ClientSession, signal: AbortSignal) {
	return (await session.call('listTables', {}, { signal })).map(describeTableEntry)
}

export async function readColumns(session: ClientSession, table: string, signal: AbortSignal) {
	const { columns } = decode(await session.call('describeTable', { table }, { signal }))
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
		...(condition !== undefined && { condition: outgoingText(condition.text) }),
	}
}
