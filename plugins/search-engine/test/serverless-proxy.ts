import type { JsonObject } from '@roundhouse/kit'
import { endpointTemplate, matches } from '../console/endpoint-template.ts'
import { serverlessEndpoints } from '../specification/serverless-endpoints.ts'
import { answeringProxy, type FixedAnswer } from './answering-proxy.ts'

/**
 * Starts a proxy that makes a cluster answer as Elasticsearch Serverless: it identifies itself so, and refuses every
 * endpoint and setting that Serverless does not offer. The answers are as Elastic's reference documents them. ES|QL has
 * one fixed answer, because neither the sample nor the nodes of the tests have it.
 *
 * @param number of the version; until 2026, Serverless always said 8.11.0
 */
export async function serverlessProxy(url: string, number = '8.11.0') {
	/** Method, path and query string of each request. */
	const requests: string[] = []
	const refused: string[] = []
	const proxy = await answeringProxy(url, (line, body) => {
		requests.push(line)
		const answer = fixedAnswer(line, body, number)
		if (answer !== undefined && answer.status >= 400) refused.push(line)
		return answer
	})
	return {
		...proxy,
		requests,
		/** The requests that Serverless does not offer. */
		refused,
	}
}

/** Returns `undefined` for a request that the cluster behind answers. */
function fixedAnswer(line: string, body: string, number: string): FixedAnswer | undefined {
	const [method = '', target = ''] = line.split(' ')
	const [path = ''] = target.split('?')
	if (line === 'GET /') return { status: 200, body: rootOf(number) }
	if (!isOffered(method, path)) {
		const reason = `Request for uri [${target}] with method [${method}] exists but is not available when running in serverless mode`
		return refusal(410, 'api_not_available_exception', reason)
	}
	const managed = method === 'PUT' ? managedSettings(body) : []
	if (managed.length > 0) {
		const reason = `Settings [${managed.join(',')}] are not available when running in serverless mode`
		return refusal(400, 'illegal_argument_exception', reason)
	}
	return path === '/_query' ? { status: 200, body: esqlAnswer } : undefined
}

function rootOf(number: string): JsonObject {
	return {
		name: 'serverless',
		cluster_name: 'serverless-project',
		cluster_uuid: 'c2VydmVybGVzcy1wcm9qZWN0',
		version: { number, build_flavor: 'serverless', build_type: 'docker', build_snapshot: false },
		tagline: 'You Know, for Search',
	}
}

function refusal(status: number, type: string, reason: string): FixedAnswer {
	return { status, body: { error: { root_cause: [{ type, reason }], type, reason }, status } }
}

const offered = serverlessEndpoints().map(({ methods, path }) => ({
	methods,
	template: endpointTemplate(
		path
			.slice(1)
			.replaceAll(/\{(?:index|alias)\}/g, ':index')
			.replaceAll(/\{\w+\}/g, ':x'),
	),
}))

function isOffered(method: string, path: string): boolean {
	const segments = path
		.split('/')
		.filter(segment => segment !== '')
		.map(decodeURIComponent)
	return offered.some(({ methods, template }) => methods.includes(method) && matches(template, segments))
}

/** Shards and replicas are the settings of an index that every project refuses. */
function managedSettings(body: string): readonly string[] {
	const names = ['number_of_shards', 'number_of_replicas']
	return names.filter(name => new RegExp(`"(?:index\\.)?${name}"`).test(body)).map(name => `index.${name}`)
}

const esqlAnswer: JsonObject = {
	took: 3,
	is_partial: false,
	columns: [
		{ name: 'title', type: 'text' },
		{ name: 'n', type: 'long' },
	],
	values: [
		['One', 1],
		['Two', 2],
	],
}
