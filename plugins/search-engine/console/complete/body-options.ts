import { valuesOfKey } from './fixed-words.ts'
import { described, fieldsAt, type Knowledge, keyword, namesOf, type Suggestion } from './knowledge.ts'
import type { Place } from './place.ts'
import type { BodyNode, Endpoint } from './specification.ts'

/** The place of typing in its text. */
export interface Typing<P extends Place> {
	readonly place: P
	readonly text: string
	readonly at: number
}

export async function bodyAt(
	{ place, text, at }: Typing<Place & { kind: 'body' }>,
	{ body }: Endpoint,
	known: Knowledge,
): Promise<readonly Suggestion[]> {
	let node: BodyNode | undefined = body
	for (const key of place.keys) node = node?.under(key)
	const isKey = place.expects === 'key'
	const written = (label: string) => (place.isQuoted ? undefined : isKey ? `"${label}": ` : literal(label))
	const found = isKey
		? await keysAt({ place, text, at }, node, known)
		: await valuesAt({ key: place.keys.at(-1) ?? '', expression: expressionOf(place.segments) }, node, known)
	return found.map(option => {
		const insert = written(option.label)
		return insert === undefined ? option : { ...option, insert }
	})
}

async function keysAt(
	{ place, text, at }: Typing<Place & { kind: 'body' }>,
	node: BodyNode | undefined,
	known: Knowledge,
): Promise<readonly Suggestion[]> {
	const { keys, segments } = place
	const isClusterSettings = segments[0] === '_cluster' && segments[1] === 'settings' && keys.length === 1
	if (isClusterSettings) return (await known.clusterSettings()).map(one => described(one, 'keyword'))
	if (keys.at(-1) === 'order') {
		const nested = [...requestAround(text, at).matchAll(/"(?:aggs|aggregations)"\s*:\s*\{\s*"([^"]+)"/g)]
		return [...new Set(['_count', '_key', ...nested.map(match => match[1] ?? '')])].map(label => keyword([label, '']))
	}
	if (node === undefined) return []
	const fields = node.takesFields ? await fieldsAt(expressionOf(segments), known) : []
	const dotted = node.keys.has('number_of_replicas') && keys.at(-1) !== 'index' ? [...node.keys] : []
	return [
		...Array.from(node.keys, keyword),
		...dotted
			.filter(([key]) => !node.keys.has(`index.${key}`) && !key.includes('.'))
			.map(([key, info]) => keyword([`index.${key}`, info])),
		...fields,
	]
}

/** Keys whose values name indices, aliases and data streams. */
const nameKeys: ReadonlySet<string> = new Set(['index', '_index', 'indices'])

async function valuesAt(
	{ key, expression }: { readonly key: string; readonly expression: string },
	node: BodyNode | undefined,
	known: Knowledge,
): Promise<readonly Suggestion[]> {
	const fields = node?.isField ? await fieldsAt(expression, known) : []
	const values = [...(node?.values ?? []), ...(valuesOfKey.get(key) ?? [])]
	const hasOwn = values.length > 0 || fields.length > 0
	const names = hasOwn || !(nameKeys.has(key) || key === 'alias') ? [] : await namesOf(known)
	return [
		...values.map(value => keyword([value, ''])),
		...fields,
		...names.filter(({ detail }) => key !== 'alias' || detail === 'alias'),
	]
}

/** Returns the text of the request around a place, up to the next request. */
function requestAround(text: string, at: number): string {
	const starts = Array.from(text.matchAll(/^[ \t]*(?:GET|POST|PUT|DELETE|HEAD)\b/gim), ({ index }) => index)
	return text.slice(
		starts.findLast(start => start < at) ?? 0,
		starts.find(start => start >= at),
	)
}

function literal(word: string): string {
	return word === 'true' || word === 'false' ? word : JSON.stringify(word)
}

/** Returns the name, the list or the pattern of a path; '' for all indices. */
function expressionOf([first]: readonly string[]): string {
	return first === undefined || first.startsWith('_') ? '' : first
}
