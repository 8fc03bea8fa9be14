import type { Json } from '@roundhouse/kit'
import { z } from 'zod'
import { readColumns, readDescription, readTables } from '../connections/schema-reading.ts'
import { defineConnectionTool } from '../framework/define-tool.ts'
import { tableNouns } from './engine-text.ts'
import { columnOutput, referencesOutput, tablesOutput } from './outputs.ts'

/** Upper limit of listed tables. `search_schema` finds the others. */
const maxTables = 1000
const tablesSearchedForColumns = 50

export const tableArgument = z.string().min(1).describe('From list_tables')

export const listTables = defineConnectionTool({
	name: 'list_tables',
	title: 'List tables',
	description: drivers => `${tableNouns(drivers)} of a connection, with row counts.`,
	access: 'read',
	group: 'core',
	effect: 'none',
	input: {},
	output: {
		tables: tablesOutput,
		is_truncated: z.boolean().optional(),
		total: z.number().optional(),
		hint: z.string().optional(),
	},
	run: async (_args, { open, call: { signal } }) => {
		const tables = await readTables(await open(), signal)
		return {
			tables: tables.slice(0, maxTables),
			...(tables.length > maxTables && { is_truncated: true, total: tables.length, hint: 'Use search_schema.' }),
		}
	},
})

export const describeTable = defineConnectionTool({
	name: 'describe_table',
	title: 'Describe table',
	description: 'Columns and types of a table. Call it before you write a query.',
	access: 'read',
	group: 'core',
	effect: 'none',
	input: { table: tableArgument },
	output: { table: z.string(), columns: z.array(z.object(columnOutput)), references: referencesOutput },
	run: async ({ table }, { open, call: { signal } }) => ({
		table,
		...(await readDescription(await open(), table, signal)),
	}),
})

export const searchSchema = defineConnectionTool({
	name: 'search_schema',
	title: 'Search schema',
	description: 'Finds tables and columns whose name contains a term.',
	access: 'read',
	group: 'core',
	effect: 'none',
	input: { term: z.string().min(1).max(200).describe('Part of a name') },
	output: {
		// As list_tables and describe_table list them.
		tables: z.array(z.looseObject({ name: z.string() })),
		columns: z.array(z.looseObject({ table: z.string(), name: z.string(), type: z.string() })),
		columns_searched_in_tables: z.number().optional(),
	},
	run: async ({ term }, { open, call: { signal } }) => {
		const isWanted = ({ name }: { readonly name: string }) => name.toLowerCase().includes(term.toLowerCase())
		const session = await open()
		const tables = await readTables(session, signal)
		const columns: Json[] = []
		const searched = tables.slice(0, tablesSearchedForColumns)
		for (const { name: table } of searched) {
			const found = (await readColumns(session, table, signal)).filter(isWanted)
			columns.push(...found.map(column => ({ table, ...column })))
		}
		return {
			tables: tables.filter(isWanted).slice(0, maxTables),
			columns,
			...(tables.length > searched.length && { columns_searched_in_tables: searched.length }),
		}
	},
})
