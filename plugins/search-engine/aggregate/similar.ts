import type { Filter, JsonObject, SimilarGroups, SimilarQuery } from '@roundhouse/kit'
import { exactField, resolve } from '../mapping/exact-field.ts'
import type { Field } from '../mapping/field.ts'
import { isDate, isText } from '../mapping/field-type.ts'
import type { Mapping } from '../mapping/mapping.ts'
import type { QueryPlan } from '../query/query.ts'
import { numberOf, objectOf, objectsOf } from '../transport/answer.ts'
import { EngineError } from '../transport/engine-error.ts'
import { isAtLeast, type Version } from '../transport/product.ts'

/** Groups of similar messages, by the aggregation `categorize_text` of X-Pack. */

/** The fields that are grouped. */
interface Fields {
	readonly message: Field
	readonly time: Field
}

/** Returns the fields of a question, or `undefined` if the aggregation does not take them. It is in 7.16 and later. */
export function similarFields(query: SimilarQuery, mapping: Mapping, version: Version): Fields | undefined {
	const fieldOf = (name: string) => {
		const field = mapping.fields.get(name)
		return field && field.nestedIn.length === 0 ? resolve(field, mapping) : undefined
	}
	const [message, time] = [fieldOf(query.column), fieldOf(query.time)]
	if (!isAtLeast(version, 7, 16) || message === undefined || time === undefined || !isDate(time.type)) return undefined
	return isText(message.type) || message.type === 'keyword' ? { message, time } : undefined
}

/** Returns the search body. */
export function similarBody(query: SimilarQuery, { message, time }: Fields, plan: QueryPlan): JsonObject {
	const [from, to] = [Date.parse(query.from), Date.parse(query.to)]
	const edge = (part: number) => String(Math.round(from + ((to - from) * part) / query.parts))
	const ranges = Array.from({ length: query.parts }, (_, part) => ({ from: edge(part), to: edge(part + 1) }))
	return {
		size: 0,
		query: plan.query,
		track_total_hits: false,
		aggs: {
			similar: {
				categorize_text: { field: message.path, size: query.limit },
				aggs: {
					first: { min: { field: time.path } },
					last: { max: { field: time.path } },
					example: { top_hits: { size: 1, _source: false, fields: [message.path] } },
					parts: { date_range: { field: time.path, format: 'epoch_millis', ranges } },
				},
			},
			absent: { filter: { bool: { must_not: { exists: { field: message.path } } } } },
		},
	}
}

/** Returns the groups of an answer. */
export function similarGroups(query: SimilarQuery, { message }: Fields, answer: JsonObject): SimilarGroups {
	const found = objectOf(answer.aggregations)
	const similar = objectOf(found.similar)
	const timeOf = (measure: JsonObject) => new Date(numberOf(measure.value)).toISOString()
	const groups = objectsOf(similar.buckets).map(bucket => {
		const words = String(bucket.key ?? '')
		const [hit] = objectsOf(objectOf(objectOf(bucket.example).hits).hits)
		const example = objectOf(hit?.fields)[message.path]
		return {
			pattern: words,
			count: numberOf(bucket.doc_count),
			example: String((Array.isArray(example) ? example[0] : example) ?? words),
			first: timeOf(objectOf(bucket.first)),
			last: timeOf(objectOf(bucket.last)),
			counts: objectsOf(objectOf(bucket.parts).buckets).map(part => numberOf(part.doc_count)),
			filters: [filterOf(query.column, words.split(/\s+/).filter(Boolean), message)],
		}
	})
	const others = numberOf(similar.sum_other_doc_count)
	const absent = numberOf(objectOf(found.absent).doc_count)
	return {
		groups,
		notices: [
			...(others > 0 ? [`${counted(others)} in groups that are not shown.`] : []),
			...(absent > 0 ? [`${counted(absent)} in no group, without ${query.column}.`] : []),
		],
	}
}

const counted = (rows: number) => (rows === 1 ? '1 document is' : `${rows.toLocaleString('en')} documents are`)

/**
 * Returns the filter for the words that all messages of a group have, in their order. Of text that has only its words to
 * compare, each is one: spaces at its sides tell it from a part of a word.
 */
function filterOf(column: string, words: readonly string[], message: Field): Filter {
	const isWords = isText(message.type) && exactField(message) === undefined
	const escaped = words.map(word => word.replaceAll(/[\\*?]/g, '\\$&'))
	const value = isWords ? `* ${escaped.join(' * ')} *` : `*${escaped.join('*')}*`
	return words.length === 0
		? { column, operator: 'exists', values: [] }
		: { column, operator: 'wildcard', values: [value] }
}

/** Whether a node lacks the aggregation: the distribution is without X-Pack, or its licence does not permit it. */
export function lacksCategories(error: unknown): boolean {
	if (!(error instanceof EngineError)) return false
	if (error.status === 403) return /non-compliant/.test(error.message)
	return error.status === 400 && /unknown aggregation type|not registered/i.test(error.message)
}
