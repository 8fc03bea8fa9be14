import { setTimeout as pause } from 'node:timers/promises'
import { DriverError } from '@roundhouse/kit'
import { objectOf } from '../transport/answer.ts'
import type { ClusterConnection } from '../transport/cluster-connection.ts'
import { Cancelled, mayHaveBeenSent, RequestTimedOut } from '../transport/failure.ts'
import { pathOf } from '../transport/request-path.ts'
import type { Transport } from '../transport/transport.ts'
import type { ConsoleRequest } from './request.ts'

const longTasks = new Set(['_update_by_query', '_delete_by_query', '_reindex'])

/**
 * Returns whether a request's work continues in the engine after the connection closes, unlike a search. Such a task
 * must be cancelled by its id.
 */
export function isLongTask({ path: { segments } }: ConsoleRequest): boolean {
	return longTasks.has(segments.at(-1) ?? '')
}

/**
 * Cancels a long task after its call was stopped, and returns the error to throw. The task is found by the opaque id of
 * its request. Any other error is returned unchanged.
 */
export async function stopLongTask(cluster: ClusterConnection, opaqueId: string, error: unknown): Promise<unknown> {
	const isStop = error instanceof Cancelled || error instanceof RequestTimedOut
	if (!isStop || !mayHaveBeenSent(error)) return error
	return new DriverError(error.code, `${error.message} ${await fateOf(cluster, opaqueId)}`)
}

async function fateOf({ transport, engine }: ClusterConnection, opaqueId: string): Promise<string> {
	if (engine.isServerless) {
		return 'Elasticsearch Serverless offers no list of tasks, so the task was not cancelled. It has ended, or is still running.'
	}
	return (await cancelByOpaqueId(transport, opaqueId))
		? 'Its task in the cluster was cancelled. Changes that it had already made are kept.'
		: 'Its task was not found in the cluster: it has ended, or is still running. See GET /_tasks?actions=*byquery,*reindex.'
}

/** The engine lists a task a moment after its request, so the search is repeated. */
const tries = 3
const pauseMs = 200

async function cancelByOpaqueId(transport: Transport, opaqueId: string): Promise<boolean> {
	const soon = AbortSignal.timeout(5_000)
	try {
		for (let attempt = 0; attempt < tries; attempt++) {
			if (attempt > 0) await pause(pauseMs)
			const ids = await taskIds(transport, opaqueId, soon)
			for (const id of ids) {
				await transport.send({ method: 'POST', path: pathOf('_tasks', id, '_cancel'), isRead: false }, soon)
			}
			if (ids.length > 0) return true
		}
		return false
	} catch (error) {
		// The credential may not read tasks, or the cluster is unreachable. The caller says that the task may still run.
		if (error instanceof DriverError) return false
		throw error
	}
}

/** Returns the tasks of a request. Cancelling a task cancels its children. */
async function taskIds(transport: Transport, opaqueId: string, signal: AbortSignal): Promise<string[]> {
	const search = 'actions=*byquery,*reindex'
	const reply = await transport.send({ method: 'GET', path: '/_tasks', search, isRead: true }, signal)
	const nodes = Object.values(objectOf(objectOf(reply.json()).nodes))
	return nodes
		.flatMap(node => Object.entries(objectOf(objectOf(node).tasks)))
		.filter(([, task]) => objectOf(objectOf(task).headers)['X-Opaque-Id'] === opaqueId)
		.filter(([, task]) => objectOf(task).parent_task_id === undefined)
		.map(([id]) => id)
}
