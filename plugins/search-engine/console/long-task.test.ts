import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Settings } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { afterEach, expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { call, statement } from '../test/fixture.ts'

const headers = { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' }
const rootOf = (flavor: string) =>
	`{"version":{"number":"8.13.4","build_flavor":"${flavor}"},"tagline":"You Know, for Search"}`
const stops: (() => void)[] = []
afterEach(() => {
	for (const stop of stops.splice(0)) stop()
})

/** Starts a cluster whose writes by query never end. It lists them as tasks from the second request on. */
async function slowCluster(settings: Settings = {}, { tasksStatus = 200, flavor = 'default' } = {}) {
	const seen: string[] = []
	let [opaqueId, looks] = ['', 0]
	let onWrite = () => {}
	const started = new Promise<void>(resolve => {
		onWrite = resolve
	})
	const server = createServer((request, response) => {
		const line = `${request.method} ${request.url}`
		if (line !== 'GET /') seen.push(line.replace(/\?.*/, ''))
		request.resume()
		if (/_by_query|_reindex/.test(line)) {
			opaqueId = String(request.headers['x-opaque-id'])
			return onWrite()
		}
		const parent = { action: 'indices:data/write/delete/byquery', headers: { 'X-Opaque-Id': opaqueId } }
		const tasks = {
			'n1:7': parent,
			'n1:8': { ...parent, parent_task_id: 'n1:7' },
			'n1:9': { ...parent, headers: { 'X-Opaque-Id': 'of another client' } },
		}
		const listed = JSON.stringify({ nodes: { n1: { tasks: ++looks > 1 ? tasks : {} } } })
		const isList = line.startsWith('GET /_tasks')
		response.writeHead(isList ? tasksStatus : 200, headers).end(isList ? listed : rootOf(flavor))
	})
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
	const hosts = `127.0.0.1:${(server.address() as AddressInfo).port}`
	const connection = await connect({ hosts, auth: 'none', ...settings }, directContext(), call())
	looks = 0
	stops.push(() => {
		void connection.close()
		server.closeAllConnections()
		server.close()
	})
	return { connection, seen, started }
}

/** Runs a request, and cancels it once the cluster has it. */
async function runCancelled(
	{ connection, started }: Awaited<ReturnType<typeof slowCluster>>,
	text: string,
): Promise<unknown> {
	const abort = new AbortController()
	const running = connection.console.run(statement(connection, text), { maxRows: 1 }, call(abort.signal))
	// Its error belongs to the caller, also while it is not awaited yet.
	running.catch(() => {})
	await started
	abort.abort()
	return running
}

test('cancelling a long write cancels only its task in the cluster', async () => {
	const cluster = await slowCluster()
	await expect(runCancelled(cluster, 'POST /books/_delete_by_query\n{}')).rejects.toMatchObject({
		code: 'user_cancelled',
		message: expect.stringContaining('task in the cluster was cancelled. Changes that it had already made are kept.'),
	})
	expect(cluster.seen).toEqual([
		'POST /books/_delete_by_query',
		'GET /_tasks',
		'GET /_tasks',
		'POST /_tasks/n1%3A7/_cancel',
	])
})

test('cancels a long write after a timeout', async () => {
	const { connection, seen } = await slowCluster({ requestTimeoutSeconds: 0.5 })
	const running = connection.console.run(statement(connection, 'POST /_reindex\n{}'), { maxRows: 1 }, call())
	await expect(running).rejects.toMatchObject({ code: 'timeout', message: expect.stringContaining('was cancelled') })
	expect(seen.at(-1)).toBe('POST /_tasks/n1%3A7/_cancel')
})

test('says where to look for a task that cannot be found', async () => {
	const cluster = await slowCluster({}, { tasksStatus: 403 })
	await expect(runCancelled(cluster, 'POST /books/_update_by_query')).rejects.toMatchObject({
		message: expect.stringContaining('or is still running. See GET /_tasks'),
	})
})

test('says that Serverless cannot cancel a task, and does not look for it', async () => {
	const cluster = await slowCluster({}, { flavor: 'serverless' })
	await expect(runCancelled(cluster, 'POST /books/_update_by_query')).rejects.toMatchObject({
		message:
			'The request was cancelled. Elasticsearch Serverless offers no list of tasks, so the task was not cancelled. It has ended, or is still running.',
	})
	expect(cluster.seen).toEqual(['POST /books/_update_by_query'])
})
