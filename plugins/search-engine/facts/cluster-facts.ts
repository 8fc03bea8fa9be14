import type { FactRow, FactSection, FactState, Json, JsonObject } from '@roundhouse/kit'
import { numberOf, objectOf, objectsOf } from '../transport/answer.ts'
import type { Transport } from '../transport/transport.ts'
import { whyUnassigned } from './allocation.ts'
import { FactReader } from './fact-reader.ts'
import { shardsWithout } from './shards.ts'
import { duration, listOf, stateOfColour, wordsOf } from './telling.ts'

/** What can be told of a cluster, each side from a request of its own. */
export async function clusterFacts(transport: Transport, signal: AbortSignal): Promise<FactSection[]> {
	const reader = new FactReader(transport, signal)
	const [health, nodes, shards, tasks, settings, aliases, streams, templates] = await Promise.all([
		reader.section('Health', { path: '/_cluster/health' }, tellHealth),
		reader.section('Nodes', nodesQuestion, tellNodes),
		shardsWithout(reader),
		reader.section('Tasks', { path: '/_tasks', search: 'detailed=true&group_by=none' }, tellTasks),
		reader.section('Settings', { path: '/_cluster/settings', search: 'flat_settings=true' }, tellSettings),
		reader.section('Aliases', { path: '/_cat/aliases', search: 'format=json&s=alias,index' }, tellAliases),
		reader.section('Data streams', { path: '/_data_stream' }, tellStreams),
		reader.section('Index templates', { path: '/_index_template' }, tellTemplates),
	])
	const [first] = shards.unassigned
	const why = first === undefined ? [] : [await whyUnassigned(reader, first)]
	return [health, nodes, shards.section, ...why, tasks, settings, aliases, streams, templates]
}

function tellHealth(answer: Json) {
	const health = objectOf(answer)
	const count = (name: string, value: Json | undefined, isWorrying: (value: number) => boolean = () => false) => {
		const state: FactState = 'warning'
		return { name, value: wordsOf(value), ...(isWorrying(numberOf(value)) && { state }) }
	}
	const some = (value: number) => value > 0
	return {
		facts: [
			{ name: 'Cluster', value: wordsOf(health.cluster_name) },
			{ name: 'Status', value: wordsOf(health.status), ...stateOfColour(health.status) },
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

const nodesQuestion = {
	path: '/_cat/nodes',
	search:
		'format=json&s=name&h=name,master,node.role,version,heap.percent,ram.percent,cpu,load_1m,disk.used_percent,uptime',
}

function tellNodes(answer: Json) {
	return listOf(
		objectsOf(answer),
		{
			Name: node => (node.master === '*' ? `${wordsOf(node.name)} (master)` : node.name),
			Roles: node => node['node.role'],
			Version: node => node.version,
			'Heap %': node => node['heap.percent'],
			'CPU %': node => node.cpu,
			'Load 1 min': node => node.load_1m,
			'Disk used %': node => node['disk.used_percent'],
			Uptime: node => node.uptime,
		},
		stateOfNode,
	)
}

/** The engine's own watermarks: from 85 % on it gives a node no more shards, at 95 % it blocks writes. */
function stateOfNode(node: JsonObject): { readonly state?: FactState } {
	const [disk, heap] = [numberOf(node['disk.used_percent']), numberOf(node['heap.percent'])]
	if (disk >= 95) return { state: 'bad' }
	return disk >= 85 || heap >= 90 ? { state: 'warning' } : {}
}

function tellTasks(answer: Json) {
	const tasks = objectsOf(objectOf(answer).tasks)
		.filter(
			task => task.parent_task_id === undefined && !wordsOf(task.action).startsWith('cluster:monitor/tasks/lists'),
		)
		.sort((a, b) => numberOf(b.running_time_in_nanos) - numberOf(a.running_time_in_nanos))
	return listOf(
		tasks,
		{
			Action: task => task.action,
			Description: task => wordsOf(task.description).slice(0, 500),
			'Running for': task => duration(numberOf(task.running_time_in_nanos) / 1e6),
			Task: task => `${wordsOf(task.node)}:${wordsOf(task.id)}`,
		},
		actionOn,
		'Nothing runs.',
	)
}

/** None for a task whose name could be read as more than the name of one task. */
function actionOn(task: JsonObject): Pick<FactRow, 'action'> {
	const name = `${wordsOf(task.node)}:${wordsOf(task.id)}`
	if (task.cancellable !== true || !/^[\w-]{1,100}:[0-9]{1,20}$/.test(name)) return {}
	return { action: { label: 'Cancel', statement: `POST /_tasks/${name}/_cancel` } }
}

function tellSettings(answer: Json) {
	const { persistent, transient } = objectOf(answer)
	const facts = [
		...Object.entries(objectOf(persistent)).map(([name, value]) => ({ name, value: wordsOf(value) })),
		...Object.entries(objectOf(transient)).map(([name, value]) => ({
			name: `${name} (transient)`,
			value: wordsOf(value),
		})),
	]
	return facts.length > 0 ? { facts } : { notice: 'Everything has its default.' }
}

function tellAliases(answer: Json) {
	const shown = objectsOf(answer).filter(({ alias }) => !wordsOf(alias).startsWith('.'))
	return listOf(shown, {
		Alias: alias => alias.alias,
		Index: alias => alias.index,
		Filter: alias => (alias.filter === '-' ? '' : alias.filter),
		'Takes writes': alias => (alias.is_write_index === 'true' ? 'yes' : ''),
	})
}

function tellStreams(answer: Json) {
	return listOf(
		objectsOf(objectOf(answer).data_streams),
		{
			Name: stream => stream.name,
			Status: stream => stream.status,
			Indices: stream => objectsOf(stream.indices).length,
			Template: stream => stream.template,
			'Lifecycle policy': stream => stream.ilm_policy,
		},
		stream => stateOfColour(wordsOf(stream.status).toLowerCase()),
	)
}

function tellTemplates(answer: Json) {
	const templates = objectsOf(objectOf(answer).index_templates).filter(({ name }) => !wordsOf(name).startsWith('.'))
	return listOf(templates, {
		Name: template => template.name,
		Patterns: template => objectOf(template.index_template).index_patterns,
		Priority: template => objectOf(template.index_template).priority,
		'Made of': template => objectOf(template.index_template).composed_of,
	})
}
