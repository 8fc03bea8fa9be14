import { type FactSection, isJsonObject, type Json, type JsonObject, stringifyJson } from '@roundhouse/kit'
import { brief, displayText, duration, listOf } from '../facts/describe.ts'
import { objectOf, objectsOf } from '../transport/answer.ts'
import { suggestionRows } from './suggestion-rows.ts'

/** Readable parts of an answer beside its rows. */
export interface Panels {
	readonly panels: readonly FactSection[]
	/** Members of the answer that the panels show. */
	readonly shown: readonly string[]
}

export function panelsOf(answer: Json): Panels {
	if (!isJsonObject(answer)) return { panels: [], shown: [] }
	const hits = objectsOf(objectOf(answer.hits).hits)
	const suggestions = hits.length > 0 ? suggestionPanel(answer) : []
	const profile = profilePanels(answer)
	const scroll = scrollPanel(answer)
	return {
		panels: [...suggestions, ...explanationPanels(answer, hits), ...profile, ...scroll],
		shown: [
			...(suggestions.length > 0 ? ['suggest'] : []),
			...(profile.length > 0 ? ['profile'] : []),
			...(scroll.length > 0 ? ['_scroll_id'] : []),
		],
	}
}

/** Returns the request for the next page. */
function scrollPanel({ _scroll_id: id }: JsonObject): FactSection[] {
	if (typeof id !== 'string') return []
	const statement = `POST /_search/scroll\n${stringifyJson({ scroll: '1m', scroll_id: id }, 2)}`
	return [{ title: 'Scroll', facts: [{ name: '_scroll_id', value: id }], statement }]
}

function suggestionPanel({ suggest }: JsonObject): FactSection[] {
	const rows = suggestionRows(objectOf(suggest)).map(row => Object.fromEntries(row))
	if (rows.length === 0) return []
	const columns = { Suggester: 'suggest', Text: 'text', Suggestion: 'option', Score: 'score' }
	const readers = Object.entries(columns).map(([title, key]) => [title, (row: JsonObject) => row[key]] as const)
	return [{ title: 'Suggestions', ...listOf(rows as JsonObject[], Object.fromEntries(readers)) }]
}

const maxExplained = 10

/** Explanations of `_explain`, and of a search with `explain`. */
function explanationPanels(answer: JsonObject, hits: readonly JsonObject[]): FactSection[] {
	if (isJsonObject(answer.explanation) && answer.matched !== undefined) {
		const title = `Why ${displayText(answer._id)} ${answer.matched === true ? 'matches' : 'does not match'}`
		return [explanationPanel(title, answer.explanation)]
	}
	const explained = hits.filter(hit => isJsonObject(hit._explanation))
	const panels = explained
		.slice(0, maxExplained)
		.map(hit => explanationPanel(`Why ${displayText(hit._id)} is here`, objectOf(hit._explanation)))
	return withRest(panels, explained.length, 'explanations')
}

/** Says in the first panel that there are more. */
const withRest = (panels: readonly FactSection[], total: number, noun: string): FactSection[] =>
	panels.map((panel, at) => {
		if (at > 0 || panels.length === total) return panel
		const words = `The first ${panels.length} of ${total} ${noun} are shown.`
		return { ...panel, notice: panel.notice === undefined ? words : `${words} ${panel.notice}` }
	})

function explanationPanel(title: string, explanation: JsonObject): FactSection {
	const list = listOf(inTreeOrder(explanation, 'details'), {
		Score: ({ node }) => node.value,
		Because: ({ node, depth }) => `${indent(depth)}${displayText(node.description)}`,
	})
	return { title, ...list }
}

const maxShards = 5

/** Where a search spent its time, slowest shards first. */
function profilePanels({ profile }: JsonObject): FactSection[] {
	const shards = objectsOf(objectOf(profile).shards)
		.map(shard => ({ shard, ...partsOf(shard) }))
		.filter(({ parts }) => parts.length > 0)
		.sort((a, b) => b.totalNs - a.totalNs)
	const panels = shards.slice(0, maxShards).map(({ shard, parts, totalNs }) => ({
		title: `Time spent in shard ${displayText(shard.id).replace(/^\[[^\]]*\]/, '')}`,
		...listOf(parts, {
			Part: ({ node, depth }) => `${indent(depth)}${displayText(node.type ?? node.name)}`,
			Description: ({ node }) => brief(displayText(node.description ?? node.reason), 500),
			Time: ({ node }) => shortTime(nanosOf(node)),
			Share: ({ node }) => `${Math.round((100 * nanosOf(node)) / Math.max(totalNs, 1))} %`,
		}),
	}))
	return withRest(panels, shards.length, 'shards, the slowest first,')
}

interface Part {
	readonly node: JsonObject
	readonly depth: number
}

/** Returns query, collector, aggregations and fetch of a shard, each with its parts. */
export function partsOf(shard: JsonObject) {
	const searches = objectsOf(shard.searches)
	const roots = [
		...searches.flatMap(search => objectsOf(search.query)),
		...objectsOf(shard.aggregations),
		...(isJsonObject(shard.fetch) ? [shard.fetch] : []),
	]
	// A collector's time includes that of its aggregations.
	const collectors = searches.flatMap(search => objectsOf(search.collector))
	return {
		parts: [...roots, ...collectors].flatMap(root => inTreeOrder(root, 'children')),
		totalNs: roots.reduce((sum, root) => sum + nanosOf(root), 0),
	}
}

/** Returns each node before its children. Iterative, because the answer determines the depth of the tree. */
function inTreeOrder(root: JsonObject, childrenKey: string): Part[] {
	const parts: Part[] = []
	const waiting: Part[] = [{ node: root, depth: 0 }]
	for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
		parts.push(part)
		const { node, depth } = part
		for (const child of objectsOf(node[childrenKey]).toReversed()) waiting.push({ node: child, depth: depth + 1 })
	}
	return parts
}

/** Indents with spaces that do not collapse. */
function indent(depth: number): string {
	return '\u2003'.repeat(depth)
}

export function nanosOf({ time_in_nanos: nanos }: JsonObject): number {
	return typeof nanos === 'number' ? nanos : 0
}

function shortTime(nanos: number): string {
	return nanos < 1e6 ? `${(nanos / 1e6).toFixed(2)} ms` : duration(nanos / 1e6)
}
