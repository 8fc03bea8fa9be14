import {
	type Cell,
	cutText,
	denseCells,
	fromCell,
	isDriverError,
	type JsonObject,
	stringifyJson,
} from '@roundhouse/kit'
import { z } from 'zod'
import type { ClientSession } from '../../access/client-session.ts'
import { decodeAnswer } from '../../access/decode-answer.ts'
import { findColumns, nameContains, readTables } from '../connections/schema-reading.ts'
import { defineConnectionTool } from '../framework/define-tool.ts'
import { rowsText } from './engine-text.ts'

/**
 * Upper limits of the answer: about 2,000 tokens, independent of the size of the schema, and 1,000 where so many tables
 * fit that the model narrows its question anyway.
 */
const [roomBytes, shortRoomBytes] = [7_000, 3_400]
const maxTables = 40
/** Tables that are shown with columns. The others are shown by name. */
const maxOpened = 5
const maxColumns = 40
/** Of each table that is opened, whatever room they take. */
const fewColumns = 5
const samples = 3
const maxSampleLength = 40

type TableEntry = Awaited<ReturnType<typeof readTables>>[number]

export const overview = defineConnectionTool({
	name: 'overview',
	title: 'Overview',
	description:
		'What a connection holds: its tables and, of those that match, columns with types and sample values. Call it first.',
	access: 'read',
	group: 'core',
	effect: 'none',
	input: { match: z.string().min(1).max(200).optional().describe('Part of the name of a table or column') },
	output: {
		hint: z.string().optional(),
		total_tables: z.number(),
		matching_tables: z.number().optional(),
		tables: z.array(
			z.object({
				table: z.string(),
				row_count: z.number().optional(),
				columns: z.array(z.string()),
				more_columns: z.number().optional(),
			}),
		),
		other_tables: z.array(z.string()).optional(),
	},
	run: async ({ match }, { open, call: { signal } }) => {
		const session = await open()
		const tables = byRows(await readTables(session, signal))
		const { found, words } =
			match === undefined ? { found: tables } : await matching(tables, match, { session, signal })
		const shown = found.slice(0, maxTables)
		const details: JsonObject[] = []
		const room = found.length > maxTables ? shortRoomBytes : roomBytes
		let used = size(shown.map(brief))
		for (const table of shown.slice(0, maxOpened)) {
			const detail = await describe(table, { session, room: room - used }, signal).catch(error => {
				if (!isDriverError(error) || error.code !== 'denied') throw error
				return { table: table.name, columns: [error.message] }
			})
			used += size(detail)
			if (used > room && details.length > 0) break
			details.push(detail)
		}
		const rest = shown.slice(details.length)
		const hints = [
			...(found.length > details.length ? [hintOf(found.length, details.length, match)] : []),
			...(found.length > shown.length ? [`${rest.length} others are named.`] : []),
			...(words === undefined ? [] : [words]),
		]
		return {
			...(hints.length > 0 && { hint: hints.join(' ') }),
			total_tables: tables.length,
			...(match !== undefined && { matching_tables: found.length }),
			tables: details,
			...(rest.length > 0 && { other_tables: rest.map(brief) }),
		}
	},
})

/** Sorts by number of rows, because empty and internal tables are rarely of interest. */
function byRows(tables: readonly TableEntry[]): readonly TableEntry[] {
	return tables.toSorted((a, b) => (b.row_count ?? 0) - (a.row_count ?? 0))
}

/** Returns the tables whose name fits, or else those with such a column, and which columns were searched if not all. */
async function matching(
	tables: readonly TableEntry[],
	match: string,
	{ session, signal }: { readonly session: ClientSession; readonly signal: AbortSignal },
): Promise<{ readonly found: readonly TableEntry[]; readonly words?: string }> {
	const named = tables.filter(nameContains(match))
	if (named.length > 0) return { found: named }
	const { columns, searched, isCut } = await findColumns(session, { term: match, tables }, signal)
	const having = new Set(columns.map(({ table }) => table))
	return {
		found: tables.filter(({ name }) => having.has(name)),
		...(searched !== undefined && { words: `Columns of the ${searched} largest tables were searched.` }),
		...(isCut && { words: `The first ${columns.length} columns with such a name were searched.` }),
	}
}

/** Describes columns as lines, which need half the tokens of objects: `price: double, for example 1.10, 20`. */
async function describe(
	{ name, row_count: rows }: TableEntry,
	{ session, room }: { readonly session: ClientSession; readonly room: number },
	signal: AbortSignal,
) {
	const query = { table: name, filters: [], match: 'all', sort: [] } as const
	const page = decodeAnswer('openGrid', await session.readRows(query, { offset: 0, limit: samples }, signal), session)
	const cells = page.rows.map(row => denseCells(row, page.columns.length))
	const described = page.columns.slice(0, maxColumns).map(({ name: column, type, isKey }, at) => {
		const values = cells.map(row => sampleOf(row[at])).filter(value => value !== undefined)
		const examples = [...new Set(values)]
		return `${column}: ${type}${isKey ? ' (key)' : ''}${examples.length > 0 ? `, for example ${examples.join(', ')}` : ''}`
	})
	let used = 0
	const fitting = described.findIndex(line => {
		used += size([line])
		return used > room
	})
	const lines = fitting === -1 ? described : described.slice(0, Math.max(fitting, fewColumns))
	const more = page.columns.length - lines.length
	return {
		table: name,
		...(rows !== undefined && { row_count: rows }),
		columns: lines,
		...(more > 0 && { more_columns: more }),
	}
}

function sampleOf(cell: Cell | undefined): string | undefined {
	const value = cell === undefined ? null : (fromCell(cell) ?? null)
	if (value === null || value === '') return undefined
	return cutText(stringifyJson(value), maxSampleLength)
}

function brief({ name, row_count: rows }: TableEntry): string {
	return rows === undefined ? name : `${name} (${rowsText(rows)})`
}

function size(value: object): number {
	return Buffer.byteLength(JSON.stringify(value))
}

function hintOf(found: number, opened: number, match: string | undefined): string {
	const narrower = match === undefined ? 'Narrow with `match`' : 'Narrow `match`'
	return `${opened} of ${found} tables are shown with their columns, the largest first. ${narrower}, or use describe_table.`
}
