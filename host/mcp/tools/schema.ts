import type { Json, Table } from '@roundhouse/kit'
import { z } from 'zod'
import { type ConnectionCall, defineConnectionTool } from './core-tool.ts'
import { decode } from './decoded.ts'

/** More names than these help no model; the search finds the others. */
const mostTables = 1000
const tablesSearchedForColumns = 50

export const tableArgument = z.string().min(1)

export const listTables = defineConnectionTool({
	name: 'list_tables',
	title: 'List tables',
	description: 'Tables (indices, collections) of a connection, with row counts.',
	access: 'read',
	input: {},
	run: async (_args, call) => {
		const tables = await readTables(call)
		return {
			tables: tables.slice(0, mostTables).map(describe),
			...(tables.length > mostTables && { is_truncated: true, total: tables.length, hint: 'Use search_schema.' }),
		}
	},
})

export const describeTable = defineConnectionTool({
	name: 'describe_table',
	title: 'Describe table',
	description: 'Columns and types of a table. Call it before you write a query.',
	access: 'read',
	input: { table: tableArgument },
	run: async ({ table }, call) => ({ table, columns: await readColumns(table, call) }),
})

export const searchSchema = defineConnectionTool({
	name: 'search_schema',
	title: 'Search schema',
	description: 'Finds tables and columns whose name contains a term.',
	access: 'read',
	input: { term: z.string().min(1).max(200) },
	run: async ({ term }, call) => {
		const wanted = term.toLowerCase()
		const tables = await readTables(call)
		const columns: Json[] = []
		const searched = tables.slice(0, tablesSearchedForColumns)
		for (const { name } of searched) {
			for (const column of await readColumns(name, call)) {
				if (column.name.toLowerCase().includes(wanted)) columns.push({ table: name, ...column })
			}
		}
		return {
			tables: tables
				.filter(({ name }) => name.toLowerCase().includes(wanted))
				.slice(0, mostTables)
				.map(describe),
			columns,
			...(tables.length > searched.length && { columns_searched_in_tables: searched.length }),
		}
	},
})

async function readTables({ open, call: { signal } }: ConnectionCall): Promise<readonly Table[]> {
	return (await open()).call('listTables', {}, { signal })
}

async function readColumns(table: string, { open, call: { signal } }: ConnectionCall) {
	const session = await open()
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

function describe({ name, rowCount, sizeBytes }: Table) {
	return {
		name,
		...(rowCount !== undefined && { row_count: rowCount }),
		...(sizeBytes !== undefined && { size_bytes: sizeBytes }),
	}
}
