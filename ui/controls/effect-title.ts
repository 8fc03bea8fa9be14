import type { Effect } from '../../host/api/api.ts'
import { capital, count } from '../words/format.ts'

interface Noun {
	readonly one: string
	readonly many: string
}
const row: Noun = { one: 'row', many: 'rows' }

/**
 * Names an effect in one line: `Change 3 rows of orders`, or with sums, for example `Delete 351 and add 19 rows in 5
 * tables`. The tables are listed below it.
 */
export function effectTitle(effect: Effect, noun: Noun = row): string {
	const { tables } = effect
	const text = effectAction(effect, noun)
	if (text === undefined) return `Change no ${noun.one.toLowerCase()}`
	return `${text} ${tables.length === 1 ? `of ${tables[0]?.table}` : `in ${tables.length} tables`}`
}

/** Names what an effect does to how many rows: `Delete 5 and change 3 rows`. */
export function effectAction({ tables }: Effect, noun: Noun = row): string | undefined {
	const sum = (member: 'deleted' | 'updated' | 'inserted') => tables.reduce((all, one) => all + one[member], 0)
	const parts = [
		{ verb: 'delete', rows: sum('deleted') },
		{ verb: 'change', rows: sum('updated') },
		{ verb: 'add', rows: sum('inserted') },
	].filter(({ rows }) => rows > 0)
	const last = parts.at(-1)
	if (!last) return undefined
	const words = parts.map(({ verb, rows }) => `${verb} ${count(rows)}`)
	const text = [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' and ')
	return `${capital(text)} ${(last.rows === 1 ? noun.one : noun.many).toLowerCase()}`
}
