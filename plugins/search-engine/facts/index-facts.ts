import type { Fact, FactSection, Json, JsonObject } from '@roundhouse/kit'
import type { Field } from '../mapping/field.ts'
import { stateOfColour } from '../mapping/health.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { numberOf, objectOf, objectsOf } from '../transport/answer.ts'
import type { ClusterConnection } from '../transport/cluster-connection.ts'
import { pathOf } from '../transport/request-path.ts'
import { whyUnassigned } from './allocation.ts'
import { displayText, duration, listOf } from './describe.ts'
import { FactReader } from './fact-reader.ts'
import { lifecycleFacts } from './object-facts.ts'
import { shardsOf } from './shards.ts'

/** Returns facts about an index, or about the indices behind one name. */
export async function indexFacts(
	cluster: ClusterConnection,
	{ name, mapping, isStream }: { readonly name: string; readonly mapping: Mapping; readonly isStream: boolean },
	signal: AbortSignal,
): Promise<FactSection[]> {
	const reader = new FactReader(cluster, signal)
	const target = pathOf(name)
	const [overview, shards, settings, aliases, statistics, lifecycle] = await Promise.all([
		reader.section('Overview', { path: `/_cat/indices${target}`, search: overviewColumns }, describeOverview),
		shardsOf(reader, target),
		reader.section('Settings', { path: `${target}/_settings`, search: 'flat_settings=true' }, describeSettings),
		reader.section('Aliases', { path: `${target}/_alias` }, describeAliases),
		reader.section('Statistics', { path: `${target}/_stats`, isOnServerless: false }, describeStatistics),
		lifecycleFacts(reader, { target, isStream }),
	])
	const [first] = shards.unassigned
	const why = first === undefined ? [] : [await whyUnassigned(reader, first)]
	const fields = { title: 'Fields', statement: `GET ${target}/_mapping`, ...describeFields(mapping) }
	return [overview, ...lifecycle, shards.section, ...why, fields, settings, aliases, statistics]
}

const overviewColumns =
	'format=json&s=index&h=index,health,status,pri,rep,docs.count,docs.deleted,store.size,creation.date.string'

const overviewNames: Readonly<Record<string, string>> = {
	health: 'Health',
	status: 'Status',
	pri: 'Primary shards',
	rep: 'Replicas per shard',
	'docs.count': 'Lucene documents',
	'docs.deleted': 'Deleted, not yet merged',
	'store.size': 'Size',
	'creation.date.string': 'Created',
}

function describeOverview(answer: Json) {
	const indices = objectsOf(answer)
	const [only = {}] = indices
	if (indices.length === 1) return { facts: factsOf(only, overviewNames).map(fact => withState(fact, only)) }
	const columns = Object.entries({ index: 'Index', ...overviewNames }).map(
		([key, title]) => [title, (index: JsonObject) => index[key]] as const,
	)
	return listOf(indices, Object.fromEntries(columns), { more: index => stateOfColour(index.health) })
}

function withState(fact: Fact, { health, status }: JsonObject): Fact {
	if (fact.name === 'Health') return { ...fact, ...stateOfColour(health) }
	return fact.name === 'Status' && status === 'close' ? { ...fact, value: 'closed', state: 'warning' } : fact
}

function factsOf(object: JsonObject, names: Readonly<Record<string, string>>): Fact[] {
	return Object.entries(names).flatMap(([key, name]) => {
		const value = displayText(object[key])
		return value === '' ? [] : [{ name, value }]
	})
}

function describeFields({ fields }: Mapping) {
	return listOf(
		[...fields.values()].map(field => ({ path: field.path, type: field.type, notes: notesOf(field) })),
		{ Field: field => field.path, Type: field => field.type, Notes: field => field.notes },
		{ whenEmpty: 'The mapping has no fields yet.' },
	)
}

function notesOf(field: Field): string {
	return [
		...(field.aliasOf === undefined ? [] : [`another name for ${field.aliasOf}`]),
		...(field.isRuntime ? ['computed when read'] : []),
		...[...field.subfields].map(([name, { type }]) => `.${name}: ${type}`),
		...(field.format === undefined ? [] : [`format ${field.format}`]),
		...(field.ignoreAbove === undefined ? [] : [`longer than ${field.ignoreAbove} characters not indexed`]),
		...(field.isFindable ? [] : ['not indexed']),
		...(field.hasDocValues ? [] : ['no doc values']),
	].join(', ')
}

/** If there are several indices, each name includes its index. */
function describeSettings(answer: Json) {
	const indices = Object.entries(objectOf(answer))
	const facts = indices.flatMap(([index, entry]) =>
		Object.entries(objectOf(objectOf(entry).settings)).map(([name, value]) => ({
			name: indices.length > 1 ? `${index}: ${name}` : name,
			value: displayText(value),
		})),
	)
	return { facts }
}

function describeAliases(answer: Json) {
	const aliases: JsonObject[] = Object.entries(objectOf(answer)).flatMap(([index, entry]) =>
		Object.entries(objectOf(objectOf(entry).aliases)).map(([alias, options]) => ({
			alias,
			index,
			...objectOf(options),
		})),
	)
	return listOf(aliases, {
		Alias: alias => alias.alias,
		Index: alias => alias.index,
		Filter: alias => alias.filter,
		'Takes writes': alias => (alias.is_write_index === true ? 'yes' : ''),
	})
}

function describeStatistics(answer: Json) {
	const total = objectOf(objectOf(objectOf(answer)._all).total)
	const count = (group: string, key: string) => numberOf(objectOf(total[group])[key])
	const searches = count('search', 'query_total')
	const searchMs = count('search', 'query_time_in_millis')
	return {
		facts: [
			{ name: 'Searches', value: searches.toLocaleString('en') },
			{ name: 'Time searching', value: duration(searchMs) },
			{ name: 'Per search', value: searches === 0 ? '' : duration(searchMs / searches) },
			{ name: 'Documents written', value: count('indexing', 'index_total').toLocaleString('en') },
			{ name: 'Time writing', value: duration(count('indexing', 'index_time_in_millis')) },
			{ name: 'Failed writes', value: count('indexing', 'index_failed').toLocaleString('en') },
			{ name: 'Time merging', value: duration(count('merges', 'total_time_in_millis')) },
			{ name: 'Segments', value: count('segments', 'count').toLocaleString('en') },
		].filter(({ value }) => value !== ''),
	}
}
