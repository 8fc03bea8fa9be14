import type { FactSection, FactState, Json, JsonObject } from '@roundhouse/kit'
import { stateOfColour } from '../mapping/health.ts'
import { numberOf, objectOf, objectsOf } from '../transport/answer.ts'
import { pathOf } from '../transport/request-path.ts'
import { displayText, listOf, type SectionContent } from './describe.ts'
import type { FactReader } from './fact-reader.ts'

/** Objects of the cluster beside indices: parts of templates, legacy templates, lifecycle policies, ingest pipelines, snapshots, data streams. */

/** Returns the sections about objects of the cluster that this distribution has. */
export async function objectFacts(reader: FactReader): Promise<readonly FactSection[]> {
	const [components, legacy, policies, pipelines, repositories, snapshots] = await Promise.all([
		reader.sectionIfThere('Component templates', { path: '/_component_template' }, describeComponents),
		reader.sectionIfThere('Legacy templates', { path: '/_template', isOnServerless: false }, describeLegacyTemplates),
		reader.sectionIfThere('Lifecycle policies', { path: '/_ilm/policy', isOnServerless: false }, describePolicies),
		reader.sectionIfThere('Ingest pipelines', { path: '/_ingest/pipeline' }, describePipelines),
		reader.sectionIfThere('Snapshot repositories', repositoriesRequest, describeRepositories),
		snapshotsOf(reader),
	])
	return [components, legacy, policies, pipelines, repositories, snapshots].filter(section => section !== undefined)
}

/** Returns the members of an answer with their names. */
const namedIn = (answer: Json): readonly JsonObject[] =>
	Object.entries(objectOf(answer)).map(([name, entry]) => ({ name, ...objectOf(entry) }))

/** The engine's own begin with a dot. */
const isOfUsers = ({ name }: JsonObject) => !displayText(name).startsWith('.')

function describeComponents(answer: Json): SectionContent {
	const templates = objectsOf(objectOf(answer).component_templates)
	return listOf(templates.filter(isOfUsers), {
		Name: template => template.name,
		Has: template => partsOf(objectOf(template.component_template).template),
	})
}

function describeLegacyTemplates(answer: Json): SectionContent {
	return listOf(namedIn(answer).filter(isOfUsers), {
		Name: template => template.name,
		Patterns: template => objectOf(template).index_patterns,
		Order: template => objectOf(template).order,
		Has: template => partsOf(template),
	})
}

/** `settings, mappings, aliases`: what a template sets. */
const partsOf = (template: Json | undefined): Json =>
	['settings', 'mappings', 'aliases'].filter(name => Object.keys(objectOf(objectOf(template)[name])).length > 0)

const repositoriesRequest = { path: '/_snapshot', isOnServerless: false } as const

function describePolicies(answer: Json): SectionContent {
	return listOf(namedIn(answer).filter(isOfUsers), {
		Name: policy => policy.name,
		Phases: policy => Object.entries(objectOf(objectOf(policyIn(policy).phases))).map(describePhase),
		'Used by': policy => usersOf(policy),
		Changed: policy => objectOf(policy).modified_date,
	})
}

const policyIn = (entry: JsonObject) => objectOf(entry.policy)

/** `hot`, `delete after 30d`. */
function describePhase([name, phase]: readonly [string, Json]): string {
	const age = displayText(objectOf(phase).min_age)
	return age === '' || /^0/.test(age) ? name : `${name} after ${age}`
}

const usersShown = 20

function usersOf(policy: JsonObject): Json {
	const { indices, data_streams: streams } = objectOf(policy.in_use_by)
	const users = [streams, indices].flatMap(names => (Array.isArray(names) ? names : []))
	return users.length > usersShown ? [...users.slice(0, usersShown), `${users.length - usersShown} more`] : users
}

function describePipelines(answer: Json): SectionContent {
	return listOf(namedIn(answer).filter(isOfUsers), {
		Name: pipeline => pipeline.name,
		Description: pipeline => objectOf(pipeline).description,
		Processors: pipeline => objectsOf(objectOf(pipeline).processors).flatMap(processor => Object.keys(processor)),
	})
}

function describeRepositories(answer: Json): SectionContent {
	return listOf(namedIn(answer), {
		Name: repository => repository.name,
		Type: repository => objectOf(repository).type,
		Place: repository => placeOf(objectOf(objectOf(repository).settings)),
	})
}

/** Where a repository is. Its other settings may have credentials. */
const placeOf = ({ location, bucket, container, url, base_path: path }: JsonObject): string =>
	[location ?? bucket ?? container ?? url, path].map(displayText).filter(Boolean).join(' / ')

const repositoriesRead = 5

/** The newest snapshots of the first repositories. */
async function snapshotsOf(reader: FactReader): Promise<FactSection | undefined> {
	const all = await reader.read(repositoriesRequest).then(
		answer => Object.keys(objectOf(answer)),
		() => [],
	)
	if (all.length === 0) return undefined
	const names = all.slice(0, repositoriesRead)
	const rest = all.length > names.length ? [`Of the first ${names.length} of ${all.length} repositories.`] : []
	const columns = 'id,repository,status,start_epoch,start_time,duration,indices,failed_shards'
	const path = `/_cat/snapshots${pathOf(names.join(','))}`
	const request = { path, search: `format=json&h=${columns}&s=start_epoch:desc` }
	return reader.sectionIfThere('Snapshots', request, answer => {
		const snapshots = listOf(
			objectsOf(answer),
			{
				Name: snapshot => snapshot.id,
				Repository: snapshot => snapshot.repository,
				Status: snapshot => snapshot.status,
				Began: snapshot => isoOf(snapshot.start_epoch),
				Took: snapshot => snapshot.duration,
				Indices: snapshot => snapshot.indices,
				'Failed shards': snapshot => (snapshot.failed_shards === '0' ? '' : snapshot.failed_shards),
			},
			{ more: snapshot => snapshotStates.get(displayText(snapshot.status)) ?? {} },
		)
		const words = [...(snapshots.notice === undefined ? [] : [snapshots.notice]), ...rest]
		return { ...snapshots, ...(words.length > 0 && { notice: words.join(' ') }) }
	})
}

const snapshotStates: ReadonlyMap<string, { readonly state: FactState }> = new Map([
	['FAILED', { state: 'bad' }],
	['PARTIAL', { state: 'warning' }],
	['INCOMPATIBLE', { state: 'warning' }],
])

function isoOf(epoch: Json | undefined): string {
	const seconds = numberOf(epoch)
	return seconds > 0 ? new Date(seconds * 1000).toISOString() : ''
}

/** Returns the data stream behind a name, and the place of its indices in their lifecycle. */
export async function lifecycleFacts(
	reader: FactReader,
	{ target, isStream }: { readonly target: string; readonly isStream: boolean },
): Promise<readonly FactSection[]> {
	const [stream, steps] = await Promise.all([
		isStream ? reader.sectionIfThere('Data stream', { path: `/_data_stream${target}` }, describeStream) : undefined,
		// The lifecycle of Serverless is that of a data stream.
		reader.isServerless
			? undefined
			: reader.sectionIfThere('Lifecycle', { path: `${target}/_ilm/explain` }, describeSteps),
	])
	return [stream, steps].filter(section => section !== undefined)
}

function describeStream(answer: Json): SectionContent {
	const [stream = {}] = objectsOf(objectOf(answer).data_streams)
	const indices = objectsOf(stream.indices).map(({ index_name: name }) => displayText(name))
	const facts = [
		{ name: 'Status', value: displayText(stream.status), ...stateOfColour(displayText(stream.status).toLowerCase()) },
		{ name: 'Takes writes', value: indices.at(-1) ?? '' },
		{ name: 'Generation', value: displayText(stream.generation) },
		{ name: 'Time field', value: displayText(objectOf(stream.timestamp_field).name) },
		{ name: 'Index template', value: displayText(stream.template) },
		{ name: 'Lifecycle policy', value: displayText(stream.ilm_policy) },
		{ name: 'Kept for', value: displayText(objectOf(stream.lifecycle).data_retention) },
		{ name: 'Indices', value: indices.join(', ') },
	]
	return { facts: facts.filter(({ value }) => value !== '') }
}

function describeSteps(answer: Json): SectionContent {
	const managed = Object.values(objectOf(objectOf(answer).indices))
		.map(objectOf)
		.filter(({ managed }) => managed === true)
	return listOf(
		managed,
		{
			Index: index => index.index,
			Policy: index => index.policy,
			Phase: index => index.phase,
			Action: index => index.action,
			Step: index => index.step,
			Age: index => index.age,
			Error: index => objectOf(index.step_info).reason,
		},
		{
			more: index => (index.step === 'ERROR' ? { state: 'bad' } : {}),
			whenEmpty: 'No policy manages it.',
		},
	)
}
