import { isJsonObject, type Json, parseJson } from '@roundhouse/kit'
import { bodyValues } from './body-values.ts'
import { type BulkAction, bulkActions } from './bulk-actions.ts'
import { endpointTemplate, matches } from './endpoint-template.ts'
import type { ConsoleRequest } from './request.ts'

/**
 * A body may destroy data if the request has one of these paths, and a key or a value anywhere in it has one of these
 * words.
 */
interface DestroyingRow {
	/** Templates as in endpoint-template.ts. */
	readonly paths: readonly string[]
	/** Tested against each part of a string, because a setting can be nested or use dots. */
	readonly words: readonly RegExp[]
	/** Tested against the values of members that name a field. */
	readonly fields?: RegExp
	readonly reason: string
}

/** Where the settings of an index are given: to the index itself, or to those that a template or a copy makes. */
const settingPaths = [
	':index',
	':index/_settings',
	'_index_template/:name',
	'_component_template/:name',
	'_template/:name',
	':index/_rollover',
	':index/_rollover/:name',
	':index/_clone/:name',
	':index/_split/:name',
	':index/_shrink/:name',
	'_snapshot/:name/:name/_mount',
]

export const destroyingRows: readonly DestroyingRow[] = [
	{
		paths: ['_cluster/reroute'],
		words: [/^allocate_empty_primary$/, /^allocate_stale_primary$/, /^accept_data_loss$/, /^allow_primary$/],
		reason: 'An empty or stale copy of a shard replaces its documents.',
	},
	{
		paths: ['_cluster/settings'],
		words: [/^destructive_requires_name$/, /lifecycle/, /retention/, /^history$/, /\*/],
		reason: 'The cluster deletes by these settings, or lets a pattern delete. A `*` resets all that it matches.',
	},
	{
		paths: settingPaths,
		words: [/lifecycle/, /^data_retention$/],
		reason: 'A policy or a retention deletes the index at its time.',
	},
	{
		paths: settingPaths,
		words: [/^default_pipeline$/, /^final_pipeline$/],
		reason: 'The pipeline processes all later writes to the index: it may drop them, or replace other documents.',
	},
	{
		paths: ['_ingest/pipeline/:name'],
		words: [/^drop$/, /^reroute$/, /^date_index_name$/, /(?:^|\W)_(?:index|id)\b/, /^script$/, /^add_to_root$/, /^kv$/],
		fields: /\{\{/,
		reason:
			'Such a processor drops documents, or writes them with another id or to another index. A script may do so, and so may a processor that reads the names of fields from a document.',
	},
	{
		paths: [':index/_alias/:name', ':index/_aliases/:name'],
		words: [/^index$/, /^indices$/, /^alias$/, /^aliases$/],
		reason: 'The engine reads these members at any depth, and they replace the index and the alias of the path.',
	},
	{
		paths: ['_ilm/policy/:name'],
		words: [/^delete$/, /^downsample$/, /^rollup$/],
		reason: 'The delete phase deletes indices, and the other actions delete an index that they have summarised.',
	},
	{
		paths: [':index/_mapping', ':index/_mappings', ...settingPaths],
		words: [/^_source$/],
		reason: 'On 8.x, this stops storing the content of documents that are written from then on, and cannot be undone.',
	},
	{
		paths: ['_transform/:name', '_transform/:name/_update'],
		words: [/^retention_policy$/],
		reason: 'A transform deletes what is older than its retention policy.',
	},
	{
		paths: ['_transform/:name/_update'],
		words: [/^dest$/],
		reason: 'A running transform then replaces documents of another index by their ids.',
	},
	{
		paths: ['_ml/anomaly_detectors/:name'],
		words: [/retention/],
		reason: 'Results and snapshots of a model are deleted after their retention.',
	},
	{
		paths: ['_watcher/watch/:name'],
		words: [/^webhook$/, /^http$/, /^reporting$/, /^index$/, /^doc_id$/],
		reason:
			'A watch sends requests of any method: by an action, by an input, or by an attachment. An index action replaces documents by their ids.',
	},
]

const rows = destroyingRows.map(({ paths, ...row }) => ({ ...row, templates: paths.map(endpointTemplate) }))

/**
 * Returns whether a body may destroy data, for endpoints that delete nothing themselves. Bulk actions and scripts are
 * interpreted; all others are checked by {@link destroyingRows}.
 */
export function bodyDestroys({ body }: Pick<ConsoleRequest, 'body'>, segments: readonly string[]): boolean {
	if (body === undefined) return false
	const word = segments[0]?.startsWith('_') ? segments[0] : (segments[1] ?? '')
	if (word === '_bulk') return linesDestroy(body)
	if (word === '_aliases' && segments.length === 1) return aliasesDestroy(body)
	if (takeScripts.has(word)) return scriptDestroys(body)
	return rowOf(body, segments) !== undefined
}

const scriptReason = 'A script that does more than set fields of a document can also delete it.'

/** Returns why a body may destroy data though it does not say so. `undefined` for one that says it, and for one that does not. */
export function bodyReason({ body }: Pick<ConsoleRequest, 'body'>, segments: readonly string[]): string | undefined {
	if (body === undefined) return undefined
	if (segments.at(-1) === '_bulk') return bulkActions(body)?.some(isScripted) ? scriptReason : undefined
	const takesScript = segments.some(segment => takeScripts.has(segment))
	return takesScript && scriptDestroys(body) ? scriptReason : rowOf(body, segments)?.reason
}

/** Returns the row of {@link destroyingRows} that a body fits. */
function rowOf(body: string, segments: readonly string[]) {
	const found = rows.filter(({ templates }) => templates.some(template => matches(template, segments)))
	if (found.length === 0) return undefined
	const parts = stringsOf(body).flatMap(text => text.split('.'))
	const fields = fieldsIn(body)
	return found.find(
		({ words, fields: destroying }) =>
			words.some(word => parts.some(part => word.test(part))) || fields.some(field => destroying?.test(field)),
	)
}

/** Returns the values of members that name a field. */
function fieldsIn(body: string): readonly string[] {
	const fields: string[] = []
	for (const { start, end, isKey, keys } of bodyValues(body)) {
		if (!isKey && /^(?:target_)?fields?$/.test(keys.at(-1) ?? '')) fields.push(JSON.parse(body.slice(start, end)))
	}
	return fields
}

const takeScripts = new Set(['_update', '_update_by_query', '_reindex'])

/** Returns every string of a JSON text, keys and values, also those that a parser drops because of a duplicate key. */
export function stringsOf(json: string): readonly string[] {
	return [...json.matchAll(/"(?:[^"\\]|\\.)*"/gs)].map(([text]) => JSON.parse(text) as string)
}

function linesDestroy(lines: string): boolean {
	const actions = bulkActions(lines)
	return actions === undefined || actions.some(action => action.name === 'delete' || isScripted(action))
}

const isScripted = ({ name, document = '' }: BulkAction) =>
	name === 'update' && document !== '' && scriptDestroys(document)

/** `remove_index` deletes an index, and `remove` does what DELETE /<index>/_alias/<name> does, which may have patterns. */
function aliasesDestroy(body: string): boolean {
	const texts = stringsOf(body)
	return texts.includes('remove_index') || (texts.includes('remove') && texts.some(namesMany))
}

/** Whether a name is a pattern, or has one in a list. */
export const namesMany = (name: string) => /\*|(?:^|,)_all(?:,|$)/.test(name)

/** A script may delete the documents it processes (`ctx.op`). Only the simplest scripts are known to be safe. */
export function scriptDestroys(body: string): boolean {
	const mentions = stringsOf(body).filter(text => text === 'script').length
	if (mentions === 0) return false
	const parsed = parseJson(body)
	const script = isJsonObject(parsed) ? parsed.script : undefined
	// The only mention is inside a document.
	if (script === undefined && mentions === 1) return false
	return mentions > 1 || !isPlainScript(script)
}

const value = String.raw`(?:-?\d+(?:\.\d+)?|'[^'\\]*'|"[^"\\]*"|true|false|null|params(?:\.\w+)+)`
const field = String.raw`ctx\._source(?:\.\w+)+`
/** For a trimmed statement: adjacent repetitions of blanks would take quadratic time. */
const plainStatement = new RegExp(
	String.raw`^(?:${field}\s*[-+*]?=\s*${value}|${field}\+\+|${field}--|ctx\._source(?:\.\w+)*\.remove\('[^'\\]*'\))?$`,
)

/** Other keys can also name a script, and the engine chooses which one counts. */
const plainKeys = new Set(['source', 'lang', 'params'])

/** Accepts only assignments to fields of the document. */
function isPlainScript(script: Json | undefined): boolean {
	if (isJsonObject(script) && !Object.keys(script).every(key => plainKeys.has(key))) return false
	const source = isJsonObject(script) ? script.source : script
	const language = isJsonObject(script) ? (script.lang ?? 'painless') : 'painless'
	return (
		typeof source === 'string' &&
		language === 'painless' &&
		source.split(';').every(statement => plainStatement.test(statement.trim()))
	)
}
