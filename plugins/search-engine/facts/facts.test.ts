import type { FactSection } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { driverMethods } from '@roundhouse/kit/wire/methods'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { call, openSample } from '../test/fixture.ts'
import { elasticsearch, node, ok } from '../test/mock-node.ts'

let opened: Awaited<ReturnType<typeof openSample>>
beforeAll(async () => {
	opened = await openSample()
})
afterAll(() => opened[Symbol.asyncDispose]())

const titled = (sections: readonly FactSection[], title: string) => sections.find(section => section.title === title)

test('reports health, nodes, shards, tasks, settings, aliases, streams and templates of a cluster', async () => {
	const sections = await opened.connection.readFacts(undefined, call())
	expect(sections.map(({ title }) => title)).toEqual([
		'Health',
		'Nodes',
		'Moving or unassigned shards',
		'Tasks',
		'Settings',
		'Aliases',
		'Data streams',
		'Index templates',
		'Component templates',
		'Legacy templates',
		'Ingest pipelines',
		'Snapshot repositories',
	])
	expect(titled(sections, 'Health')).toMatchObject({
		statement: 'GET /_cluster/health',
		facts: expect.arrayContaining([{ name: 'Status', value: 'green', state: 'good' }]),
	})
	expect(titled(sections, 'Nodes')?.list?.rows).toHaveLength(1)
	expect(titled(sections, 'Aliases')?.list?.rows).toMatchObject([{ cells: ['library', 'books'] }])
	expect(titled(sections, 'Tasks')).toMatchObject({ notice: 'Nothing runs.' })
})

test('reports fields, settings, shards, aliases and statistics of an index', async () => {
	const sections = await opened.connection.readFacts('books', call())
	expect(titled(sections, 'Overview')?.facts).toContainEqual({ name: 'Health', value: 'green', state: 'good' })
	expect(titled(sections, 'Fields')?.list?.rows).toContainEqual({ cells: ['title', 'text', '.keyword: keyword'] })
	expect(titled(sections, 'Settings')?.facts).toBeDefined()
	expect(titled(sections, 'Aliases')?.list?.rows).toHaveLength(1)
	expect(titled(sections, 'Statistics')?.facts).toContainEqual({ name: 'Documents written', value: '3,003' })
})

const unassigned = [
	{ index: 'a', shard: '0', prirep: 'r', state: 'UNASSIGNED', 'unassigned.reason': 'NODE_LEFT' },
	{ index: 'a', shard: '1', prirep: 'p', state: 'UNASSIGNED', 'unassigned.reason': 'INDEX_CREATED' },
	{ index: 'b', shard: '0', prirep: 'p', state: 'STARTED' },
]
const explanation = {
	index: 'a',
	shard: 1,
	primary: true,
	current_state: 'unassigned',
	unassigned_info: { reason: 'INDEX_CREATED', at: '2026-11-01T00:00:00Z' },
	allocate_explanation: 'cannot allocate because allocation is not permitted to any of the nodes',
	node_allocation_decisions: [
		{ node_name: 'one', deciders: [{ decider: 'filter', decision: 'NO', explanation: 'node does not match' }] },
	],
}
const running = {
	node: 'nOdE',
	id: 42,
	action: 'indices:data/write/reindex',
	description: 'reindex from [a] to [b]',
	running_time_in_nanos: 90_000_000_000,
	cancellable: true,
}

test('reports a rejection, explains a missing primary first, and offers to cancel a task', async () => {
	const asked: string[] = []
	await using cluster = await node((request, response) => {
		const [path = ''] = (request.url ?? '').split('?')
		if (path === '/') return ok(response)
		if (path === '/_cat/shards') return ok(response, JSON.stringify(unassigned))
		if (path === '/_tasks') return ok(response, JSON.stringify({ tasks: [running] }))
		if (path === '/_cluster/allocation/explain') {
			asked.push(path)
			return ok(response, JSON.stringify(explanation))
		}
		response.writeHead(403, { 'content-type': 'application/json' })
		response.end('{"error":{"type":"security_exception","reason":"action is unauthorized"},"status":403}')
	})
	const connection = await connect({ hosts: cluster.host, auth: 'none' }, directContext(), call())
	const sections = await connection.readFacts(undefined, call())
	expect(titled(sections, 'Health')?.notice).toContain('The credential lacks this privilege.')
	expect(titled(sections, 'Moving or unassigned shards')?.list?.rows.map(row => row.state)).toEqual(['warning', 'bad'])
	const why = titled(sections, 'Why a shard is unassigned')
	expect(why?.facts?.[0]).toEqual({ name: 'Shard', value: '1 of a, primary' })
	expect(why?.list?.rows).toEqual([{ cells: ['one', 'filter', 'node does not match'] }])
	expect(JSON.parse(why?.statement?.split('\n').slice(1).join('') ?? '')).toEqual({
		index: 'a',
		shard: 1,
		primary: true,
	})
	expect(asked).toHaveLength(1)
	expect(titled(sections, 'Tasks')?.list?.rows).toEqual([
		{
			cells: ['indices:data/write/reindex', 'reindex from [a] to [b]', '2 min', 'nOdE:42'],
			actions: [{ label: 'Cancel task', statement: 'POST /_tasks/nOdE:42/_cancel' }],
		},
	])
	await connection.close()
})

test('recognizes what Serverless does not offer by its refusal, if the credential may not read what it is', async () => {
	await using cluster = await node((request, response) => {
		const [status, type] = request.url === '/' ? [403, 'security_exception'] : [410, 'api_not_available_exception']
		response.writeHead(status, elasticsearch).end(JSON.stringify({ error: { type, reason: 'no' }, status }))
	})
	const connection = await connect({ hosts: cluster.host, auth: 'none' }, directContext(), call())
	const sections = await connection.readFacts(undefined, call())
	expect(titled(sections, 'Health')).toEqual({
		title: 'Health',
		notice: 'Elasticsearch Serverless does not offer this.',
	})
	await connection.close()
})

/** Returns the facts of a cluster that answers some paths, and returns nothing for others. */
async function factsOf(answers: Readonly<Record<string, unknown>>, table?: string) {
	await using cluster = await node((request, response) => {
		const [path = ''] = (request.url ?? '').split('?')
		return path === '/' ? ok(response) : ok(response, JSON.stringify(answers[path] ?? {}))
	})
	const connection = await connect({ hosts: cluster.host, auth: 'none' }, directContext(), call())
	try {
		return await connection.readFacts(table, call())
	} finally {
		await connection.close()
	}
}

const answersOf = driverMethods.readFacts.result

test('counts very many shards, shows the first, and explains one', async () => {
	const shards = Array.from({ length: 300_000 }, (_, at) => ({
		index: 'a',
		shard: `${at}`,
		prirep: 'p',
		state: 'UNASSIGNED',
	}))
	const sections = await factsOf({ '/_cat/shards': shards, '/_cluster/allocation/explain': explanation })
	expect(titled(sections, 'Moving or unassigned shards')?.notice).toBe('The first 500 of 300000 are shown.')
	expect(titled(sections, 'Why a shard is unassigned')?.facts).toBeDefined()
})

test('accepts settings of any length and number, and any name of a colour', async () => {
	const synonyms = Array.from({ length: 20_000 }, (_, at) => `word${at} => other${at}`)
	const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`index.routing.${at}`, 'x']))
	const settings = { books: { settings: { 'index.analysis.filter.s.synonyms': synonyms, ...many } } }
	const overview = [{ index: 'books', health: '__proto__', status: 'x'.repeat(200_000) }]
	const sections = await factsOf({ '/books/_settings': settings, '/_cat/indices/books': overview }, 'books')
	expect(answersOf.safeParse(sections).error).toBeUndefined()
	expect(titled(sections, 'Settings')?.facts?.[0]?.value).toMatch(/^word0 => other0, word1/)
	expect(titled(sections, 'Settings')?.notice).toBe('The first 500 of 20001 are shown.')
	const tasks = [{ ...running, node: 'n'.repeat(200_000), action: 'a'.repeat(200_000) }]
	const health = { status: 'constructor', cluster_name: 'c'.repeat(200_000) }
	const transient = { [`a${'b'.repeat(200_000)}`]: '1' }
	const cluster = await factsOf({
		'/_tasks': { tasks },
		'/_cluster/health': health,
		'/_cluster/settings': { transient },
		'/_data_stream': { data_streams: [{ name: 'd', status: '__PROTO__' }] },
	})
	expect(answersOf.safeParse(cluster).error).toBeUndefined()
})

test('reports a task that has run for a year, whose nanoseconds exceed a double', async () => {
	const task = JSON.stringify({ ...running, running_time_in_nanos: 0 }).replace(
		'"running_time_in_nanos":0',
		'"running_time_in_nanos":31536000000000001',
	)
	await using cluster = await node((request, response) => {
		ok(response, request.url?.startsWith('/_tasks') ? `{"tasks":[${task},${JSON.stringify(running)}]}` : undefined)
	})
	const connection = await connect({ hosts: cluster.host, auth: 'none' }, directContext(), call())
	const tasks = titled(await connection.readFacts(undefined, call()), 'Tasks')
	expect(tasks?.list?.rows.map(({ cells }) => cells[2])).toEqual(['8760 h', '2 min'])
	await connection.close()
})

test('reports how far a task is, and what a cluster has beside indices', async () => {
	const status = { total: 50_000, created: 12_000, updated: 500, version_conflicts: 0, noops: 0 }
	const sections = await factsOf({
		'/_tasks': { tasks: [{ ...running, status }] },
		'/_component_template': {
			component_templates: [
				{ name: 'base', component_template: { template: { settings: { index: {} }, mappings: {} } } },
				{ name: '.own', component_template: { template: {} } },
			],
		},
		'/_template': {
			old: { order: 1, index_patterns: ['old-*'], settings: {}, mappings: { dynamic: false }, aliases: {} },
		},
		'/_ilm/policy': {
			logs: {
				policy: { phases: { hot: { min_age: '0ms' }, delete: { min_age: '30d' } } },
				modified_date: '2026-11-01T00:00:00.000Z',
				in_use_by: { indices: ['.ds-logs-000001'], data_streams: ['logs'] },
			},
		},
		'/_ingest/pipeline': { geo: { description: 'adds a place', processors: [{ geoip: {} }, { set: {} }] } },
		'/_snapshot': { nightly: { type: 's3', settings: { bucket: 'b', base_path: 'p', access_key: 'SECRET' } } },
		'/_cat/snapshots/nightly': [
			{
				id: 's-2',
				repository: 'nightly',
				status: 'PARTIAL',
				start_epoch: '1767225600',
				duration: '5m',
				indices: '3',
				failed_shards: '1',
			},
		],
	})
	const [task] = titled(sections, 'Tasks')?.list?.rows ?? []
	expect(task?.cells).toContain('12,500 of 50,000, about 5 min left')
	const rowsOf = (title: string) => titled(sections, title)?.list?.rows
	expect(rowsOf('Component templates')).toEqual([{ cells: ['base', 'settings'] }])
	expect(rowsOf('Legacy templates')).toEqual([{ cells: ['old', 'old-*', '1', 'mappings'] }])
	expect(rowsOf('Lifecycle policies')).toEqual([
		{ cells: ['logs', 'hot, delete after 30d', 'logs, .ds-logs-000001', '2026-11-01T00:00:00.000Z'] },
	])
	expect(rowsOf('Ingest pipelines')).toEqual([{ cells: ['geo', 'adds a place', 'geoip, set'] }])
	expect(rowsOf('Snapshot repositories')).toEqual([{ cells: ['nightly', 's3', 'b / p'] }])
	expect(rowsOf('Snapshots')).toEqual([
		{ cells: ['s-2', 'nightly', 'PARTIAL', '2026-01-01T00:00:00.000Z', '5m', '3', '1'], state: 'warning' },
	])
	expect(JSON.stringify(sections)).not.toContain('SECRET')
})

test('says how many users of a policy and repositories are left out', async () => {
	const indices = Array.from({ length: 22 }, (_, at) => `i${at}`)
	const repositories = Object.fromEntries(
		Array.from({ length: 6 }, (_, at) => [`r${at}`, { type: 'fs', settings: {} }]),
	)
	const description = 'x'.repeat(600)
	const sections = await factsOf({
		'/_tasks': { tasks: [{ ...running, description }] },
		'/_ilm/policy': { logs: { policy: { phases: {} }, in_use_by: { indices } } },
		'/_snapshot': repositories,
	})
	expect(titled(sections, 'Lifecycle policies')?.list?.rows[0]?.cells).toContainEqual(
		expect.stringMatching(/i19, 2 more$/),
	)
	expect(titled(sections, 'Snapshots')?.notice).toBe('There are none. Of the first 5 of 6 repositories.')
	expect(titled(sections, 'Tasks')?.list?.rows[0]?.cells).toContain(`${'x'.repeat(500)}…`)
})

test('reports the indices behind a data stream, and where each is in its lifecycle', async () => {
	const stream = {
		name: 'logs',
		status: 'GREEN',
		generation: 2,
		template: 't',
		ilm_policy: 'logs',
		timestamp_field: { name: '@timestamp' },
		indices: [{ index_name: '.ds-logs-000001' }, { index_name: '.ds-logs-000002' }],
	}
	const step = { index: '.ds-logs-000001', managed: true, policy: 'logs', phase: 'hot', action: 'rollover', age: '3d' }
	const sections = await factsOf(
		{
			'/_resolve/index/*': { data_streams: [{ name: 'logs' }] },
			'/_data_stream/logs': { data_streams: [stream] },
			'/logs/_ilm/explain': {
				indices: {
					a: { ...step, step: 'ERROR', step_info: { reason: 'no alias' } },
					b: { index: 'b', managed: false },
				},
			},
		},
		'logs',
	)
	expect(titled(sections, 'Data stream')?.facts).toEqual(
		expect.arrayContaining([
			{ name: 'Status', value: 'GREEN', state: 'good' },
			{ name: 'Takes writes', value: '.ds-logs-000002' },
		]),
	)
	expect(titled(sections, 'Lifecycle')?.list?.rows).toEqual([
		{ cells: ['.ds-logs-000001', 'logs', 'hot', 'rollover', 'ERROR', '3d', 'no alias'], state: 'bad' },
	])
})
