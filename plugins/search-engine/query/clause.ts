import { DriverError, type Filter, type Json, type JsonObject } from '@roundhouse/kit'
import { hasKeyword, isMetaColumn, resolve } from '../mapping/columns.ts'
import type { Field, Mapping } from '../mapping/field.ts'
import { isDate, isStructured, isText } from '../mapping/field-type.ts'
import { isAtLeast, type Version } from '../transport/product.ts'
import { typedValue } from './typed-value.ts'

/** One filter as the engine takes it, before `nested` and `bool` go around it. */
export interface Clause {
	readonly query: JsonObject
	/** `not_equals`, `not_in` and `missing` say that nothing matches the query. */
	readonly isNegated: boolean
	readonly nestedIn: readonly string[]
	readonly notice?: string
}

/** What the operators need to know of the column. */
interface Target {
	readonly column: string
	/** The field itself, for `exists`. */
	readonly path: string
	/** The field to compare: `.keyword` of analysed text, where there is one. */
	readonly name: string
	readonly type: string
	readonly format: string | undefined
	/** Analysed text without `.keyword`: there are only words to compare. */
	readonly isWords: boolean
	/** 7.10 and later ignore case when asked. */
	readonly canIgnoreCase: boolean
}

/**
 * Translates one filter to `term`, `terms`, `range`, `wildcard` or `exists` (contract, part B).
 * @throws DriverError `invalid_argument` when the column or a value does not fit the operator.
 */
export function clauseOf(filter: Filter, mapping: Mapping, version: Version): Clause {
	const field = fieldOf(filter.column, mapping)
	const target: Target = {
		column: filter.column,
		path: field.path,
		name: isText(field.type) && hasKeyword(field) ? `${field.path}.keyword` : field.path,
		type: field.type,
		format: field.format,
		isWords: isText(field.type) && !hasKeyword(field),
		canIgnoreCase: isAtLeast(version, 7, 10),
	}
	const isNested = field.type === 'nested'
	return {
		query: queryOf(filter, target),
		isNegated: filter.operator === 'not_equals' || filter.operator === 'not_in' || filter.operator === 'missing',
		nestedIn: isNested ? [...field.nestedIn, field.path] : field.nestedIn,
		...(target.isWords &&
			comparesText.has(filter.operator) && {
				notice: `${filter.column} is analysed text without a .keyword subfield: its single words are compared, not the whole text.`,
			}),
	}
}

const comparesText = new Set([
	'equals',
	'not_equals',
	'in',
	'not_in',
	'contains',
	'starts_with',
	'ends_with',
	'wildcard',
])
const patternTypes = new Set(['keyword', 'constant_keyword', 'wildcard', 'version', '_index'])

function fieldOf(column: string, mapping: Mapping): Field {
	const field = mapping.fields.get(column)
	if (field !== undefined) return resolve(field, mapping)
	if (isMetaColumn(column) && column !== '_score') return metaField(column)
	throw invalidFilter(`${column} cannot be filtered: it is not in the mapping`)
}

function metaField(path: string): Field {
	return { path, type: path, nestedIn: [], subfields: new Map(), isRuntime: false, hasDocValues: true, isIndexed: true }
}

function queryOf(filter: Filter, target: Target): JsonObject {
	if (filter.operator === 'exists' || filter.operator === 'missing') return { exists: { field: target.path } }
	if (isStructured(target.type) && target.type !== 'flattened' && !target.type.endsWith('_range')) {
		throw invalidFilter(
			`${target.column} is of type ${target.type}: only "exists" and "missing" apply; use the raw query for more`,
		)
	}
	switch (filter.operator) {
		case 'equals':
		case 'not_equals':
			return equals(one(filter), target)
		case 'in':
		case 'not_in':
			return oneOf(filter, target)
		case 'less':
			return range(target, { lt: one(filter) })
		case 'less_or_equal':
			return range(target, { lte: one(filter) })
		case 'greater':
			return range(target, { gt: one(filter) })
		case 'greater_or_equal':
			return range(target, { gte: one(filter) })
		case 'between':
			return between(filter, target)
		case 'contains':
			return pattern(target, `*${escapePattern(one(filter))}*`, true)
		case 'starts_with':
			return pattern(target, `${escapePattern(one(filter))}*`, true)
		case 'ends_with':
			return pattern(target, `*${escapePattern(one(filter))}`, true)
		case 'wildcard':
			return pattern(target, one(filter), false)
	}
}

function equals(text: string, target: Target): JsonObject {
	if (isForeignDate(text, target)) return range(target, { gte: text, lte: text })
	const value = typedValue(text, target.type, target.column)
	// Words are indexed in lower case by most analyzers, and a person does not type them so.
	const ignoreCase = target.isWords && target.canIgnoreCase && { case_insensitive: true }
	return { term: { [target.name]: { value, ...ignoreCase } } }
}

function oneOf(filter: Filter, target: Target): JsonObject {
	const texts = filter.values.filter(text => text !== '' || filter.values.length === 1)
	if (texts.length === 0) throw invalidFilter(`The filter on ${filter.column} needs a value`)
	if (target.isWords) return { bool: { should: texts.map(text => equals(text, target)), minimum_should_match: 1 } }
	return { terms: { [target.name]: texts.map(text => typedValue(text, target.type, target.column)) } }
}

function between(filter: Filter, target: Target): JsonObject {
	const [low, high] = filter.values
	if (low === undefined || high === undefined || filter.values.length !== 2 || (low === '' && high === '')) {
		throw invalidFilter(`"between" on ${filter.column} needs two values`)
	}
	return range(target, { ...(low !== '' && { gte: low }), ...(high !== '' && { lte: high }) })
}

function range(target: Target, bounds: Readonly<Record<string, string>>): JsonObject {
	if (target.type === '_id' || target.type === 'boolean') {
		throw invalidFilter(`${target.column} has no order, so it cannot be compared with less or greater`)
	}
	const typed = Object.entries(bounds).map(
		([word, text]) => [word, typedValue(text, target.type, target.column)] as const,
	)
	const format = Object.values(bounds).some(text => isForeignDate(text, target)) && {
		format: `${target.format}||strict_date_optional_time_nanos`,
	}
	return { range: { [target.name]: { ...Object.fromEntries<Json>(typed), ...format } } }
}

/** A date typed the ISO way for a field whose mapping accepts only another way. */
function isForeignDate(text: string, target: Target): boolean {
	const isIso = /^[0-9]{4}-[0-9]{2}/.test(text)
	return (
		isDate(target.type) && isIso && target.format !== undefined && !/date_optional_time|yyyy-MM-dd/.test(target.format)
	)
}

function pattern(target: Target, value: string, ignoresCase: boolean): JsonObject {
	if (!patternTypes.has(target.type) && !isText(target.type)) {
		throw invalidFilter(
			`${target.column} is of type ${target.type}: text patterns apply to text and keyword fields only`,
		)
	}
	return {
		wildcard: { [target.name]: { value, ...(ignoresCase && target.canIgnoreCase && { case_insensitive: true }) } },
	}
}

function escapePattern(text: string): string {
	return text.replaceAll(/[\\*?]/g, '\\$&')
}

function one(filter: Filter): string {
	const value = filter.values[0]
	if (value === undefined || filter.values.length !== 1)
		throw invalidFilter(`The filter on ${filter.column} needs one value`)
	return value
}

function invalidFilter(message: string): DriverError {
	return new DriverError('invalid_argument', `${message}.`)
}
