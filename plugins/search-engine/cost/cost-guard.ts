import { DriverError, type Json, type JsonObject, parseJson } from '@roundhouse/kit'
import { numberOf, objectOf } from '../transport/answer.ts'
import type { EngineRequest, Transport } from '../transport/transport.ts'
import { type Expense, expenseOfLucene, expensesOf, narrowingOf } from './expenses.ts'

type Asked = Pick<EngineRequest, 'path' | 'search' | 'body' | 'text' | 'isRead'>
type Asking = Pick<Transport, 'send'>

/** Reads that take a query in their body. */
const searching =
	/\/(?:_search|_count|_async_search|_knn_search|_rank_eval|_eql\/search|_graph\/explore|_fleet\/_fleet_search|_mvt\/.+)$/
const searchingMany = /\/(?:_msearch|_fleet\/_fleet_msearch)$/
/** What says which documents are meant, beside the names of the tables. */
const meaning = ['ignore_unavailable', 'allow_no_indices', 'expand_wildcards', 'ignore_throttled', 'routing'] as const

/**
 * Keeps AI clients from what is expensive over a large table, whatever led to it: looked at before each read leaves. What
 * writes was asked for with what it costs, so it is left alone. @throws DriverError `denied` with the cheaper way
 */
export async function refuseExpensive(
	request: Asked,
	limitRows: number | undefined,
	transport: Asking,
	signal: AbortSignal,
): Promise<void> {
	if (limitRows === undefined || !request.isRead) return
	for (const search of searchesOf(request)) {
		const [expense] = [...luceneOf(search), ...expensesOf(search.body)]
		if (!expense || !(await isLarge(search, limitRows, transport, signal))) continue
		const { why, instead } = expense
		const rows = limitRows.toLocaleString('en')
		throw new DriverError(
			'denied',
			`Over ${rows} or more documents this costs the cluster too much for an AI client: ${why}. ${instead} A person may run it in the window.`,
		)
	}
}

interface Search {
	/** Where the same documents can be counted, with the parameters that say which they are. */
	readonly path: string
	readonly search: string
	readonly body: JsonObject
	/** Of the address, in Lucene syntax; it takes the place of the body's query. */
	readonly lucene: readonly string[]
}

function searchesOf({ path, search = '', body, text }: Asked): readonly Search[] {
	if (searchingMany.test(path)) return manyOf(path, text ?? '')
	if (!searching.test(path)) return []
	// A semicolon parts them too, and of two of one name the engine takes the last one.
	const parameters = new URLSearchParams(search.replaceAll(';', '&'))
	const meant = new URLSearchParams([...parameters].filter(([name]) => meaning.some(known => known === name)))
	const bodies = [body ?? readJson(text), ...parameters.getAll('source').map(readJson)]
	const to = { path: path.replace(searching, '/_search'), search: meant.toString(), lucene: parameters.getAll('q') }
	return bodies.map(body => ({ ...to, body: objectOf(body) }))
}

/**
 * Heads and bodies take turns, and a head may be an empty line. So each line is taken for a body whose head stands before
 * it: a head holds nothing expensive.
 */
function manyOf(path: string, text: string): readonly Search[] {
	const lines = text.split('\n')
	const own = path.replace(searchingMany, '')
	return lines.map((line, at) => {
		const head = objectOf(readJson(lines[at - 1]))
		const names = [head.index ?? head.indices ?? []].flat().filter(name => typeof name === 'string')
		const target = names.length > 0 ? `/${names.map(encodeURIComponent).join(',')}` : own
		const meant = meaning.flatMap(name => (head[name] === undefined ? [] : [[name, String(head[name])]]))
		const search = new URLSearchParams(meant).toString()
		return { path: `${target}/_search`, search, body: objectOf(readJson(line)), lucene: [] }
	})
}

/** What is no JSON the engine refuses. */
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
 * Whether at least so many documents are left by what is cheap of the query. The engine stops counting there. Nothing
 * expensive is in what is asked here, or it would be looked at in turn, without end.
 * @throws EngineError where they cannot be counted
 */
async function isLarge(
	{ path, search, body, lucene }: Search,
	limitRows: number,
	transport: Asking,
	signal: AbortSignal,
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
