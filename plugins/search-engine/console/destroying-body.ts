import { isJsonObject, type Json, parseJson } from '@roundhouse/kit'
import type { ConsoleRequest } from './request.ts'

/**
 * The endpoints whose body decides whether they destroy. They are few, and for each it is said here what surely does
 * not; everything else, and what cannot be read, does.
 */
export function bodyDestroys({ body }: Pick<ConsoleRequest, 'body'>, segments: readonly string[]): boolean {
	if (body === undefined) return false
	const endpoint = endpointOf(segments)
	if (endpoint === '_bulk') return linesDestroy(body)
	if (takeScripts.has(endpoint)) return scriptDestroys(body)
	const strings = stringsOf(body)
	return (destroyingWords.get(endpoint) ?? []).some(destroying => strings.some(text => destroying.test(text)))
}

/** The endpoint without the index before it and the name behind it. */
function endpointOf(segments: readonly string[]): string {
	const [first = '', second = ''] = segments
	if (!first.startsWith('_')) return second
	return segments.length === 1 || first === '_transform' ? first : `${first}/${second}`
}

const takeScripts = new Set(['_update', '_update_by_query', '_reindex'])

/** By endpoint: a body that holds one of these as a key or a value, wherever, may destroy. */
const destroyingWords: ReadonlyMap<string, readonly RegExp[]> = new Map([
	['_aliases', [/^remove_index$/]],
	[
		'_cluster/reroute',
		[/^allocate_empty_primary$/, /^allocate_stale_primary$/, /^accept_data_loss$/, /^allow_primary$/],
	],
	['_cluster/settings', [/destructive_requires_name/, /lifecycle/, /retention/, /history\.duration/]],
	['_transform', [/^retention_policy$/]],
	['_watcher/watch', [/^webhook$/]],
	['_ilm/policy', [/^delete$/]],
	// An index under a policy is deleted when the policy says so.
	['_settings', [/lifecycle/]],
])

/** Every string of a JSON text, keys and values, also those that a parser drops because a key comes twice. */
export function stringsOf(json: string): readonly string[] {
	return [...json.matchAll(/"(?:[^"\\]|\\.)*"/gs)].map(([text]) => JSON.parse(text) as string)
}

/** Actions and their documents take turns; only `delete` has no document. */
function linesDestroy(lines: string): boolean {
	let action: string | undefined
	for (const line of lines.split('\n')) {
		if (line.trim() === '') continue
		if (action !== undefined) {
			if (action === 'update' && scriptDestroys(line)) return true
			action = undefined
			continue
		}
		const parsed = parseJson(line)
		const names = isJsonObject(parsed) ? Object.keys(parsed) : []
		action = names.length === 1 ? names[0] : undefined
		if (action !== 'index' && action !== 'create' && action !== 'update') return true
	}
	return false
}

/** A script may delete what it visits (`ctx.op`), and what a script does cannot be told, but for the plainest. */
function scriptDestroys(body: string): boolean {
	const mentions = stringsOf(body).filter(text => text === 'script').length
	if (mentions === 0) return false
	const parsed = parseJson(body)
	const script = isJsonObject(parsed) ? parsed.script : undefined
	// The only mention is somewhere in a document.
	if (script === undefined && mentions === 1) return false
	return mentions > 1 || !isPlainScript(script)
}

const value = String.raw`(?:-?\d+(?:\.\d+)?|'[^'\\]*'|"[^"\\]*"|true|false|null|params(?:\.\w+)+)`
const field = String.raw`ctx\._source(?:\.\w+)+`
const plainStatement = new RegExp(
	String.raw`^\s*(?:${field}\s*[-+*]?=\s*${value}|${field}\+\+|${field}--|ctx\._source(?:\.\w+)*\.remove\('[^'\\]*'\))?\s*$`,
)

/** A script may be named in several ways, and which one counts is the engine's choice. */
const plainKeys = new Set(['source', 'lang', 'params'])

/** Assignments to fields of the document, and nothing else. */
function isPlainScript(script: Json | undefined): boolean {
	if (isJsonObject(script) && !Object.keys(script).every(key => plainKeys.has(key))) return false
	const source = isJsonObject(script) ? script.source : script
	const language = isJsonObject(script) ? (script.lang ?? 'painless') : 'painless'
	return (
		typeof source === 'string' &&
		language === 'painless' &&
		source.split(';').every(statement => plainStatement.test(statement))
	)
}
