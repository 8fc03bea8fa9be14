import type { FactRow, FactSection, FactState, Json, JsonObject } from '@roundhouse/kit'
import { stateOfColour } from '../mapping/health.ts'
import { numberOf, objectOf, objectsOf } from '../transport/answer.ts'
import type { ClusterConnection } from '../transport/cluster-connection.ts'
import { whyUnassigned } from './allocation.ts'
import { brief, displayText, duration, listOf } from './describe.ts'
import { FactReader } from './fact-reader.ts'
import { objectFacts } from './object-facts.ts'
import { shardsWithout } from './shards.ts'

/** Returns facts about a cluster, each section from a separate request. */
export async function clusterFacts(cluster: ClusterConnection, signal: AbortSignal): Promise<FactSection[]> {
	const reader = new FactReader(cluster, signal)
	const [health, nodes, shards, tasks, settings, aliases, streams, templates, objects] = await Promise.all([
		reader.section('Health', { path: '/_cluster/health', isOnServerless: false }, describeHealth),
		reader.section('Nodes', nodesRequest, describeNodes),
		shardsWithout(reader),
		reader.section('Tasks', tasksRequest, describeTasks),
		reader.section('Settings', settingsRequest, describeSettings),
		reader.section('Aliases', { path: '/_cat/aliases', search: 'format=json&s=alias,index' }, describeAliases),
		reader.section('Data streams', { path: '/_data_stream' }, describeStreams),
		reader.section('Index templates', { path: '/_index_template' }, describeTemplates),
		objectFacts(reader),
	])
	const [first] = shards.unassigned
	const why = first === undefined ? [] : [await whyUnassigned(reader, first)]
	return [health, nodes, shards.section, ...why, tasks, settings, aliases, streams, templates, ...objects]
}

function describeHealth(answer: Json) {
	const health = objectOf(answer)
	const count = (name: string, value: Json | undefined, isWorrying: (value: number) => boolean = () => false) => {
		const state: FactState = 'warning'
		return { name, value: displayText(value), ...(isWorrying(numberOf(value)) && { state }) }
	}
	const some = (value: number) => value > 0
	return {
		facts: [
			{ name: 'Cluster', value: displayText(health.cluster_name) },
			{ name: 'Status', value: displayText(health.status), ...stateOfColour(health.status) },
			count('Nodes', health.number_of_nodes),
			count('Data nodes', health.number_of_data_nodes),
			count('Active shards', health.active_shards),
			count('Primary shards', health.active_primary_shards),
			count('Relocating shards', health.relocating_shards, some),
			count('Initializing shards', health.initializing_shards, some),
			count('Unassigned shards', health.unassigned_shards, some),
			count('Pending tasks', health.number_of_pending_tasks, some),
		],
	}
}

const nodesRequest = {
	path: '/_cat/nodes',
	search:
		'format=json&s=name&h=name,master,node.role,version,heap.percent,ram.percent,cpu,load_1m,disk.used_percent,uptime',
	isOnServerless: false,
} as const

const tasksRequest = { path: '/_tasks', search: 'detailed=true&group_by=none', isOnServerless: false } as const

const settingsRequest = { path: '/_cluster/settings', search: 'flat_settings=true', isOnServerless: false } as const

function describeNodes(answer: Json) {
	return listOf(
		objectsOf(answer),
		{
			Name: node => (node.master === '*' ? `${displayText(node.name)} (master)` : node.name),
			Roles: node => node['node.role'],
			Version: node => node.version,
			'Heap %': node => node['heap.percent'],
			'CPU %': node => node.cpu,
			'Load 1 min': node => node.load_1m,
			'Disk used %': node => node['disk.used_percent'],
			Uptime: node => node.uptime,
		},
		{ more: stateOfNode },
	)
}

/** The engine's default watermarks: from 85 % on, a node gets no more shards; at 95 % writes are blocked. */
function stateOfNode(node: JsonObject): { readonly state?: FactState } {
	const [disk, heap] = [numberOf(node['disk.used_percent']), numberOf(node['heap.percent'])]
	if (disk >= 95) return { state: 'bad' }
	return disk >= 85 || heap >= 90 ? { state: 'warning' } : {}
}

function describeTasks(answer: Json) {
	const tasks = objectsOf(objectOf(answer).tasks)
		.filter(
			task => task.parent_task_id === undefined && !displayText(task.action).startsWith('cluster:monitor/tasks/lists'),
		)
		.sort((a, b) => numberOf(b.running_time_in_nanos) - numberOf(a.running_time_in_nanos))
	return listOf(
		tasks,
		{
			Task: task => task.action,
			Description: task => brief(displayText(task.description), 500),
			Progress: progressOf,
			'Running for': task => duration(numberOf(task.running_time_in_nanos) / 1e6),
			'Task id': task => `${displayText(task.node)}:${displayText(task.id)}`,
		},
		{ more: actionOn, whenEmpty: 'Nothing runs.' },
	)
}

/** How far a task is: `1,200 of 50,000`, or nothing if it does not say. */
function progressOf(task: JsonObject): string {
	const { total, created, updated, deleted, version_conflicts: conflicts, noops } = objectOf(task.status)
	const all = numberOf(total)
	if (all <= 0) return ''
	const done = [created, updated, deleted, conflicts, noops].reduce<number>((sum, count) => sum + numberOf(count), 0)
	const leftMs = done > 0 ? (numberOf(task.running_time_in_nanos) / 1e6 / done) * (all - done) : 0
	const left = leftMs > 0 ? `, about ${duration(leftMs)} left` : ''
	return `${done.toLocaleString('en')} of ${all.toLocaleString('en')}${left}`
}

/** Returns no action for a task id that could be read as more than one id. */
function actionOn(task: JsonObject): Pick<FactRow, 'actions'> {
	const name = `${displayText(task.node)}:${displayText(task.id)}`
	if (task.cancellable !== true || !/^[\w-]{1,100}:[0-9]{1,20}$/.test(name)) return {}
	return { actions: [{ label: 'Cancel task', statement: `POST /_tasks/${name}/_cancel` }] }
}

function describeSettings(answer: Json) {
	const { persistent, transient } = objectOf(answer)
	const facts = [
		...Object.entries(objectOf(persistent)).map(([name, value]) => ({ name, value: displayText(value) })),
		...Object.entries(objectOf(transient)).map(([name, value]) => ({
			name: `${name} (transient)`,
			value: displayText(value),
		})),
	]
	return facts.length > 0 ? { facts } : { notice: 'All settings have their defaults.' }
}

function describeAliases(answer: Json) {
	const shown = objectsOf(answer).filter(({ alias }) => !displayText(alias).startsWith('.'))
	return listOf(shown, {
		Alias: alias => alias.alias,
		Index: alias => alias.index,
		Filter: alias => (alias.filter === '-' ? '' : alias.filter),
		'Takes writes': alias => (alias.is_write_index === 'true' ? 'yes' : ''),
	})
}

function describeStreams(answer: Json) {
	return listOf(
		objectsOf(objectOf(answer).data_streams),
		{
			Name: stream => stream.name,
			Status: stream => stream.status,
			Indices: stream => objectsOf(stream.indices).length,
			Template: stream => stream.template,
			'Lifecycle policy': stream => stream.ilm_policy,
		},
		{ more: stream => stateOfColour(displayText(stream.status).toLowerCase()) },
	)
}

function describeTemplates(answer: Json) {
	const templates = objectsOf(objectOf(answer).index_templates).filter(({ name }) => !displayText(name).startsWith('.'))
	return listOf(templates, {
		Name: template => template.name,
		Patterns: template => objectOf(template.index_template).index_patterns,
		Priority: template => objectOf(template.index_template).priority,
		'Made of': template => objectOf(template.index_template).composed_of,
	})
}
