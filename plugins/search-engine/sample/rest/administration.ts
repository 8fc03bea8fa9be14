import { isJsonObject, type Json, type JsonObject, stringifyJson } from '@roundhouse/kit'
import type { Parameters } from '../documents/documents.ts'
import type { Cluster } from '../store/cluster.ts'
import { luceneCount, type StoredIndex } from '../store/stored-index.ts'
import { tokenize } from '../values/analysis.ts'
import { failure, illegalArgument, uuidOf } from '../values/failure.ts'

/** Information about the cluster: `/`, `_cat`, `_cluster/health`, mappings, settings, aliases, `_analyze`. */

export function root(cluster: Cluster): JsonObject {
	return {
		name: 'sample-node',
		cluster_name: 'roundhouse-sample',
		cluster_uuid: uuidOf('roundhouse-sample'),
		version: {
			number: cluster.version,
			build_flavor: 'default',
			build_type: 'sample',
			build_hash: '0000000000000000000000000000000000000000',
			build_date: '2024-05-01T00:00:00.000Z',
			build_snapshot: false,
			lucene_version: cluster.major < 8 ? '8.11.1' : '9.10.0',
			minimum_wire_compatibility_version: cluster.major < 8 ? '6.8.0' : '7.17.0',
			minimum_index_compatibility_version: cluster.major < 8 ? '6.0.0-beta1' : '7.0.0',
		},
		tagline: 'You Know, for Search',
	}
}

type CatRow = Readonly<Record<string, string>>

export function catIndices(cluster: Cluster, expression: string | undefined, parameters: Parameters): Json | string {
	const all = expression === undefined ? [...cluster.indices.values()] : cluster.resolve(expression)
	return catTable(
		all.map(index => catRow(index, parameters.get('bytes'))),
		parameters,
	)
}

/**
 * Number of documents from which the size of an index is estimated. Printing every document would take longer than
 * opening a connection.
 */
const measured = 100

function sizeOf(index: StoredIndex): number {
	let [count, printed] = [0, 0]
	for (const { source } of index.first(measured)) {
		count++
		printed += stringifyJson(source).length
	}
	return 225 + (count === 0 ? 0 : Math.round((printed / count) * index.size))
}

function catRow(index: StoredIndex, bytes: string | undefined): CatRow {
	const size = sizeOf(index)
	const shown =
		bytes === 'b' ? String(size) : size > 1048576 ? `${(size / 1048576).toFixed(1)}mb` : `${(size / 1024).toFixed(1)}kb`
	return {
		health: 'green',
		status: 'open',
		index: index.name,
		uuid: uuidOf(index.name),
		pri: '1',
		rep: '0',
		'docs.count': String(luceneCount(index)),
		'docs.deleted': '0',
		'store.size': shown,
		'pri.store.size': shown,
		'creation.date.string': '2024-05-01T00:00:00.000Z',
	}
}

export function catAliases(cluster: Cluster, parameters: Parameters): Json | string {
	const rows = [...cluster.aliases].flatMap(([alias, names]) =>
		[...names].map(index => ({
			alias,
			index,
			filter: '-',
			'routing.index': '-',
			'routing.search': '-',
			is_write_index: '-',
		})),
	)
	return catTable(rows, parameters)
}

export function catHealth(cluster: Cluster, parameters: Parameters): Json | string {
	const shards = String(cluster.indices.size)
	return catTable(
		[{ cluster: 'roundhouse-sample', status: 'green', 'node.total': '1', shards, pri: shards }],
		parameters,
	)
}

/** Returns objects for `format=json`, else a table in plain text. `h` selects columns, `s` sorts, `v` shows names. */
export function catTable(rows: readonly CatRow[], parameters: Parameters): Json | string {
	if (parameters.has('help'))
		return Object.keys(rows[0] ?? {})
			.map(name => `${name} | | \n`)
			.join('')
	const sorted = sortRows(rows, parameters.get('s'))
	const columns = parameters.get('h')?.split(',') ?? Object.keys(rows[0] ?? {})
	const chosen = sorted.map(row => Object.fromEntries(columns.map(name => [name, row[name] ?? ''])))
	if (parameters.get('format') === 'json') return chosen
	const lines = [...(parameters.has('v') ? [columns] : []), ...chosen.map(row => Object.values(row))]
	const widths = columns.map((_, at) => Math.max(...lines.map(line => line[at]?.length ?? 0), 0))
	return lines.map(line => `${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' ')}\n`).join('')
}

function sortRows(rows: readonly CatRow[], order: string | undefined): readonly CatRow[] {
	if (order === undefined) return rows
	const [name = '', direction = 'asc'] = order.split(':')
	const sign = direction === 'desc' ? -1 : 1
	return rows.toSorted((a, b) => sign * ((a[name] ?? '') < (b[name] ?? '') ? -1 : 1))
}

export function health(cluster: Cluster, expression: string | undefined): JsonObject {
	const shards = expression === undefined ? cluster.indices.size : cluster.resolve(expression).length
	return {
		cluster_name: 'roundhouse-sample',
		status: 'green',
		timed_out: false,
		number_of_nodes: 1,
		number_of_data_nodes: 1,
		active_primary_shards: shards,
		active_shards: shards,
		relocating_shards: 0,
		initializing_shards: 0,
		unassigned_shards: 0,
		delayed_unassigned_shards: 0,
		number_of_pending_tasks: 0,
		number_of_in_flight_fetch: 0,
		task_max_waiting_in_queue_millis: 0,
		active_shards_percent_as_number: 100,
	}
}

export function mappings(cluster: Cluster, expression: string): JsonObject {
	return byIndex(cluster.resolve(expression), index => ({ mappings: index.mapping.definition }))
}

/** As Elasticsearch 8.13 numbers itself in the settings of an index. */
const createdBy = '8503000'

interface SettingsRequest {
	readonly parameters: Parameters
	/** Names of the requested settings, separated by commas. An index with none of them is omitted. */
	readonly names?: string
}

export function settings(cluster: Cluster, expression: string, { parameters, names }: SettingsRequest): JsonObject {
	const flat = parameters.has('flat_settings') && parameters.get('flat_settings') !== 'false'
	const chosen = cluster
		.resolve(expression)
		.map(index => [index.name, chosenSettings(index, names)] as const)
		.filter(([, settings]) => names === undefined || settings.length > 0)
	return Object.fromEntries(
		chosen.map(([name, settings]) => [name, { settings: flat ? flattened(settings) : { index: nested(settings) } }]),
	)
}

/** Returns how often the mapping and the settings of indices were changed, as `_cluster/state` has it. */
export function changeCounts(cluster: Cluster, expression: string): JsonObject {
	const counts = byIndex(cluster.resolve(expression), ({ mapping, settingsVersion }) => ({
		mapping_version: mapping.version,
		settings_version: settingsVersion,
	}))
	return { metadata: { indices: counts } }
}

type NamedSettings = readonly (readonly [name: string, value: string])[]

const flattened = (settings: NamedSettings): JsonObject =>
	Object.fromEntries(settings.map(([name, value]) => [`index.${name}`, value]))

const nested = (settings: NamedSettings): JsonObject =>
	settings.reduce<JsonObject>((found, [name, value]) => withSetting(found, name.split('.'), value), {})

const settingsOf = (index: StoredIndex): JsonObject => nested(chosenSettings(index))

function chosenSettings(index: StoredIndex, names?: string): NamedSettings {
	const all: JsonObject = {
		number_of_shards: '1',
		number_of_replicas: '0',
		provided_name: index.name,
		uuid: uuidOf(index.name),
		'version.created': createdBy,
		...index.flatSettings,
	}
	const asked = names?.split(',').map(name => name.replace(/^index\./, ''))
	return Object.entries(all).flatMap(([name, value]) =>
		asked === undefined || asked.includes(name) ? [[name, String(value)] as const] : [],
	)
}

function withSetting(settings: JsonObject, [key = '', ...rest]: readonly string[], value: string): JsonObject {
	const inner = settings[key]
	return { ...settings, [key]: rest.length === 0 ? value : withSetting(isJsonObject(inner) ? inner : {}, rest, value) }
}

export function describeIndices(cluster: Cluster, expression: string): JsonObject {
	return byIndex(cluster.resolve(expression), index => ({
		aliases: aliasesOf(cluster, index),
		mappings: index.mapping.definition,
		settings: { index: settingsOf(index) },
	}))
}

export function aliases(cluster: Cluster, expression: string): JsonObject {
	return byIndex(cluster.resolve(expression), index => ({ aliases: aliasesOf(cluster, index) }))
}

function aliasesOf(cluster: Cluster, index: StoredIndex): JsonObject {
	const names = [...cluster.aliases].filter(([, members]) => members.has(index.name)).map(([alias]) => [alias, {}])
	return Object.fromEntries(names)
}

/** `GET /_resolve/index/*`. The sample has no data streams. */
export function resolveAll(cluster: Cluster): JsonObject {
	const aliases = [...cluster.aliases].map(([name, members]) => ({ name, indices: [...members] }))
	return {
		indices: [...cluster.indices.keys()].map(name => ({ name, attributes: ['open'] })),
		aliases,
		data_streams: [],
	}
}

/** `GET /<indices>/_field_caps?fields=*`, or one field with the indices that have it and those that lack it. */
export function fieldCapabilities(cluster: Cluster, expression: string, parameters: Parameters): JsonObject {
	const wanted = parameters.get('fields') ?? '*'
	const hasUnmapped = parameters.get('include_unmapped') === 'true'
	const indices = cluster.resolve(expression)
	const found = new Map<string, Map<string, string[]>>()
	for (const { name, mapping } of indices) {
		for (const [path, type] of typesIn(mapping.definition, '')) {
			if (wanted !== '*' && wanted !== path) continue
			const types = found.get(path) ?? new Map<string, string[]>()
			types.set(type, [...(types.get(type) ?? []), name])
			found.set(path, types)
		}
	}
	const names = indices.map(({ name }) => name)
	for (const types of found.values()) {
		const having = new Set([...types.values()].flat())
		const without = names.filter(name => !having.has(name))
		if (hasUnmapped && without.length > 0) types.set('unmapped', without)
	}
	const described = (type: string, having: readonly string[], isOnly: boolean) => ({
		type,
		metadata_field: false,
		searchable: type !== 'unmapped',
		aggregatable: type !== 'unmapped',
		...(!isOnly && { indices: [...having] }),
	})
	return {
		indices: names,
		fields: Object.fromEntries(
			[...found].map(([path, types]) => [
				path,
				Object.fromEntries([...types].map(([type, having]) => [type, described(type, having, types.size === 1)])),
			]),
		),
	}
}

function typesIn(
	{ properties, fields }: JsonObject,
	prefix: string,
): readonly (readonly [path: string, type: string])[] {
	return [properties, fields].flatMap(children =>
		Object.entries(isJsonObject(children) ? children : {}).flatMap(([name, child]) => {
			const [path, inside] = [`${prefix}${name}`, isJsonObject(child) ? child : {}]
			const type = typeof inside.type === 'string' ? inside.type : 'object'
			return [[path, type] as const, ...typesIn(inside, `${path}.`)]
		}),
	)
}

/** `POST /_aliases` with `add` and `remove`. */
export function changeAliases(cluster: Cluster, body: JsonObject): JsonObject {
	for (const action of Array.isArray(body.actions) ? body.actions : []) {
		const [kind, options] = Object.entries(isJsonObject(action) ? action : {})[0] ?? []
		const { index = '', alias = '', filter } = isJsonObject(options) ? options : {}
		if (filter !== undefined) throw illegalArgument('[aliases] this sample has no aliases with a [filter]')
		const members = cluster.aliases.get(String(alias)) ?? new Set()
		for (const { name } of cluster.resolve(String(index))) {
			if (kind === 'add') members.add(name)
			else if (kind === 'remove') members.delete(name)
			else throw illegalArgument(`[aliases] unknown field [${kind}]`)
		}
		if (members.size > 0) cluster.aliases.set(String(alias), members)
		else cluster.aliases.delete(String(alias))
	}
	return { acknowledged: true }
}

function byIndex(indices: readonly StoredIndex[], describe: (index: StoredIndex) => JsonObject): JsonObject {
	return Object.fromEntries(indices.map(index => [index.name, describe(index)]))
}

export function createIndex(cluster: Cluster, name: string, body: JsonObject): JsonObject {
	if (cluster.indices.has(name)) {
		const reason = `index [${name}/${uuidOf(name)}] already exists`
		throw failure(400, { type: 'resource_already_exists_exception', reason, index_uuid: uuidOf(name), index: name })
	}
	const { mappings: given, settings: wanted } = body
	const index = cluster.create(name, isJsonObject(given) ? given : {}, isJsonObject(wanted) ? wanted : {})
	for (const alias of Object.keys(isJsonObject(body.aliases) ? body.aliases : {})) {
		cluster.aliases.set(alias, new Set([...(cluster.aliases.get(alias) ?? []), index.name]))
	}
	return { acknowledged: true, shards_acknowledged: true, index: name }
}

export function analyze(body: JsonObject): JsonObject {
	const { text, analyzer = 'standard' } = body
	if (text === undefined)
		throw failure(400, {
			type: 'action_request_validation_exception',
			reason: 'Validation Failed: 1: text is missing;',
		})
	if (analyzer !== 'standard') throw illegalArgument(`failed to find global analyzer [${analyzer}]`)
	const texts = Array.isArray(text) ? text : [text]
	return { tokens: texts.flatMap(one => tokenize(String(one)).map(token => ({ ...token }))) }
}
