import type { Completions } from '@roundhouse/kit'
import type { Mapping } from '../../mapping/mapping.ts'
import { nextSegments } from './endpoints.ts'
import { parameterNames, parameterValues } from './parameters.ts'
import { type Place, placeAt } from './place.ts'
import { nodeAt } from './query-language.ts'

type Suggestion = Completions['options'][number]

/** What completion may ask of the cluster. Neither throws: without an answer there are fewer suggestions. */
export interface LiveNames {
	indices(): Promise<readonly string[]>
	/** Of one index or alias, never of several. */
	mapping(index: string): Promise<Mapping | undefined>
}

/** More than a person looks through; typing on narrows them. */
const mostOptions = 200

const methods: readonly Suggestion[] = [
	{ label: 'GET', kind: 'method', detail: 'read', insert: 'GET /' },
	{ label: 'POST', kind: 'method', detail: 'search, or write', insert: 'POST /' },
	{ label: 'PUT', kind: 'method', detail: 'create or replace', insert: 'PUT /' },
	{ label: 'DELETE', kind: 'method', detail: 'delete', insert: 'DELETE /' },
	{ label: 'HEAD', kind: 'method', detail: 'does it exist?', insert: 'HEAD /' },
]

/** What may follow at an offset of a console text. Any text and any offset have an answer, if only an empty one. */
export async function complete(text: string, offset: number, live: LiveNames): Promise<Completions> {
	const at = Math.min(Math.max(Math.trunc(offset) || 0, 0), text.length)
	const place = placeAt(text, at)
	if (place === undefined) return { from: at, options: [] }
	const word = place.word.toLowerCase()
	const found = await optionsAt(place, live)
	const options = [...found.filter(begins), ...found.filter(option => !begins(option) && holds(option))]
	return { from: place.from, options: options.slice(0, mostOptions) }

	function begins({ label }: Suggestion): boolean {
		return label.toLowerCase().startsWith(word) || label.startsWith(`_${word}`)
	}
	/** Names of the person's own are known by any part of them, words of the language by their beginning. */
	function holds({ label, kind }: Suggestion): boolean {
		return (kind === 'table' || kind === 'column') && label.toLowerCase().includes(word)
	}
}

async function optionsAt(place: Place, live: LiveNames): Promise<readonly Suggestion[]> {
	switch (place.kind) {
		case 'method':
			return methods
		case 'path':
			return segmentsAt(place, live)
		case 'parameter':
			return place.name === undefined
				? parameterNames(place.segments).map(label => ({ label, kind: 'parameter', insert: `${label}=` }))
				: parameterValues(place.name).map(label => ({ label, kind: 'keyword' }))
		case 'body':
			return bodyAt(place, live)
	}
}

async function segmentsAt(place: Place & { kind: 'path' }, live: LiveNames): Promise<Suggestion[]> {
	const { words, takesIndex } = nextSegments(place.method, place.segments)
	const indices = takesIndex && !place.word.startsWith('_') ? await live.indices() : []
	return [
		...indices.map((label): Suggestion => ({ label, kind: 'table', insert: encodeURIComponent(label) })),
		...[...(place.isInList ? [] : words)].sort().map((label): Suggestion => ({ label, kind: 'endpoint' })),
	]
}

async function bodyAt(place: Place & { kind: 'body' }, live: LiveNames): Promise<Suggestion[]> {
	const node = nodeAt(place.segments, place.keys)
	if (node === undefined) return []
	const isKey = place.expects === 'key'
	const wantsFields = isKey ? node.fields !== undefined : node.isField === true
	const words = isKey ? Object.keys(node.keys ?? {}) : (node.values ?? [])
	const fields = wantsFields ? fieldOptions(await live.mapping(oneIndex(place.segments) ?? '')) : []
	const written = (label: string) => (place.isQuoted ? undefined : isKey ? `"${label}": ` : literal(label))
	return [...words.map((label): Suggestion => ({ label, kind: 'keyword' })), ...fields].map(option => {
		const insert = written(option.label)
		return insert === undefined ? option : { ...option, insert }
	})
}

function literal(word: string): string {
	return word === 'true' || word === 'false' ? word : JSON.stringify(word)
}

/** The index of a path, if it is one: a pattern or a list would fetch the mappings of many. */
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
