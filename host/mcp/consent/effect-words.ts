import { type Access, type ChangedRows, cutText, describeEffect, type Effect, type TableEffect } from '@roundhouse/kit'
import type { SavedConnection } from '../../connections/connection-fields.ts'
import { printable } from '../protocol/printable.ts'
import type { ReplacedRows } from './question.ts'

/**
 * Returns what a statement may do at most, by what its rehearsal did or why there was none. More changed rows than
 * `mostChangedRows` count as a loss.
 */
export function accessAfter(
	access: Access,
	{ effect, unrehearsed }: { readonly effect?: Effect; readonly unrehearsed?: string },
	{ mostChangedRows }: Pick<SavedConnection, 'mostChangedRows'>,
): Access {
	if (access !== 'write') return access
	if (unrehearsed !== undefined) return 'destructive'
	const sum = (member: 'updated' | 'deleted') => effect?.tables.reduce((all, one) => all + one[member], 0) ?? 0
	return sum('deleted') > 0 || sum('updated') > mostChangedRows ? 'destructive' : access
}

/** Returns an effect whose texts are each on one line. */
export function printableEffect({ tables, place }: Effect): Effect {
	return {
		place,
		tables: tables.map(({ rows, table, ...counts }) => ({
			...counts,
			table: printable(table),
			...(rows && {
				rows: {
					columns: rows.columns.map(printable),
					changes: rows.changes.map(({ before, after }) => ({
						...(before && { before: before.map(cellText) }),
						...(after && { after: after.map(cellText) }),
					})),
				},
			}),
		})),
	}
}

const cellText = (cell: string | null) => (cell === null ? null : printable(cell))

/** Returns what an effect did as a sentence, for example `It deletes 1 row of shop.customers.` */
export const effectSentence = (effect: Effect): string => `It ${describeEffect(effect)}.`

const longestRows = 2_000

/** Returns rows before and after as lines, for a client. Of a changed row only what differs, behind its first column. */
export function rowLines(tables: readonly (TableEffect | ReplacedRows)[]): string {
	const lines = tables.flatMap(({ table, rows, ...counts }) => {
		if (!rows || rows.changes.length === 0) return []
		const all = 'count' in counts ? counts.count : counts.inserted + counts.updated + counts.deleted
		const left = all - rows.changes.length
		return [`${table}:`, ...rows.changes.map(change => `  ${lineOf(rows.columns, change)}`), ...more(left)]
	})
	return cutText(lines.join('\n'), longestRows)
}

const more = (left: number) => (left > 0 ? [`  and ${left.toLocaleString('en')} more`] : [])

function lineOf(columns: readonly string[], { before, after }: ChangedRows['changes'][number]): string {
	const cells = columns.flatMap((column, at) => {
		const [was, is] = [before?.[at], after?.[at]]
		if (was === undefined || is === undefined) return [`${column} ${quoted(was ?? is ?? null)}`]
		if (was === is) return at === 0 ? [`${column} ${quoted(is)}`] : []
		return [`${column} ${quoted(was)} → ${quoted(is)}`]
	})
	const verb = before === undefined ? 'inserted' : after === undefined ? 'deleted' : 'changed'
	return `${verb}: ${cells.join(', ')}`
}

const quoted = (cell: string | null) => (cell === null ? 'null' : `"${cell.replaceAll('"', '\\"')}"`)
