import type { Completions } from '@roundhouse/kit'
import type { Mapping } from '../../mapping/mapping.ts'
import { type Place, placeAt } from './place.ts'
import type { BodyNode, Endpoint, Parameter, Specification } from './specification.ts'

type Suggestion = Completions['options'][number]

/**
 * The data sources of completion. The functions that query the cluster never throw. If the cluster does not answer,
 * fewer completions are returned.
 */
export interface Knowledge {
	/** The API of the cluster's version. */
	specification(): Promise<Specification>
	indices(): Promise<readonly string[]>
	/** Mapping of one index or alias, never of several. */
	mapping(index: string): Promise<Mapping | undefined>
}

/** Upper limit of options. Further typing narrows them. */
const maxOptions = 200

const methods: readonly Suggestion[] = [
	{ label: 'GET', kind: 'method', detail: 'read', insert: 'GET /' },
	{ label: 'POST', kind: 'method', detail: 'search, or write', insert: 'POST /' },
	{ label: 'PUT', kind: 'method', detail: 'create or replace', insert: 'PUT /' },
	{ label: 'DELETE', kind: 'method', detail: 'delete', insert: 'DELETE /' },
	{ label: 'HEAD', kind: 'method', detail: 'does it exist?', insert: 'HEAD /' },
]

/** Completes a console text at an offset. Accepts any text and any offset; the result may be empty. */
export async function complete(text: string, offset: number, known: Knowledge): Promise<Completions> {
	const at = Math.min(Math.max(Math.trunc(offset) || 0, 0), text.length)
	const place = placeAt(text, at)
	if (place === undefined) return { from: at, options: [] }
	const word = place.word.toLowerCase()
	const found = await optionsAt(place, known)
	const fitting = [...found.filter(begins), ...found.filter(option => !begins(option) && holds(option))]
	const options = fitting.toSorted((a, b) => Number(a.isDeprecated ?? false) - Number(b.isDeprecated ?? false))
	return { from: place.from, options: options.slice(0, maxOptions) }

	function begins({ label }: Suggestion): boolean {
		return label.toLowerCase().startsWith(word) || label.startsWith(`_${word}`)
	}
	/** The user's names match in any part, words of the language only at their beginning. */
	function holds({ label, kind }: Suggestion): boolean {
		return (kind === 'table' || kind === 'column') && label.toLowerCase().includes(word)
	}
}

async function optionsAt(place: Place, known: Knowledge): Promise<readonly Suggestion[]> {
	if (place.kind === 'method') return methods
	const specification = await known.specification()
	if (place.kind === 'path') return segmentsAt(place, specification, known)
	const endpoint = specification.endpoint(place.method, place.segments)
	if (endpoint === undefined) return []
	if (place.kind === 'body') return bodyAt(place, endpoint, known)
	const { name } = place
	if (name === undefined) return parametersOf(endpoint, place.segments).map(parameterOption)
	const values = parametersOf(endpoint, place.segments).find(parameter => parameter.name === name)?.values ?? []
	return values.map(label => ({ label, kind: 'keyword' }))
}

/** Parameters that the engine accepts beyond its specification: for every endpoint, and for table output. */
const everywhere: readonly Parameter[] = ['pretty', 'human', 'error_trace'].map(name =>
	parameter(name, 'true', 'false'),
)
const forTables: readonly Parameter[] = [
	parameter('format', 'json', 'yaml', 'text', 'cbor', 'smile'),
	...['v', 'help'].map(name => parameter(name, 'true', 'false')),
	...['h', 's', 'time', 'bytes'].map(name => parameter(name)),
]

function parameter(name: string, ...values: readonly string[]): Parameter {
	return { name, doc: '', values }
}

function parametersOf({ parameters }: Endpoint, [first]: readonly string[]): readonly Parameter[] {
	const more = [...everywhere, parameter('filter_path'), ...(first === '_cat' ? forTables : [])]
	const own = parameters.map(one => ({ ...one, values: one.values.length > 0 ? one.values : valuesIn(more, one.name) }))
	return [...own, ...more.filter(({ name }) => !parameters.some(one => one.name === name))]
}

function valuesIn(parameters: readonly Parameter[], name: string): readonly string[] {
	return parameters.find(one => one.name === name)?.values ?? []
}

function parameterOption({ name, doc }: Parameter): Suggestion {
	return { label: name, kind: 'parameter', insert: `${name}=`, ...(doc !== '' && { info: doc }) }
}

async function segmentsAt(
	place: Place & { kind: 'path' },
	specification: Specification,
	known: Knowledge,
): Promise<Suggestion[]> {
	const { words, takesIndex } = specification.next(place.method, place.segments)
	const indices = takesIndex && !place.word.startsWith('_') ? await known.indices() : []
	const endpoints = place.isInList ? [] : [...words].sort(([a], [b]) => (a < b ? -1 : 1))
	return [
		...indices.map((label): Suggestion => ({ label, kind: 'table', insert: encodeURIComponent(label) })),
		...endpoints.map(([label, { methods, endpoint }]): Suggestion => {
			const detail = methods.toSorted().join(', ')
			return { label, kind: 'endpoint', ...(detail !== '' && { detail }), ...(endpoint && aboutEndpoint(endpoint)) }
		}),
	]
}

function aboutEndpoint({ doc, url, isDeprecated }: Endpoint): Pick<Suggestion, 'info' | 'url' | 'isDeprecated'> {
	return { ...(doc !== '' && { info: doc }), ...(url !== '' && { url }), ...(isDeprecated && { isDeprecated }) }
}

async function bodyAt(
	place: Place & { kind: 'body' },
	{ body }: Endpoint,
	known: Knowledge,
): Promise<readonly Suggestion[]> {
	let node: BodyNode | undefined = body
	for (const key of place.keys) node = node?.under(key)
	if (node === undefined) return []
	const isKey = place.expects === 'key'
	const wantsFields = isKey ? node.takesFields : node.isField
	const words: Iterable<readonly [string, string]> = isKey ? node.keys : node.values.map(value => [value, ''] as const)
	const fields = wantsFields ? fieldOptions(await known.mapping(oneIndex(place.segments) ?? '')) : []
	const written = (label: string) => (place.isQuoted ? undefined : isKey ? `"${label}": ` : literal(label))
	return [...Array.from(words, keyword), ...fields].map(option => {
		const insert = written(option.label)
		return insert === undefined ? option : { ...option, insert }
	})
}

function keyword([label, info]: readonly [string, string]): Suggestion {
	return { label, kind: 'keyword', ...(info !== '' && { info }) }
}

function literal(word: string): string {
	return word === 'true' || word === 'false' ? word : JSON.stringify(word)
}

/**
 * Returns the index of a path if the path names exactly one. A pattern or a list is excluded, because it would fetch
 * many mappings.
 */
function oneIndex([first]: readonly string[]): string | undefined {
	return first === undefined || /^_|[*,]|^$/.test(first) ? undefined : first
}

function fieldOptions(mapping: Mapping | undefined): Suggestion[] {
	if (mapping === undefined) return []
	return [...mapping.fields.values()].flatMap(({ path, type, subfields }): Suggestion[] => [
		{ label: path, kind: 'column', detail: type },
		...[...subfields.values()].map((field): Suggestion => ({ label: field.path, kind: 'column', detail: field.type })),
	])
}
