import { readMoment, shownMoment } from '../time/moment.ts'
import type { TimeRange } from '../time/time-range.ts'
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
	return time?.span === 'between' && time.from !== '' ? endsOf(time) : ''
}

/** The times of a range within a day, the days of another one; relative ends as they were typed. */
function endsOf({ from, to, clock }: TimeRange): string {
	const ends = [from, to].map(end => {
		const moment = readMoment(end)
		const [day = '', time = day] = (moment === undefined ? end : shownMoment(moment, clock)).split(' ')
		return { day, time }
	})
	const isOfOneDay = new Set(ends.map(({ day }) => day)).size === 1
	return ends.map(({ day, time }) => (isOfOneDay ? time : day)).join(' – ')
}
