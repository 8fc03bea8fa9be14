import { plain } from '../state/keep.ts'
import type { Records } from '../state/records.ts'
import { type BarQuery, isBarQuery, textOf } from './query-bar/bar-query.ts'

/** The last queries of a table, newest first. They are removed with the connection, whose id is the second segment. */

const mostKept = 20
/** A pasted query may be long, and the record is read at each start. */
const longestKept = 2_000

interface Target {
	readonly connection: string
	readonly table: string
}

const keyOf = ({ connection, table }: Target) => `queries/${connection}/${table}`

export function recentQueries(records: Records, target: Target): readonly BarQuery[] {
	const kept: unknown = records.get(keyOf(target))
	return Array.isArray(kept) ? kept.filter(isBarQuery).slice(0, mostKept) : []
}

export function keepQueryText(records: Records, target: Target, query: BarQuery): void {
	if (query.raw === '' || query.raw.length + textOf(query).length > longestKept) return
	const others = recentQueries(records, target).filter(other => textOf(other) !== textOf(query))
	records.set(keyOf(target), plain([query, ...others].slice(0, mostKept)))
}
