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
import { wordsOf } from '../facts/telling.ts'
import { troublesOf } from '../grid/page.ts'
import type { Mapping } from '../mapping/mapping.ts'
import type { QueryPlan } from '../query/query.ts'
import { planSort, sortBody } from '../query/sort.ts'
import { objectOf, objectsOf } from '../transport/answer.ts'
import { pathOf } from '../transport/request-path.ts'
import type { EngineRequest, Transport } from '../transport/transport.ts'

/** The engine measures a search by running it; there is no plan without that. */

/** Beyond these a tree helps nobody; the parts that are left out are the smallest. */
const mostSteps = 40
const longestDetail = 200

type Search = Pick<EngineRequest, 'path' | 'search'> & { readonly body: JsonObject }

/** The search behind the first rows of a grid. */
export function searchOfRows({ table, sort }: GridQuery, { query }: QueryPlan, mapping: Mapping): Search {
	const { keys } = planSort(sort, mapping)
	const body = { query, size: 20, _source: false, ...(keys.length > 0 && { sort: sortBody(keys) }) }
	return { path: `${pathOf(table)}/_search`, body }
}

/** @throws DriverError `unsupported` for what is no search */
export function searchOfStatement({ text }: Statement): Search {
	const { method, path, body } = readRequest(text)
	const { segments, pathname, search } = path
	const word = segments.at(-1)
	const isSearch = (method === 'GET' || method === 'POST') && segments.length <= 2
	const content = objectOf(body === undefined ? undefined : parseJson(body))
	if (isSearch && word === '_search' && !new URLSearchParams(search).has('scroll')) {
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
		.map(shard => ({ id: wordsOf(shard.id), ...partsOf(shard) }))
		.sort((a, b) => b.totalNs - a.totalNs)
	const { took } = answer
	const [slowest] = shards
	return {
		wasRun: true,
		...(typeof took === 'number' && { tookMs: took }),
		steps: slowest ? stepsOf(slowest) : [],
		notices: [...troublesOf(answer), ...tellShards(shards)],
	}
}

type Shard = ReturnType<typeof partsOf> & { readonly id: string }

function stepsOf({ parts, totalNs }: Shard): ExplainedStep[] {
	const known = new Set(
		parts
			.toSorted((a, b) => nanosOf(b.node) - nanosOf(a.node))
			.slice(0, mostSteps)
			.map(({ node }) => node),
	)
	return parts
		.filter(({ node }) => known.has(node))
		.map(({ node, depth }) => {
			const detail = textOf(node.description ?? node.reason)
			return {
				name: wordsOf(node.type ?? node.name),
				...(detail !== '' && { detail }),
				depth,
				share: Math.min(1, nanosOf(node) / Math.max(totalNs, 1)),
			}
		})
}

const textOf = (value: Json | undefined) =>
	typeof value === 'string' ? value.slice(0, longestDetail).toWellFormed() : ''

function tellShards(shards: readonly Shard[]): readonly string[] {
	const [slowest] = shards
	if (!slowest) return ['The engine measured nothing.']
	const left = slowest.parts.length - mostSteps
	return [
		...(shards.length > 1 ? [`Of ${shards.length} shards this is the slowest, ${slowest.id}.`] : []),
		...(left > 0 ? [`${left} steps that took less are left out.`] : []),
	]
}
