import type { Json, JsonObject } from '@roundhouse/kit'
import type { Parameters } from '../documents/documents.ts'
import type { Cluster } from '../store/cluster.ts'
import { illegalArgument } from '../values/failure.ts'
import { catTable } from './administration.ts'

/** Information about the one node and its tasks. No shard is ever unassigned, and no task outlives its answer. */

const node = 'sample-node'

export function catNodes(cluster: Cluster, parameters: Parameters): Json | string {
	const { heapUsed, heapTotal } = process.memoryUsage()
	const row = {
		name: node,
		master: '*',
		'node.role': 'dim',
		version: cluster.version,
		'heap.percent': String(Math.round((100 * heapUsed) / heapTotal)),
		'ram.percent': '50',
		cpu: '1',
		load_1m: '0.10',
		'disk.used_percent': '40.00',
		uptime: `${Math.ceil(process.uptime() / 60)}m`,
	}
	return catTable([row], parameters)
}

export function catShards(cluster: Cluster, expression: string | undefined, parameters: Parameters): Json | string {
	const indices = expression === undefined ? [...cluster.indices.values()] : cluster.resolve(expression)
	const rows = indices.map(index => ({
		index: index.name,
		shard: '0',
		prirep: 'p',
		state: 'STARTED',
		docs: String(index.size),
		store: '',
		node,
		'unassigned.reason': '',
	}))
	return catTable(rows, parameters)
}

export function explainAllocation(): never {
	throw illegalArgument(
		'No shard was specified in the request which means the response should explain a randomly-chosen unassigned shard, but there are no unassigned shards in this cluster.',
	)
}

export function tasks(): JsonObject {
	const list = {
		node: 'rHsAmPlEqTu7nOdE0x1y2Z',
		id: 1,
		type: 'transport',
		action: 'cluster:monitor/tasks/lists',
		description: '',
		start_time_in_millis: Date.now(),
		running_time_in_nanos: 100_000,
		cancellable: false,
	}
	return { tasks: [list] }
}

export function statistics(cluster: Cluster, expression: string): JsonObject {
	const documents = cluster.resolve(expression).reduce((sum, index) => sum + index.size, 0)
	const total = {
		docs: { count: documents, deleted: 0 },
		indexing: { index_total: documents, index_time_in_millis: 0, index_failed: 0 },
		search: { query_total: 0, query_time_in_millis: 0 },
		merges: { total: 0, total_time_in_millis: 0 },
		segments: { count: 1 },
	}
	return { _all: { primaries: total, total } }
}
