import { type Column, type Count, DriverError, denseCells, type PageBorder } from '@roundhouse/kit'
import { z } from 'zod'
import { mayContainSecret } from '../../../../base/redaction.ts'
import { decodeAnswer } from '../../access/decode-answer.ts'
import { quotedInput } from '../../protocol/outgoing-text.ts'
import { defineConnectionTool } from '../framework/define-tool.ts'
import { similarSentence } from '../framework/similar-names.ts'
import { filterWords, rawWords } from './engine-text.ts'
import { jsonLosses } from './json-losses.ts'
import { shownNotice, shownNotices } from './notices.ts'
import { noticesOutput, rowSetOutput } from './outputs.ts'
import { columns, rowFilter, sort } from './row-arguments.ts'
import { maxResultRows, rowSet } from './row-set.ts'
import { tableArgument } from './schema.ts'
import { valuesThere } from './values-there.ts'

const defaultPage = 20
/** The offset, and the position of the last row as base64 if the driver returned one. */
const cursorPattern = /^\d{1,9}(?:\.[\w-]{1,22000})?$/

export const browseTable = defineConnectionTool({
	name: 'browse_table',
	title: 'Browse table',
	description: 'Rows of a table, filtered and sorted. row_ids address the rows for changes.',
	access: 'read',
	group: 'core',
	effect: 'none',
	described: filterWords,
	input: {
		table: tableArgument,
		columns,
		...rowFilter,
		sort,
		max_rows: z.int().min(1).max(maxResultRows).default(defaultPage).describe('Rows at most'),
		cursor: z.string().regex(cursorPattern).optional().describe('next_cursor of the page before'),
	},
	output: {
		table: z.string(),
		total: z.number(),
		total_is_exact: z.boolean(),
		...rowSetOutput,
		rows: rowSetOutput.rows.describe('Numbers beyond a double are text'),
		row_ids: z.array(z.string()),
		row_versions: z.array(z.string().nullable()).optional(),
		next_cursor: z.string().optional(),
		notices: noticesOutput,
	},
	run: async (
		{ table, columns, cursor, max_rows: limit, raw, ...rest },
		{ open, call: { signal }, services: { clock } },
	) => {
		const { offset, after } = borderOf(cursor)
		const session = await open()
		const query = { table, ...rest, ...(raw !== undefined && { raw }) }
		const page = decodeAnswer(
			'openGrid',
			await session.readRows(query, { offset, limit, givesPositions: true, ...(after && { after }) }, signal),
			session,
		)
		const places = placesOf(columns, page.columns)
		const asked = places.map(at => page.columns[at] as Column)
		const cells = page.rows.map(row => {
			const all = denseCells(row, page.columns.length)
			return places.map(at => all[at] ?? null)
		})
		const set = rowSet(asked, cells, {
			beside: at => [page.rows[at]?.id ?? '', page.rows[at]?.version ?? null],
		})
		const { row_count: count, hint: _, ...rows } = set
		// An engine may drop an unknown column from the order, and say so in a notice.
		const known = page.columns.map(({ name }) => name)
		const similar = similarSentence('Columns', unknownIn(rest.sort, known), known)
		const shown = page.rows.slice(0, count)
		const next = offset + count
		const position = shown.at(-1)?.position
		const notices = [
			...(offset > 0 && count > 0 && after === undefined ? [offsetNotice] : []),
			...estimated(page.total),
			...shownNotices(page.notices),
			...jsonLosses(asked, cells.slice(0, count)),
			...(similar === undefined ? [] : [similar]),
			...(set.columns_total === undefined
				? []
				: [
						`Only ${set.columns.length} of ${set.columns_total} columns are shown. Select the \`columns\` that you need.`,
					]),
		]
		// Behind a border, rows that others have inserted or deleted before it make the total say nothing about the rest.
		const isMoreBehind = after === undefined ? next < page.total.value : page.rows.length === limit
		const hasMore = set.is_truncated || isMoreBehind
		const others = page.total.value === 0 ? await valuesThere(session, query, { clock, signal }) : undefined
		const versions = shown.map(row => row.version ?? null)
		return {
			...(set.is_truncated && { hint: cutHint(page.rows.length, count) }),
			...(others !== undefined && { hint: others }),
			table,
			total: page.total.value,
			total_is_exact: page.total.isExact,
			...rows,
			row_count: count,
			// A row of a table with hidden columns has no id.
			row_ids: shown.flatMap(({ id }) => (id === '' ? [] : [id])),
			...(versions.some(version => version !== null) && { row_versions: versions }),
			is_truncated: hasMore,
			...(count > 0 && hasMore && { next_cursor: cursorOf(next, position) }),
			...(notices.length > 0 && { notices }),
		}
	},
})

const offsetNotice = 'Rows that others insert or delete between two pages move the rows behind them.'

function cursorOf(offset: number, position: string | undefined): string {
	// In base64, the encoding of results would not find a secret.
	return position === undefined || mayContainSecret(position)
		? String(offset)
		: `${offset}.${Buffer.from(position).toString('base64url')}`
}

/** Returns where the page of a cursor begins. */
function borderOf(cursor = '0'): { readonly offset: number; readonly after?: PageBorder } {
	const [digits, position] = cursor.split('.')
	const offset = Number(digits)
	if (position === undefined || offset === 0) return { offset }
	return { offset, after: { offset, position: Buffer.from(position, 'base64url').toString() } }
}

function unknownIn(sort: readonly { readonly column: string }[], known: readonly string[]): readonly string[] {
	return sort.map(({ column }) => column).filter(column => !known.includes(column) && !column.startsWith('_'))
}

/**
 * Returns the indexes of the requested columns.
 * @throws DriverError `invalid_argument` with the name of an unknown column
 */
export function placesOf(wanted: readonly string[] | undefined, columns: readonly Column[]): readonly number[] {
	if (!wanted) return columns.map((_, at) => at)
	const known = new Map(columns.map(({ name }, at) => [name, at]))
	return wanted.map(name => {
		const at = known.get(name)
		if (at !== undefined) return at
		throw new DriverError(
			'invalid_argument',
			`columns: the rows have no column "${quotedInput(name)}". \`describe_table\` lists them.`,
		)
	})
}

/** Returns a hint for a truncated answer. */
function cutHint(asked: number, sent: number): string {
	if (sent === 0) return 'The first row is too large. Select the `columns` that you need.'
	return `Truncated: ${sent} of ${asked} requested rows. Select the \`columns\` that you need, or continue with \`next_cursor\`.`
}

/** An inexact count is otherwise a lower bound. */
function estimated({ isExact, bound }: Count): readonly string[] {
	return !isExact && bound === 'about' ? ['The count is an estimate of the engine.'] : []
}

export const countRows = defineConnectionTool({
	name: 'count_rows',
	title: 'Count rows',
	description: 'How many rows of a table match.',
	access: 'read',
	group: 'core',
	effect: 'none',
	described: rawWords,
	input: { table: tableArgument, ...rowFilter },
	output: { table: z.string(), count: z.number(), is_exact: z.boolean(), notice: z.string().optional() },
	run: async ({ table, raw, ...rest }, { open, call: { signal }, services: { clock } }) => {
		const query = { table, ...rest, ...(raw !== undefined && { raw }) }
		const session = await open()
		const count = await session.call('countRows', { query }, { signal })
		const others = count.value === 0 ? await valuesThere(session, query, { clock, signal }) : undefined
		const notice = [
			...estimated(count),
			...(count.notice === undefined ? [] : [shownNotice(count.notice)]),
			...(others === undefined ? [] : [others]),
		].join(' ')
		return {
			table,
			count: count.value,
			is_exact: count.isExact,
			...(notice !== '' && { notice }),
		}
	},
})
