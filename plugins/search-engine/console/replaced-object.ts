import { named } from '../transport/engine-words.ts'
import { endpointTemplate, matches } from './endpoint-template.ts'
import type { LookUps } from './look-ups.ts'
import type { ConsoleRequest } from './request.ts'

/** Stored objects that a PUT replaces as a whole, and that a GET of the same path returns. */
const replaceable = [
	['_index_template/:name', 'index template'],
	['_component_template/:name', 'component template'],
	['_template/:name', 'template'],
	['_ingest/pipeline/:name', 'pipeline'],
	['_logstash/pipeline/:name', 'Logstash pipeline'],
	['_scripts/:name', 'stored script'],
	['_scripts/:name/:name', 'stored script'],
	['_ilm/policy/:name', 'lifecycle policy'],
	['_watcher/watch/:name', 'watch'],
	['_snapshot/:name', 'snapshot repository'],
	['_synonyms/:name', 'synonyms set'],
	['_query_rules/:name', 'query ruleset'],
].map(([path = '', what = '']) => ({ template: endpointTemplate(path), what }))

/** Kinds of objects that Elasticsearch Serverless does not have, by the start of the path. */
const notOnServerless: ReadonlySet<string> = new Set(['_template', '_ilm', '_watcher', '_snapshot'])

/** Returns the stored object that a request replaces, if there is one. */
export async function replacedObject(lookUps: LookUps, { method, path }: ConsoleRequest): Promise<string | undefined> {
	const { segments } = path
	const found = replaceable.find(({ template }) => matches(template, segments))
	if (found === undefined || (method !== 'PUT' && method !== 'POST')) return undefined
	if (lookUps.isServerless && notOnServerless.has(segments[0] ?? '')) return undefined
	const isScript = segments[0] === '_scripts'
	// The last segment of a script is the context that it is compiled for.
	const stored = isScript ? segments.slice(0, 2) : segments
	const current = await lookUps.at(...stored)
	if (current === false || (current !== undefined && Object.keys(current).length === 0)) return undefined
	const what = `the current ${found.what} ${named(stored.at(-1) ?? '')}`
	return current === undefined ? `${what}, if it exists` : what
}
