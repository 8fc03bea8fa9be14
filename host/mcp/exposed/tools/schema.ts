import { z } from 'zod'
import { findColumns, nameContains, readDescription, readTables } from '../connections/schema-reading.ts'
import { defineConnectionTool } from '../framework/define-tool.ts'
import { thatFit } from '../framework/fitted.ts'
import { tableNouns } from './engine-text.ts'
import { columnOutput, referencesOutput, tablesOutput } from './outputs.ts'
import { resultLimits } from './row-set.ts'

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
		const shown = thatFit(tables)
		const hint = `${shown.length} of ${tables.length} tables. search_schema finds the others.`
		return { ...(shown.length < tables.length && { hint, is_truncated: true, total: tables.length }), tables: shown }
	},
})

export const describeTable = defineConnectionTool({
	name: 'describe_table',
	title: 'Describe table',
	description: 'Columns of a table. Call it before you write a query.',
	access: 'read',
	group: 'core',
	effect: 'none',
	input: { table: tableArgument, match: z.string().min(1).max(200).optional().describe('Part of a name') },
	output: {
		table: z.string(),
		hint: z.string().optional(),
		note: z.string().optional(),
		columns: z.array(z.object(columnOutput)),
		indexes: z.array(z.string()).optional(),
		references: referencesOutput,
		referred_by: z.array(z.string()).optional(),
	},
	run: async ({ table, match }, { open, call: { signal } }) => {
		const { columns, note, ...others } = await readDescription(await open(), table, signal)
		const found = match === undefined ? columns : columns.filter(nameContains(match))
		const shown = thatFit(found)
		const hint = `${shown.length} of ${found.length} columns. Narrow with \`match\`.`
		return {
			table,
			...(shown.length < found.length && { hint, is_truncated: true, total: found.length }),
			...(note !== undefined && { note }),
			columns: shown,
			...others,
		}
	},
})

const half = resultLimits.bytes / 2

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
		const isWanted = nameContains(term)
		const session = await open()
		const tables = await readTables(session, signal)
		const { columns, searched, isCut: isMore } = await findColumns(session, { term, tables }, signal)
		const found = { tables: tables.filter(isWanted), columns }
		const [shownTables, shownColumns] = [thatFit(found.tables, half), thatFit(columns, half)]
		const columnsFound = `${isMore ? 'at least ' : ''}${columns.length} columns`
		const isCut = shownTables.length < found.tables.length || shownColumns.length < columns.length
		return {
			...(isCut && { hint: `${found.tables.length} tables and ${columnsFound}. Search for a longer term.` }),
			tables: shownTables,
			columns: shownColumns,
			...(searched !== undefined && { columns_searched_in_tables: searched }),
		}
	},
})
