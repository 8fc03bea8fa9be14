import { isStoredQuery, type StoredQuery } from './table-query.ts'

/** An id keeps enough to differ from most others. */
const longest = 20
const shortened = 8

/**
 * What a further tab of a table shows, for its name: the value that it is filtered for, else the query, else the range.
 * Pure.
 * @returns an empty text for all rows
 */
export function aboutQuery(stored: unknown): string {
	if (!isStoredQuery(stored)) return ''
	const { rows, raw, time }: StoredQuery = stored
	const text = rows.find(({ isOn, text }) => isOn && text !== '')?.text ?? raw.trim()
	if (text !== '') return text.length > longest ? `${text.slice(0, shortened)}…` : text
	if (time?.span !== 'between' || time.from === '') return ''
	const clock = (moment: string) => / (\S+)$/.exec(moment)?.[1] ?? moment
	return `${clock(time.from)} – ${clock(time.to)}`
}
