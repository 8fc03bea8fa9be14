import type { Verdict } from '@roundhouse/kit'
import { parameterMap } from '../transport/query-string.ts'
import { bulkActions } from './bulk-actions.ts'
import { stringsOf } from './destroying-body.ts'
import type { ConsoleRequest } from './request.ts'

/**
 * Returns the scope of a temporary consent: this method, on this endpoint of this one index, with the number of
 * documents that the text alone shows. Returns `undefined` for everything else: by-query requests, scripts, pipelines,
 * `_reindex`, and bulk requests that name another index affect more than their text shows.
 */
export function grantOf({ method, path: { segments, search }, body = '' }: ConsoleRequest): Verdict['grant'] {
	const [index = '', endpoint = ''] = segments
	const target = `${method} /${index}/${endpoint}`
	const parameters = parameterMap(search)
	// Both can select another document to write, also an existing one.
	if (parameters.has('pipeline') || (segments.length === 2 && parameters.has('id'))) return undefined
	// 7.x reads `_doc` as a type, and `/books/_doc/_mapping` as its mapping.
	if (segments[2]?.startsWith('_')) return undefined
	if (!isOneName.test(index) || target.length > longestTarget) return undefined
	const rows = endpoint === '_bulk' ? bulkRows(index, body) : documentRows(endpoint, body)
	return rows === undefined ? undefined : { target, rows }
}

/** Users do not read a longer target to the end. */
const longestTarget = 200

/** Rejects patterns, lists, date math, exclusions, remote clusters, and names of the engine's endpoints. */
const isOneName = /^[^_\-+*,<>|"\s:/\\?#][^*,<>|"\s:/\\?#]*$/

function documentRows(endpoint: string, body: string): number | undefined {
	if (endpoint === '_doc' || endpoint === '_create') return 1
	return endpoint === '_update' && !mentionsScript(body) ? 1 : undefined
}

function mentionsScript(json: string): boolean {
	return stringsOf(json).includes('script')
}

/**
 * Members of an action that only describe its document. Any other (a pipeline, an unknown member) may change the
 * target.
 */
const metadataNames = new Set([
	'_id',
	'_index',
	'routing',
	'version',
	'version_type',
	'if_seq_no',
	'if_primary_term',
	'retry_on_conflict',
	'require_alias',
])

function bulkRows(index: string, lines: string): number | undefined {
	const actions = bulkActions(lines)
	const isWithin = actions?.every(({ name, line, metadata, document = '' }) => {
		// Of a duplicate key, the engine may use the other value.
		const mentions = stringsOf(line).filter(text => text === '_index').length
		const isHere = mentions === 0 || (mentions === 1 && metadata._index === index)
		const isKnown = Object.keys(metadata).every(member => metadataNames.has(member))
		return isHere && isKnown && !(name === 'update' && mentionsScript(document))
	})
	return isWithin ? actions?.length : undefined
}
