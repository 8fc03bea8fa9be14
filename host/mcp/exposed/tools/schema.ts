import { DriverError } from '@roundhouse/kit'
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
	input: {
		match: z.string().min(1).max(200).optional().describe('Part of a name or schema'),
		cursor: z.string().min(1).optional().describe('From next_cursor'),
	},
	output: {
		tables: tablesOutput,
		is_truncated: z.boolean().optional(),
		total: z.number().optional(),
		by_schema: z.record(z.string(), z.number()).optional(),
		next_cursor: z.string().optional(),
		hint: z.string().optional(),
	},
	run: async ({ match, cursor }, { open, call: { signal } }) => {
		const all = await readTables(await open(), signal)
		const isWanted = match === undefined ? () => true : nameContains(match)
		const tables = all.filter(
			table => isWanted(table) || (table.path !== undefined && isWanted({ name: schemaOf(table) })),
		)
		const left = cursor === undefined ? tables : tables.slice(placeAfter(tables, cursor))
		const shown = thatFit(left)
		const last = shown.at(-1)
		if (last === undefined || shown.length === left.length) return { tables: shown }
		return {
			tables: shown,
			is_truncated: true,
			total: tables.length,
			next_cursor: last.name,
			...(cursor === undefined && bySchema(tables)),
			hint: `${shown.length} of ${tables.length} tables. Narrow with \`match\`, or continue with \`next_cursor\`.`,
		}
	},
})

type ListedTable = Awaited<ReturnType<typeof readTables>>[number]

/** `sales`, or `shop.sales` if tables of several databases are listed. */
const schemaOf = ({ path = [] }: ListedTable) => path.join('.')

/** At most so many schemas are counted. */
const mostSchemas = 50

/** Counts the tables of each schema, so that a model knows which ones to ask for. */
function bySchema(tables: readonly ListedTable[]): { readonly by_schema?: Readonly<Record<string, number>> } {
	const counts = new Map<string, number>()
	for (const table of tables) counts.set(schemaOf(table), (counts.get(schemaOf(table)) ?? 0) + 1)
	if (counts.size < 2) return {}
	return { by_schema: Object.fromEntries([...counts].sort((a, b) => b[1] - a[1]).slice(0, mostSchemas)) }
}

/** A cursor is the name of the last table of a page. @throws DriverError `invalid_argument` if that table is gone */
function placeAfter(tables: readonly ListedTable[], cursor: string): number {
	const place = tables.findIndex(({ name }) => name === cursor)
	if (place < 0)
		throw new DriverError('invalid_argument', 'The cursor is of no table of this list. List from the start.')
	return place + 1
}

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
		hint: z.string().optional(),
	},
	run: async ({ term }, { open, call: { signal } }) => {
		const isWanted = nameContains(term)
		const session = await open()
		const tables = await readTables(session, signal)
		const { columns, searched, isCut: isMore } = await findColumns(session, { term, tables }, signal)
		const found = { tables: tables.filter(isWanted), columns }
		const [shownTables, shownColumns] = [thatFit(found.tables, half), thatFit(columns, half)]
		// The lists are whole otherwise, so their lengths say how many there are.
		const isPart = isMore || searched !== undefined
		const isCut = shownTables.length < found.tables.length || shownColumns.length < columns.length || isPart
		const columnsFound = `${isPart ? 'at least ' : ''}${columns.length} columns`
		const where = searched === undefined ? '' : `: those of ${searched} of ${tables.length} tables were searched`
		return {
			...(isCut && { hint: `${found.tables.length} tables and ${columnsFound}${where}. Search for a longer term.` }),
			tables: shownTables,
			columns: shownColumns,
		}
	},
})
