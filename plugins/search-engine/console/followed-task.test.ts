import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Progress } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { afterEach, expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { decode, statement } from '../test/fixture.ts'

const headers = { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' }
const root = { version: { number: '8.13.4', build_flavor: 'default' }, tagline: 'You Know, for Search' }
const status = { total: 5_000, created: 1_100, updated: 100, deleted: 0, version_conflicts: 0, noops: 0 }
const running = { completed: false, task: { status } }
const response = { took: 7, ...status, total: 5_000, created: 4_899, version_conflicts: 1, failures: [] }

const stops: (() => void)[] = []
afterEach(() => {
	for (const stop of stops.splice(0)) stop()
})

/** Starts a cluster that answers looks at a task one after the other; the last answer stays. */
async function cluster(looks: readonly unknown[], { listStatus = 200 } = {}) {
	const seen: string[] = []
	const left = [...looks]
	const server = createServer((request, response) => {
		const line = `${request.method} ${request.url}`
		request.resume()
		if (line === 'GET /') return response.writeHead(200, headers).end(JSON.stringify(root))
		seen.push(line)
		const look = () => (left.length > 1 ? left.shift() : left[0])
		const answer = line.startsWith('GET /_tasks/')
			? look()
			: /_reindex|_by_query|_forcemerge/.test(line) && line.includes('wait_for_completion=false')
				? { task: 'n1:7' }
				: { nodes: {}, updated: 1, failures: [] }
		const isList = line.startsWith('GET /_tasks?')
		response.writeHead(isList ? listStatus : 200, headers).end(JSON.stringify(answer))
	})
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
	const hosts = `127.0.0.1:${(server.address() as AddressInfo).port}`
	const connection = await connect({ hosts, auth: 'none' }, directContext(), {
		signal: new AbortController().signal,
		progress() {},
	})
	stops.push(() => {
		void connection.close()
		server.closeAllConnections()
		server.close()
	})
	const steps: Progress[] = []
	const abort = new AbortController()
	const call = { signal: abort.signal, progress: (step: Progress) => void steps.push(step) }
	const run = async (text: string, showsRefusals = true) =>
		decode(await connection.console.run(statement(connection, text), { maxRows: 9, showsRefusals }, call))
	return { run, seen, steps, abort }
}

const reindex = 'POST /_reindex?refresh=true\n{"source": {"index": "a"}, "dest": {"index": "b"}}'

test('a person sees the progress of a long write, and its answer at the end', async () => {
	const { run, seen, steps } = await cluster([running, { completed: true, task: {}, response }])
	const { status, raw, notices } = await run(reindex)
	expect(status).toBe('200 OK')
	expect(notices).toEqual(['5,000 of 5,000 documents: 4,899 created, 100 updated, 1 conflict.'])
	expect(JSON.parse(new TextDecoder().decode(raw))).toEqual(response)
	expect(steps).toEqual([
		{ done: 1_200, total: 5_000, message: '1,200 of 5,000 documents: 1,100 created, 100 updated' },
	])
	expect(seen).toEqual([
		'GET /_tasks?actions=*reindex',
		'POST /_reindex?refresh=true&wait_for_completion=false',
		'GET /_tasks/n1%3A7',
		'GET /_tasks/n1%3A7',
	])
})

test('failures and errors of a task are those of the request', async () => {
	const failures = [
		{
			index: 'b',
			id: '1',
			cause: { type: 'version_conflict_engine_exception', reason: 'version conflict' },
			status: 409,
		},
	]
	const conflicts = await cluster([{ completed: true, task: {}, response: { ...response, failures } }])
	expect(await conflicts.run(reindex)).toMatchObject({
		status: '409 Conflict',
		notices: [expect.any(String), '1 document failed: “version conflict”.'],
	})
	const error = { type: 'illegal_argument_exception', reason: 'no such pipeline' }
	const failed = await cluster([{ completed: true, task: {}, error }])
	expect(await failed.run(reindex)).toMatchObject({ fault: { message: expect.stringContaining('no such pipeline') } })
	const absent = await cluster([
		{ completed: true, task: {}, error: { type: 'index_not_found_exception', reason: 'a' } },
	])
	expect(await absent.run(reindex)).toMatchObject({ status: '404 Not Found' })
})

test('a cancelled task says what it had done', async () => {
	const ended = { completed: true, task: {}, response: { ...status, canceled: 'by user request' } }
	const { run, seen, steps, abort } = await cluster([running, ended])
	const result = run('POST /a/_update_by_query')
	result.catch(() => {})
	await expect.poll(() => steps.length).toBe(1)
	abort.abort()
	await expect(result).rejects.toMatchObject({
		code: 'user_cancelled',
		message:
			'The task was cancelled: 1,200 of 5,000 documents: 1,100 created, 100 updated. Changes that it had made are kept.',
	})
	expect(seen).toContain('POST /_tasks/n1%3A7/_cancel')
})

test('a merge of segments runs as a task, which the engine does not cancel', async () => {
	const merging = { completed: false, task: { action: 'indices:admin/forcemerge', cancellable: false } }
	const response = { _shards: { total: 1, successful: 1, failed: 0 } }
	const merge = 'POST /a/_forcemerge?max_num_segments=1'
	const ending = await cluster([merging, { completed: true, task: {}, response }])
	const { status, raw } = await ending.run(merge)
	expect([status, JSON.parse(new TextDecoder().decode(raw))]).toEqual(['200 OK', response])
	expect(ending.steps).toEqual([{ done: 0, message: 'Running as a task of the cluster' }])
	expect(ending.seen).toContain('POST /a/_forcemerge?max_num_segments=1&wait_for_completion=false')
	const going = await cluster([merging])
	const result = going.run(merge)
	result.catch(() => {})
	await expect.poll(() => going.steps.length).toBe(1)
	going.abort.abort()
	await expect(result).rejects.toMatchObject({
		code: 'user_cancelled',
		message: expect.stringMatching(/^The engine does not cancel this task, so it goes on\. See GET \/_tasks\//),
	})
	expect(going.seen.some(line => line.includes('_cancel'))).toBe(false)
})

test.each([
	['a client asks', reindex, false, {}],
	['the credential may not read tasks', reindex, true, { listStatus: 403 }],
	['the text says how', 'POST /_reindex?wait_for_completion=true\n{}', true, {}],
])('the request runs as it is if %s', async (_name, text, showsRefusals, options) => {
	const { run, seen } = await cluster([], options)
	await run(text, showsRefusals)
	expect(seen.at(-1)).not.toContain('wait_for_completion=false')
	expect(seen.at(-1)).toContain('POST /_reindex')
})
