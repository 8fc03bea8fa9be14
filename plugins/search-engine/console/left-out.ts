import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { numberOf } from '../transport/answer.ts'

/** What an answer says about itself, and what troubles say where it matters. */
const aboutItself = new Set([
	...['took', 'timed_out', '_shards', '_clusters', 'hits', 'num_reduce_phases', 'pit_id'],
	...['is_partial', 'is_running', 'id', 'documents_found', 'values_loaded', 'columns', 'values', 'all_columns'],
	...['start_time_in_millis', 'completion_time_in_millis', 'expiration_time_in_millis'],
])

/** The members of an answer that its rows do not show. */
export function leftOut(answer: JsonObject, shown: readonly string[] = []): string[] {
	return Object.keys(answer).filter(name => !aboutItself.has(name) && !shown.includes(name) && !isNothing(answer[name]))
}

function isNothing(value: Json | undefined): boolean {
	if (value === undefined || value === null || value === false) return true
	return isJsonObject(value) && Object.keys(value).length === 0
}

/** A notice that names them. */
export function leftOutNotice(names: readonly string[]): string[] {
	if (names.length === 0) return []
	const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
	const hint = names.includes('aggregations') ? ' Aggregations become a table with "size": 0.' : ''
	return [`The answer also holds ${list}, which these rows do not show.${hint}`]
}

/** Other clusters that a search or a query went to, and that did not answer as they should. */
export function clusterTroubles({ _clusters: clusters }: JsonObject): string[] {
	if (!isJsonObject(clusters)) return []
	const told = [
		said(clusters.skipped, 'was skipped', 'were skipped'),
		said(clusters.failed, 'failed'),
		said(clusters.partial, 'answered in part'),
	].filter(text => text !== '')
	if (told.length === 0) return []
	const [reason] = isJsonObject(clusters.details) ? Object.entries(clusters.details).flatMap(reasonOf) : []
	const why = reason === undefined ? '' : ` (${reason})`
	return [`Of ${String(clusters.total)} clusters ${told.join(' and ')}; rows are missing${why}.`]
}

function said(count: Json | undefined, one: string, many = one): string {
	const number = numberOf(count)
	return number > 0 ? `${number} ${number === 1 ? one : many}` : ''
}

function reasonOf([cluster, detail]: readonly [string, Json]): string[] {
	const [failure] = isJsonObject(detail) && Array.isArray(detail.failures) ? detail.failures : []
	const reason = isJsonObject(failure) && isJsonObject(failure.reason) ? failure.reason.reason : undefined
	return reason === undefined ? [] : [`${cluster}: ${String(reason)}`]
}
