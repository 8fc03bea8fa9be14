import type { Filter } from './filter.ts'
import type { GridQuery } from './rows.ts'

/** Similar messages: texts of a log that differ in numbers, ids and the like only. */

/** Which messages to group, and how their times are counted. */
export interface SimilarQuery extends Omit<GridQuery, 'sort' | 'isReload'> {
	/** The column of the messages. */
	readonly column: string
	/** The column of their times. */
	readonly time: string
	/** The time that is counted, as ISO text in UTC. `to` is excluded. */
	readonly from: string
	readonly to: string
	/** Number of equal parts of this time. */
	readonly parts: number
	/** Upper limit of groups. */
	readonly limit: number
}

/** Messages that are similar. */
export interface SimilarGroup {
	/** What all of them have in common, for the user. */
	readonly pattern: string
	readonly count: number
	/** One of them. */
	readonly example: string
	/** Times of the first and the last one, as ISO text in UTC. */
	readonly first: string
	readonly last: string
	/** How many of them are in each part of the time. */
	readonly counts: readonly number[]
	/** Keeps the rows of the group, together with the filters of the query. */
	readonly filters: readonly Filter[]
}

/** Groups of similar messages, the largest first. */
export interface SimilarGroups {
	readonly groups: readonly SimilarGroup[]
	/** Notes for the user, above all about rows that are in no group. */
	readonly notices: readonly string[]
}
