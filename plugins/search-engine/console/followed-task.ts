import { STATUS_CODES } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Call, DriverError, type JsonObject, stringifyJson } from '@roundhouse/kit'
import { numberOf, objectOf, objectsOf } from '../transport/answer.ts'
import type { ClusterConnection } from '../transport/cluster-connection.ts'
import type { EngineRequest } from '../transport/engine-request.ts'
import { named, quoted } from '../transport/engine-words.ts'
import { type Engine, isAtLeast } from '../transport/product.ts'
import { parameterMap } from '../transport/query-string.ts'
import { Reply } from '../transport/reply.ts'
import { pathOf } from '../transport/request-path.ts'
import type { Transport } from '../transport/transport.ts'
import type { ConsoleRequest } from './request.ts'

/**
 * Writes of many documents and merges of segments, run for a person as tasks of the cluster: no limit of time, of a proxy or of the connection
 * ends one, its progress is seen, and it ends with the answer that the engine would have given at once.
 */

/** Returns whether a request can run as a task: the user has not said how, and the credential reads tasks. */
export async function canFollow(
	{ transport, engine }: ClusterConnection,
	search: string,
	signal: AbortSignal,
): Promise<boolean> {
	if (engine.isServerless || parameterMap(search).has('wait_for_completion')) return false
	try {
		const own = { method: 'GET', path: '/_tasks', search: 'actions=*reindex', isRead: true, isLookUp: true } as const
		await transport.send(own, signal)
		return true
	} catch (error) {
		signal.throwIfAborted()
		// Then it runs as it is.
		if (error instanceof DriverError) return false
		throw error
	}
}

/** Returns whether the engine can run this request, a merge of segments, as a task. */
export const isMergeTask = ({ version }: Engine, { method, path: { segments } }: ConsoleRequest): boolean =>
	method === 'POST' && segments.at(-1) === '_forcemerge' && isAtLeast(version, 8, 1)

/** Between two looks at a task, in milliseconds: at first, and at most. */
const [firstPauseMs, mostPauseMs] = [200, 2_000]
/** How long a cancelled task may take to end. */
const endMs = 10_000
/** Looks that may fail one after the other, for example while a node restarts. */
const mostFailures = 5

/**
 * Starts a task and returns its answer once it has ended. An answer of the engine that starts none is returned as it is.
 *
 * @throws DriverError with what the task had done, if it was cancelled, or if its end cannot be known
 */
export async function followTask(cluster: ClusterConnection, request: EngineRequest, call: Call): Promise<Reply> {
	const { transport } = cluster
	const search = [request.search, 'wait_for_completion=false'].filter(Boolean).join('&')
	const reply = await transport.exchange({ ...request, search }, call.signal)
	const id = reply.status === 200 ? objectOf(reply.json()).task : undefined
	if (typeof id !== 'string') return reply
	try {
		return answerOf(await ended(transport, id, call))
	} catch (error) {
		if (!call.signal.aborted) throw error
		throw new DriverError('user_cancelled', await cancelled(transport, id))
	}
}

async function ended(transport: Transport, id: string, { signal, progress }: Pick<Call, 'signal' | 'progress'>) {
	let failures = 0
	for (let waitMs = firstPauseMs; ; waitMs = Math.min(mostPauseMs, waitMs * 1.5)) {
		await pause(waitMs, undefined, { signal })
		try {
			const task = await look(transport, id, signal)
			failures = 0
			if (task.completed === true) return task
			const { status: said } = objectOf(task.task)
			if (said === undefined) {
				progress({ done: 0, message: 'Running as a task of the cluster' })
				continue
			}
			const status = objectOf(said)
			const [done, total] = [doneOf(status), numberOf(status.total)]
			progress({ done, ...(total > 0 && { total }), message: wordsOf(status) })
		} catch (error) {
			signal.throwIfAborted()
			if (!(error instanceof DriverError)) throw error
			if (++failures < mostFailures && error.code === 'not_connected') continue
			throw new DriverError(
				error.code,
				`The end of the task is not known: ${error.message} It has ended, or is still running. See GET /_tasks/${named(id)}.`,
			)
		}
	}
}

async function look(transport: Transport, id: string, signal: AbortSignal): Promise<JsonObject> {
	const reply = await transport.send({ method: 'GET', path: pathOf('_tasks', id), isRead: true }, signal)
	return objectOf(reply.json())
}

/** Cancels a task, waits for its end, and says what it had done. */
async function cancelled(transport: Transport, id: string): Promise<string> {
	const soon = AbortSignal.timeout(endMs)
	try {
		const { task: running } = await look(transport, id, soon)
		if (objectOf(running).cancellable === false)
			return `The engine does not cancel this task, so it goes on. See GET /_tasks/${named(id)}.`
		await transport.send({ method: 'POST', path: pathOf('_tasks', id, '_cancel'), isRead: false }, soon)
		const task = await ended(transport, id, { signal: soon, progress() {} })
		const done = wordsOf(objectOf(task.response ?? objectOf(task.task).status))
		return `The task was cancelled: ${done}. Changes that it had made are kept.`
	} catch (error) {
		if (!(error instanceof DriverError) && !soon.aborted) throw error
		return `The task is to stop, and its end is not known. See GET /_tasks/${named(id)}.`
	}
}

const counted = ['created', 'updated', 'deleted'] as const

const doneOf = (status: JsonObject) =>
	[...counted, 'noops', 'version_conflicts'].reduce((sum, name) => sum + numberOf(status[name]), 0)

/** `1,200 of 5,000 documents: 1,100 created, 100 conflicts` */
function wordsOf(status: JsonObject): string {
	const conflicts = numberOf(status.version_conflicts)
	const parts = [
		...counted.map(name => [numberOf(status[name]), name] as const),
		[conflicts, conflicts === 1 ? 'conflict' : 'conflicts'] as const,
	].filter(([count]) => count > 0)
	const all = `${doneOf(status).toLocaleString('en')} of ${numberOf(status.total).toLocaleString('en')} documents`
	return [all, parts.map(([count, name]) => `${count.toLocaleString('en')} ${name}`).join(', ')]
		.filter(Boolean)
		.join(': ')
}

/** Returns how a write of many documents ended, for a person. */
export function outcomeNotices(answer: JsonObject): readonly string[] {
	if (answer.total === undefined) return []
	const failures = objectsOf(answer.failures)
	const [first] = failures
	const reason = objectOf(first?.cause ?? first?.reason).reason
	const why = typeof reason === 'string' ? `: ${quoted(reason)}` : ''
	const failed =
		failures.length === 1 ? '1 document failed' : `${failures.length.toLocaleString('en')} documents failed`
	return [`${wordsOf(answer)}.`, ...(failures.length > 0 ? [`${failed}${why}.`] : [])]
}

/** Returns the answer of a task as the engine gives it to a request that waits, with the status of its failures. */
function answerOf({ error, response }: JsonObject): Reply {
	const failures = objectsOf(objectOf(response).failures).map(({ status }) => numberOf(status))
	const refused = /not_found/.test(String(objectOf(error).type)) ? 404 : 500
	const status = error === undefined ? Math.max(200, ...failures) : refused
	const text = stringifyJson(error === undefined ? (response ?? {}) : { error, status })
	const headers = { 'content-type': 'application/json' }
	return new Reply({ status, statusText: STATUS_CODES[status] ?? '', headers, bytes: Buffer.from(text) })
}
