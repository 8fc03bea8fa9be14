import type { Completions } from '@roundhouse/kit'
import { isAtLeast } from '../../transport/product.ts'
import { bodyAt, type CursorContext } from './body-options.ts'
import { type CompletionSources, described, namesOf, type Suggestion } from './completion-sources.ts'
import { type CompletionContext, contextAt } from './context.ts'
import { esqlIn, esqlOptions } from './esql-options.ts'
import { metricsAfter, usedFirst } from './fixed-words.ts'
import type { Endpoint, Parameter, Specification } from './specification.ts'

/** Upper limit of options. Further typing narrows them. */
const maxOptions = 200

const methods: readonly Suggestion[] = [
	{ label: 'GET', kind: 'method', detail: 'read', insert: 'GET /' },
	{ label: 'POST', kind: 'method', detail: 'search, or write', insert: 'POST /' },
	{ label: 'PUT', kind: 'method', detail: 'create or replace', insert: 'PUT /' },
	{ label: 'DELETE', kind: 'method', detail: 'delete', insert: 'DELETE /' },
	{ label: 'HEAD', kind: 'method', detail: 'check whether a resource exists', insert: 'HEAD /' },
]

const queries: readonly Suggestion[] = ['FROM', 'ROW', 'SHOW INFO'].map(label => ({
	label,
	kind: 'method',
	detail: 'query of ES|QL',
	insert: `${label} `,
}))

/** Completes a console text at an offset. Accepts any text and any offset; the result may be empty. */
export async function complete(text: string, offset: number, known: CompletionSources): Promise<Completions> {
	const at = Math.min(Math.max(Math.trunc(offset) || 0, 0), text.length)
	const place = contextAt(text, at)
	if (place === undefined) return { from: at, options: [] }
	const esql = esqlIn(place)
	if (esql === undefined && place.kind === 'body' && place.isLong) return { from: at, options: [] }
	const { word: typed } = esql ?? place
	const word = typed.toLowerCase()
	const found = esql ? await esqlOptions(esql, known) : await optionsAt({ place, text, at }, known)
	const fitting = [
		...found.filter(startsWithWord),
		...found.filter(option => !startsWithWord(option) && containsWord(option)),
	]
	const options = fitting.toSorted((a, b) => Number(a.isDeprecated ?? false) - Number(b.isDeprecated ?? false))
	return { from: at - typed.length, options: options.slice(0, maxOptions) }

	function startsWithWord({ label }: Suggestion): boolean {
		return label.toLowerCase().startsWith(word) || label.startsWith(`_${word}`)
	}
	/** Table and column names match at any position. Keywords match only at the start. */
	function containsWord({ label, kind }: Suggestion): boolean {
		return (kind === 'table' || kind === 'column') && label.toLowerCase().includes(word)
	}
}

async function optionsAt(
	{ place, text, at }: CursorContext<CompletionContext>,
	known: CompletionSources,
): Promise<readonly Suggestion[]> {
	// In a text or a comment of it.
	if (place.kind === 'query') return []
	if (place.kind === 'method') return isAtLeast(known.version, 8, 11) ? [...methods, ...queries] : methods
	const specification = await known.specification()
	if (place.kind === 'path') return segmentsAt(place, specification, known)
	const endpoint = specification.endpoint(place.method, place.segments)
	if (endpoint === undefined) return []
	if (place.kind === 'body') return bodyAt({ place, text, at }, endpoint, known)
	const { name } = place
	if (name === undefined) return parametersOf(endpoint, place.segments).map(parameterOption)
	if (place.segments[0] === '_cat' && (name === 'h' || name === 's')) return catColumnsAt(place, name, known)
	const values = parametersOf(endpoint, place.segments).find(parameter => parameter.name === name)?.values ?? []
	return values.filter(label => !place.values.includes(label)).map(label => ({ label, kind: 'keyword' }))
}

/** Returns the columns of a `_cat` table. After a colon in `s`, returns the sort directions. */
async function catColumnsAt(
	{ segments, values, word }: CompletionContext & { kind: 'parameter' },
	name: 'h' | 's',
	known: CompletionSources,
): Promise<readonly Suggestion[]> {
	const column = /^(.*):/.exec(word)?.[1]
	if (column !== undefined) {
		return name === 's' ? ['asc', 'desc'].map(way => ({ label: `${column}:${way}`, kind: 'keyword' })) : []
	}
	const columns = await known.catColumns(segments[1] ?? '')
	return columns.filter(({ name }) => !values.includes(name)).map(one => described(one, 'column'))
}

/** Parameters that the engine accepts beyond its specification: for every endpoint, and for table output. */
const commonParameters: readonly Parameter[] = ['pretty', 'human', 'error_trace'].map(name =>
	parameter(name, 'true', 'false'),
)
const catParameters: readonly Parameter[] = [
	parameter('format', 'json', 'yaml', 'text', 'cbor', 'smile'),
	...['v', 'help'].map(name => parameter(name, 'true', 'false')),
	...['h', 's', 'time', 'bytes'].map(name => parameter(name)),
]

function parameter(name: string, ...values: readonly string[]): Parameter {
	return { name, doc: '', values }
}

function parametersOf({ parameters }: Endpoint, [first]: readonly string[]): readonly Parameter[] {
	const more = [...commonParameters, parameter('filter_path'), ...(first === '_cat' ? catParameters : [])]
	const own = parameters.map(one => ({ ...one, values: one.values.length > 0 ? one.values : valuesIn(more, one.name) }))
	return [...own, ...more.filter(({ name }) => !parameters.some(one => one.name === name))]
}

function valuesIn(parameters: readonly Parameter[], name: string): readonly string[] {
	return parameters.find(one => one.name === name)?.values ?? []
}

function parameterOption({ name, doc }: Parameter): Suggestion {
	return { label: name, kind: 'parameter', insert: `${name}=`, ...(doc !== '' && { info: doc }) }
}

function rankOf(word: string): number {
	const rank = usedFirst.indexOf(word)
	return rank < 0 ? usedFirst.length : rank
}

async function segmentsAt(
	place: CompletionContext & { kind: 'path' },
	specification: Specification,
	known: CompletionSources,
): Promise<Suggestion[]> {
	const { words, takesIndex, takesAlias, takesMetric } = specification.next(place.method, place.segments)
	const isName = !place.word.startsWith('_')
	const names = takesIndex && isName ? await namesOf(known) : []
	const aliases = takesAlias && isName ? (await namesOf(known)).filter(({ detail }) => detail === 'alias') : []
	const metrics = takesMetric ? metricsAfter(place.segments) : []
	const endpoints = place.isInList ? [] : [...words].sort(([a], [b]) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
	return [
		...[...names, ...aliases].map(option => ({ ...option, insert: encodeURIComponent(option.label) })),
		...metrics.map((label): Suggestion => ({ label, kind: 'keyword' })),
		...endpoints.map(([label, { methods, endpoint }]): Suggestion => {
			const detail = methods.toSorted().join(', ')
			return { label, kind: 'endpoint', ...(detail !== '' && { detail }), ...(endpoint && aboutEndpoint(endpoint)) }
		}),
	]
}

function aboutEndpoint({ doc, url, isDeprecated }: Endpoint): Pick<Suggestion, 'info' | 'url' | 'isDeprecated'> {
	return { ...(doc !== '' && { info: doc }), ...(url !== '' && { url }), ...(isDeprecated && { isDeprecated }) }
}
