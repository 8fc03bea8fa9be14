import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { numberOf } from '../transport/answer.ts'
import { named, quoted } from '../transport/engine-words.ts'

/** Members about the answer itself. Notices report them when they matter. */
const aboutItself = new Set([
	'took',
	'timed_out',
	'_shards',
	'_clusters',
	'hits',
	'num_reduce_phases',
	'pit_id',
	'is_partial',
	'is_running',
	'id',
	'documents_found',
	'values_loaded',
	'columns',
	'values',
	'all_columns',
	'start_time_in_millis',
	'completion_time_in_millis',
	'expiration_time_in_millis',
])

/** Returns the members of an answer that its rows do not show. */
export function leftOut(answer: JsonObject, shown: readonly string[] = []): string[] {
	return Object.keys(answer).filter(name => !aboutItself.has(name) && !shown.includes(name) && !isNothing(answer[name]))
}

function isNothing(value: Json | undefined): boolean {
	if (value === undefined || value === null || value === false) return true
	return isJsonObject(value) && Object.keys(value).length === 0
}

/** Returns a notice that names them. */
export function leftOutNotice(names: readonly string[]): string[] {
	if (names.length === 0) return []
	const shown = names.map(named)
	const list = shown.length === 1 ? shown[0] : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
	return [`The answer also contains ${list}, which these rows do not show.`]
}

/** Reports other clusters of a search or a query that did not answer completely. */
export function clusterWarnings({ _clusters: clusters }: JsonObject): string[] {
	if (!isJsonObject(clusters)) return []
	const problems = [
		said(clusters.skipped, 'was skipped', 'were skipped'),
		said(clusters.failed, 'failed'),
		said(clusters.partial, 'answered partially'),
	].filter(text => text !== '')
	if (problems.length === 0) return []
	const [reason] = isJsonObject(clusters.details) ? Object.entries(clusters.details).flatMap(reasonOf) : []
	const why = reason === undefined ? '' : ` (${reason})`
	return [`Of ${numberOf(clusters.total)} clusters ${problems.join(' and ')}; rows are missing${why}.`]
}

function said(count: Json | undefined, one: string, many = one): string {
	const number = numberOf(count)
	return number > 0 ? `${number} ${number === 1 ? one : many}` : ''
}

function reasonOf([cluster, detail]: readonly [string, Json]): string[] {
	const [failure] = isJsonObject(detail) && Array.isArray(detail.failures) ? detail.failures : []
	const reason = isJsonObject(failure) && isJsonObject(failure.reason) ? failure.reason.reason : undefined
	return reason === undefined ? [] : [`${named(cluster)}: ${quoted(String(reason))}`]
}
