import { DriverError, type Json, type JsonObject, parseJson } from '@roundhouse/kit'
import { numberOf, objectOf } from '../transport/answer.ts'
import type { EngineRequest } from '../transport/engine-request.ts'
import { parameterMap, parametersOf, searchOf } from '../transport/query-string.ts'
import type { Transport } from '../transport/transport.ts'
import { type Expense, expenseOfLucene, expensesOf, narrowingOf } from './expenses.ts'

type Asked = Pick<EngineRequest, 'path' | 'search' | 'body' | 'text' | 'isRead'>
type Asking = Pick<Transport, 'send'>

/** Reads that take a query in their body. */
const searching =
	/\/(?:_search|_count|_async_search|_knn_search|_rank_eval|_eql\/search|_graph\/explore|_fleet\/_fleet_search|_mvt\/.+)$/
const searchingMany = /\/(?:_msearch|_fleet\/_fleet_msearch)$/
/** Parameters that determine the documents, beside the names of the tables. */
const meaning = ['ignore_unavailable', 'allow_no_indices', 'expand_wildcards', 'ignore_throttled', 'routing'] as const

/** How to check a cost: the size of a large table in rows, and the way to ask the cluster. */
interface CostCheck {
	readonly limitRows: number | undefined
	readonly transport: Asking
	readonly signal: AbortSignal
}

/**
 * Rejects expensive reads of AI clients over a large table. Called before each read is sent. Writes were requested with
 * their cost in view, so they are not checked. @throws DriverError `denied` with the cheaper way
 */
export async function refuseExpensive(request: Asked, { limitRows, transport, signal }: CostCheck): Promise<void> {
	if (limitRows === undefined || !request.isRead) return
	for (const search of searchesOf(request)) {
		const [expense] = [...luceneOf(search), ...expensesOf(search.body)]
		if (!expense || !(await isLarge(search, { limitRows, transport, signal }))) continue
		const { why, instead } = expense
		const rows = limitRows.toLocaleString('en')
		throw new DriverError(
			'denied',
			`Over ${rows} or more documents this costs the cluster too much for an AI client: ${why}. ${instead} The user can run it in the window.`,
		)
	}
}

interface Search {
	/** Path where the same documents can be counted, with the parameters that determine them. */
	readonly path: string
	readonly search: string
	readonly body: JsonObject
	/** Queries in Lucene syntax from the query string. They replace the body's query. */
	readonly lucene: readonly string[]
}

function searchesOf({ path, search = '', body, text }: Asked): readonly Search[] {
	if (searchingMany.test(path)) return manyOf(path, text ?? '')
	if (!searching.test(path)) return []
	const parameters = parametersOf(search)
	const all = (wanted: string) => parameters.filter(({ name }) => name === wanted).map(({ value }) => value)
	const meant = searchOf([...parameterMap(search)].filter(([name]) => meaning.some(known => known === name)))
	const bodies = [body ?? readJson(text), ...all('source').map(readJson)]
	const to = { path: path.replace(searching, '/_search'), search: meant, lucene: all('q') }
	return bodies.map(body => ({ ...to, body: objectOf(body) }))
}

/**
 * Heads and bodies alternate, and a head may be an empty line. So each line is treated as a body with the previous line
 * as its head. This is safe, because a head contains nothing expensive.
 */
function manyOf(path: string, text: string): readonly Search[] {
	const lines = text.split('\n')
	const own = path.replace(searchingMany, '')
	return lines.map((line, at) => {
		const head = objectOf(readJson(lines[at - 1]))
		const names = [head.index ?? head.indices ?? []].flat().filter(name => typeof name === 'string')
		const target = names.length > 0 ? `/${names.map(encodeURIComponent).join(',')}` : own
		const meant = meaning.flatMap(name => (head[name] === undefined ? [] : [[name, String(head[name])] as const]))
		const search = searchOf(meant)
		return { path: `${target}/_search`, search, body: objectOf(readJson(line)), lucene: [] }
	})
}

/** The engine rejects what is not JSON. */
function readJson(text: string | undefined): Json | undefined {
	try {
		return text === undefined ? undefined : parseJson(text)
	} catch {
		return undefined
	}
}

function luceneOf({ lucene }: Search): readonly Expense[] {
	return lucene.flatMap(text => expenseOfLucene(text) ?? [])
}

/**
 * Returns whether the cheap part of the query matches at least this many documents. The engine stops counting there.
 * The counted query contains nothing expensive, because otherwise it would be checked again, without end.
 * @throws EngineError if they cannot be counted
 */
async function isLarge(
	{ path, search, body, lucene }: Search,
	{ limitRows, transport, signal }: CostCheck & { readonly limitRows: number },
): Promise<boolean> {
	const { id } = objectOf(body.pit)
	const counted = {
		size: 0,
		track_total_hits: limitRows,
		query: lucene.length === 0 ? narrowingOf(body) : { match_all: {} },
		...(typeof id === 'string' && { pit: { id } }),
	}
	const reply = await transport.send({ method: 'POST', path, search, body: counted, isRead: true }, signal)
	const { total } = objectOf(objectOf(reply.json()).hits)
	return numberOf(objectOf(total).value) >= limitRows
}
