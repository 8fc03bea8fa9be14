import {
	DriverError,
	type Explained,
	type ExplainedStep,
	type GridQuery,
	type Json,
	type JsonObject,
	parseJson,
	type Statement,
} from '@roundhouse/kit'
import { nanosOf, partsOf } from '../console/panels.ts'
import { readRequest } from '../console/request.ts'
import { displayText } from '../facts/describe.ts'
import { troublesOf } from '../grid/page.ts'
import type { Mapping } from '../mapping/mapping.ts'
import type { QueryPlan } from '../query/query.ts'
import { planSort, sortBody } from '../query/sort.ts'
import { objectOf, objectsOf } from '../transport/answer.ts'
import type { EngineRequest } from '../transport/engine-request.ts'
import { named } from '../transport/engine-words.ts'
import { parameterMap } from '../transport/query-string.ts'
import { pathOf } from '../transport/request-path.ts'
import type { Transport } from '../transport/transport.ts'

/** The engine measures a search only by running it. It has no plan without a run. */

/** Upper limit of steps. Longer trees are hard to read; the omitted steps are the shortest. */
const maxSteps = 40
const longestDetail = 200

type Search = Pick<EngineRequest, 'path' | 'search'> & { readonly body: JsonObject }

/** Returns the search for the first rows of a grid. */
export function searchOfRows({ table, sort }: GridQuery, plan: QueryPlan, mapping: Mapping): Search {
	const { keys } = planSort(sort, mapping, plan)
	const body = { query: plan.query, size: 20, _source: false, ...(keys.length > 0 && { sort: sortBody(keys) }) }
	return { path: `${pathOf(table)}/_search`, body }
}

/** @throws DriverError `unsupported` if the statement is not a search */
export function searchOfStatement({ text }: Statement): Search {
	const { method, path, body } = readRequest(text)
	const { segments, pathname, search } = path
	const word = segments.at(-1)
	const isSearch = (method === 'GET' || method === 'POST') && segments.length <= 2
	const content = objectOf(body === undefined ? undefined : parseJson(body))
	if (isSearch && word === '_search' && !parameterMap(search).has('scroll')) {
		return { path: pathname, ...(search !== '' && { search }), body: content }
	}
	if (isSearch && word === '_count' && search === '') {
		return { path: pathname.replace(/_count$/, '_search'), body: { ...content, size: 0, track_total_hits: true } }
	}
	throw new DriverError(
		'unsupported',
		'Only a search without a scroll can be explained, for example GET /books/_search, or a plain _count.',
	)
}

export async function explain(transport: Transport, search: Search, signal: AbortSignal): Promise<Explained> {
	const { body, ...to } = search
	const request = { ...to, method: 'POST', body: { ...body, profile: true }, isRead: true } as const
	const answer = objectOf((await transport.send(request, signal)).json())
	const shards = objectsOf(objectOf(answer.profile).shards)
		.map(shard => ({ id: displayText(shard.id), ...partsOf(shard) }))
		.sort((a, b) => b.totalNs - a.totalNs)
	const { took } = answer
	const [slowest] = shards
	return {
		wasRun: true,
		...(typeof took === 'number' && { tookMs: took }),
		steps: slowest ? stepsOf(slowest) : [],
		notices: [...troublesOf(answer), ...shardNotices(shards)],
	}
}

type Shard = ReturnType<typeof partsOf> & { readonly id: string }

function stepsOf({ parts, totalNs }: Shard): ExplainedStep[] {
	const known = new Set(
		parts
			.toSorted((a, b) => nanosOf(b.node) - nanosOf(a.node))
			.slice(0, maxSteps)
			.map(({ node }) => node),
	)
	return parts
		.filter(({ node }) => known.has(node))
		.map(({ node, depth }) => {
			const detail = textOf(node.description ?? node.reason)
			return {
				name: displayText(node.type ?? node.name),
				...(detail !== '' && { detail }),
				depth,
				share: Math.min(1, nanosOf(node) / Math.max(totalNs, 1)),
			}
		})
}

const textOf = (value: Json | undefined) =>
	typeof value === 'string' ? value.slice(0, longestDetail).toWellFormed() : ''

function shardNotices(shards: readonly Shard[]): readonly string[] {
	const [slowest] = shards
	if (!slowest) return ['The engine returned no measurements.']
	const left = slowest.parts.length - maxSteps
	return [
		...(shards.length > 1 ? [`This is the slowest of ${shards.length} shards: ${named(slowest.id)}.`] : []),
		...(left > 0 ? [`${left} shorter steps are not shown.`] : []),
	]
}
