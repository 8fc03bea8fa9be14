import type { Effect } from '../../host/api/api.ts'
import { count } from '../words/format.ts'

/**
 * Names an effect in one line: `Change 3 rows of orders`, or with sums, for example `Delete 351 and add 19 rows in 5
 * tables`. The tables are listed below it.
 */
export function effectTitle({ tables }: Effect): string {
	const sum = (member: 'deleted' | 'updated' | 'inserted') => tables.reduce((all, one) => all + one[member], 0)
	const parts = [
		{ verb: 'delete', rows: sum('deleted') },
		{ verb: 'change', rows: sum('updated') },
		{ verb: 'add', rows: sum('inserted') },
	].filter(({ rows }) => rows > 0)
	const last = parts.at(-1)
	if (!last) return 'Change no row'
	const words = parts.map(({ verb, rows }) => `${verb} ${count(rows)}`)
	const text = [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' and ')
	const where = tables.length === 1 ? `of ${tables[0]?.table}` : `in ${tables.length} tables`
	return `${text[0]?.toUpperCase()}${text.slice(1)} ${last.rows === 1 ? 'row' : 'rows'} ${where}`
}
