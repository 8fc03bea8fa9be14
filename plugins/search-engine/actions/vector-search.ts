import {
	type ActionField,
	type ActionForm,
	exactNumber,
	type Json,
	type JsonObject,
	type Settings,
	stringifyJson,
} from '@roundhouse/kit'
import type { Field } from '../mapping/field.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { isAtLeast, type Version } from '../transport/product.ts'
import { pathOf } from '../transport/request-path.ts'
import { filterHelp, filterOf, refused, textOf, withoutPlaces } from './filled-text.ts'

/** The form of a vector search, and its request for the console. Pure. */

/** What a search needs to know of the index. */
interface SearchedIndex {
	readonly table: string
	readonly mapping: Mapping
	readonly version: Version
}

/** The first version that searches vectors with `knn`. Earlier ones compare each document. */
const hasKnn = (version: Version) => isAtLeast(version, 8, 4)
/** The first version in which the engine makes a vector of a text. */
const hasTextEmbedding = (version: Version) => isAtLeast(version, 8, 7)

/** Returns the form; `undefined` if the index has no vectors. */
export function vectorSearchForm(mapping: Mapping, version: Version): ActionForm | undefined {
	const vectors = vectorFields(mapping, version)
	if (vectors.length === 0) return undefined
	const isSemantic = vectors.every(({ type }) => type === 'semantic_text')
	const takesText = isSemantic || hasTextEmbedding(version)
	const field = (key: string, label: string, more: Partial<ActionField> = {}): ActionField => ({
		key,
		label,
		type: 'text',
		...more,
	})
	const ways = [
		...(isSemantic ? [] : [{ value: 'vector', label: 'Vector' }]),
		...(takesText ? [{ value: 'text', label: 'Text' }] : []),
	]
	return {
		id: 'vector-search',
		fields: [
			field('field', 'Field', {
				type: 'select',
				default: vectors[0]?.path ?? '',
				options: vectors.map(({ path, type, dims }) => ({
					value: path,
					label: `${path} (${dims === undefined ? type : `${dims} numbers`})`,
				})),
			}),
			field('by', 'Search for', { type: 'select', default: ways[0]?.value ?? '', options: ways }),
			field('vector', 'Vector', {
				placeholder: '[0.12, -0.5, …]',
				help: 'Numbers, separated by commas or spaces.',
				visibleWhen: { field: 'by', is: ['vector'] },
			}),
			field('text', 'Text', { visibleWhen: { field: 'by', is: ['text'] } }),
			field('model', 'Inference endpoint or model', {
				help: 'Makes the vector of the text. A field of the type semantic_text has its endpoint in the mapping.',
				visibleWhen: { field: 'by', is: ['text'] },
			}),
			field('k', 'Number of hits', { type: 'number', default: 10 }),
			...(hasKnn(version)
				? [
						field('candidates', 'Candidates in each shard', {
							type: 'number' as const,
							default: 100,
							help: 'More candidates make the search more exact and slower.',
						}),
					]
				: []),
			field('filter', 'Filter', { placeholder: 'year:>2000', help: filterHelp }),
		],
	}
}

/** @throws DriverError `invalid_argument` with what to change in the form */
export function vectorSearch(index: SearchedIndex, values: Settings): string {
	const { table, mapping, version } = index
	const field = vectorFields(mapping, version).find(({ path }) => path === values.field)
	if (!field) throw refused('This index has no such field for vectors.')
	const size = countOf(values.k, 'Number of hits', 10)
	const filter = filterOf(values.filter, mapping)
	const body =
		field.type === 'semantic_text' ? semantic(field, values, filter) : similar(field, { version, values, filter })
	const vector = field.type !== 'semantic_text' && values.by === 'vector' ? vectorIn(textOf(values.vector), field) : []
	// The vector stays on one line. It comes before the filter, so this is the only empty list that can be meant.
	const text = stringifyJson({ ...body, size }, 2).replace(
		'"query_vector": []',
		() => `"query_vector": ${lineOf(vector)}`,
	)
	return `POST ${pathOf(table)}/_search\n${withoutPlaces(text)}`
}

function semantic({ path }: Field, values: Settings, filter: JsonObject | undefined): JsonObject {
	const query = { semantic: { field: path, query: searchedText(values) } }
	return { query: filter === undefined ? query : { bool: { must: [query], filter: [filter] } } }
}

interface SimilaritySearch {
	readonly version: Version
	readonly values: Settings
	readonly filter: JsonObject | undefined
}

function similar({ path, hasVectorIndex }: Field, { version, values, filter }: SimilaritySearch): JsonObject {
	// The numbers of the vector would hide the other columns of the result.
	const _source = { excludes: [path] }
	const k = countOf(values.k, 'Number of hits', 10)
	// Vectors are indexed by default from 8.11 on.
	const isIndexed = hasVectorIndex ?? isAtLeast(version, 8, 11)
	if (values.by === 'text') {
		const model = textOf(values.model)
		if (model === '') throw refused('Name the inference endpoint or model that makes the vector of the text.')
		if (!isIndexed) throw refused('This field is not indexed. Search for a vector instead of a text.')
		const builder = { text_embedding: { model_id: model, model_text: searchedText(values) } }
		return { knn: { field: path, query_vector_builder: builder, ...knnOptions(values, k, filter) }, _source }
	}
	if (hasKnn(version) && isIndexed) {
		return { knn: { field: path, query_vector: [], ...knnOptions(values, k, filter) }, _source }
	}
	// The score of a document must not be negative.
	const script = {
		source: 'cosineSimilarity(params.query_vector, params.field) + 1.0',
		params: { query_vector: [], field: path },
	}
	const exists: JsonObject = { exists: { field: path } }
	const query: JsonObject = filter === undefined ? exists : { bool: { filter: [exists, filter] } }
	return { query: { script_score: { script, query } }, _source }
}

function knnOptions(values: Settings, k: number, filter: JsonObject | undefined): JsonObject {
	const candidates = Math.max(k, countOf(values.candidates, 'Candidates in each shard', 100))
	return { k, num_candidates: candidates, ...(filter !== undefined && { filter }) }
}

/** Vectors that a search can compare. Versions before 8.11 do not compare those within nested objects. */
function vectorFields({ fields }: Mapping, version: Version): readonly Field[] {
	const isFlat = !isAtLeast(version, 8, 11)
	return [...fields.values()].filter(
		({ type, nestedIn }) => type === 'semantic_text' || (type === 'dense_vector' && (nestedIn.length === 0 || !isFlat)),
	)
}

/** @throws DriverError if the text is no list of numbers, or not as long as the vectors of the field */
function vectorIn(text: string, { path, dims }: Field): readonly Json[] {
	const parts = text
		.replace(/^\s*\[|\]\s*$/g, '')
		.split(/[\s,]+/)
		.filter(Boolean)
	if (parts.length === 0) throw refused('Enter the numbers of the vector.')
	const numbers = parts.map(part => {
		try {
			return exactNumber(part)
		} catch {
			throw refused(`The vector contains "${part.slice(0, 40)}", which is not a number.`)
		}
	})
	if (dims !== undefined && dims !== numbers.length)
		throw refused(`The vectors of ${path} have ${dims} numbers. This one has ${numbers.length}.`)
	return numbers
}

const lineOf = (vector: readonly Json[]) => `[${vector.map(number => stringifyJson(number)).join(', ')}]`

function searchedText(values: Settings): string {
	const text = textOf(values.text)
	if (text === '') throw refused('Enter the text to search for.')
	return text
}

function countOf(value: Settings[string] | undefined, label: string, otherwise: number): number {
	const count = value === undefined || value === '' ? otherwise : Number(value)
	if (!Number.isInteger(count) || count < 1 || count > 10_000) throw refused(`${label} must be from 1 to 10,000.`)
	return count
}
