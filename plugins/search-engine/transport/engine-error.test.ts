import { describe, expect, test } from 'vitest'
import { engineError } from './engine-error.ts'

/** Bodies as nodes of 7.17 and 8.2 send them. */
function errorOf(status: number, error: unknown, headers = {}) {
	const text = JSON.stringify({ error, status })
	const { code, message } = engineError({ status, statusText: 'Words', headers, text }, 'node:9200')
	return { code, message }
}

describe('a block is not reported as a missing privilege', () => {
	test.each([
		['index [a] blocked by: [FORBIDDEN/8/index write (api)];', /does not accept writes/],
		['index [a] blocked by: [FORBIDDEN/5/index read-only (api)];', /does not accept writes/],
		[
			'index [a] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];',
			/a disk is nearly full\. Free disk space/,
		],
		['index [a] blocked by: [FORBIDDEN/4/index closed];', /is closed\. Open it/],
	])('%s', (reason, remedy) => {
		const { code, message } = errorOf(403, { type: 'cluster_block_exception', reason })
		expect(message).toMatch(/^Elasticsearch error: “cluster_block_exception: index \[a\]/)
		expect(message).toMatch(remedy)
		expect(message).not.toContain('privilege')
		expect(code).toBe('query_failed')
	})
})

test('a 403 names its cause: the credential, the license, or a proxy in front of the cluster', () => {
	const denied = errorOf(403, { type: 'security_exception', reason: 'action [x] is unauthorized for user [u]' })
	expect(denied).toMatchObject({
		code: 'denied',
		message: expect.stringContaining('The credential lacks this privilege.'),
	})
	const unlicensed = { type: 'security_exception', reason: 'current license is non-compliant for [ccr]' }
	expect(errorOf(403, unlicensed).message).toContain('The license of the cluster does not include it.')
	expect(errorOf(403, undefined)).toMatchObject({
		code: 'denied',
		message: expect.stringContaining('a proxy in front of'),
	})
})

test('does not repeat the word error for an error without a type', () => {
	const words = 'alias [a] missing'
	expect(errorOf(404, words)).toEqual({ code: 'not_found', message: `Elasticsearch error: “${words}”` })
})

test.each([
	[400, 'no handler found for uri [/_query] and method [POST]'],
	[405, 'Incorrect HTTP method for uri [/_reindex] and method [POST], allowed: [PUT, HEAD, DELETE, GET]'],
])('says that the engine lacks the API: %i %s', (status, words) => {
	expect(errorOf(status, words).message).toBe(
		`Elasticsearch error: “${words}”. This engine has no such API: its version or edition lacks it, or the method or the path is mistyped.`,
	)
})

test('reports a red index, also without details of the engine', () => {
	const gone = { type: 'no_shard_available_action_exception', reason: null }
	const all = { type: 'search_phase_execution_exception', reason: 'all shards failed', phase: 'query' }
	for (const error of [
		{ ...all, failed_shards: [] },
		{ ...all, failed_shards: [{ shard: 0, reason: gone }] },
	]) {
		expect(errorOf(503, error).message).toMatch(/^Elasticsearch error: “\w+.* The index is red/)
	}
	const reduce = { type: 'too_many_buckets_exception', reason: 'Trying to create too many buckets.' }
	expect(errorOf(503, { ...all, reason: '', failed_shards: [], caused_by: reduce }).message).toBe(
		'Elasticsearch error: “search_phase_execution_exception: Trying to create too many buckets.”',
	)
})

test('reports when the cluster asks to retry', () => {
	const error = { type: 'es_rejected_execution_exception', reason: 'rejected execution' }
	expect(errorOf(429, error, { 'retry-after': '7' }).message).toMatch(/ The cluster asks to try again in 7 seconds\.$/)
	expect(errorOf(429, error).message).toBe('Elasticsearch error: “es_rejected_execution_exception: rejected execution”')
})

test('cuts a long error, because the engine repeats the request', () => {
	const reason = `failed to parse field [n]. Preview of field's value: '${'9'.repeat(500_000)}'`
	const { message } = errorOf(400, { type: 'document_parsing_exception', reason })
	expect(message).toMatch(/^Elasticsearch error: “document_parsing_exception: failed to parse field \[n\]/)
	expect(message.length).toBeLessThan(20_000)
	expect(errorOf(429, { type: 'x', reason }, { 'retry-after': '5' }).message).toMatch(/try again in 5 seconds\.$/)
})

test.each([
	[413, '<html>too large</html>', /^node:9200 answered “413 Words”\. This is not an answer of Elast.* smaller request/],
	[503, '', /^node:9200 answered “503 Words”\. .* a proxy in front of the cluster\. The cluster may be unreachable/],
])('does not attribute the plain %i of a proxy to the engine', (status, text, message) => {
	expect(engineError({ status, statusText: 'Words', headers: {}, text }, 'node:9200').message).toMatch(message)
})
