import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { Failure, illegalArgument, parsingFailure, shardFailure } from './failure.ts'
import { addressOf, type Comparable, comparable, compare, plainText, words } from './field-value.ts'
import { type SampleField, type SampleMapping, valuesAt } from './mapping.ts'
import { parseQueryString } from './query-string.ts'
import type { StoredDocument } from './stored-index.ts'

/**
 * The query DSL as functions over documents: no inverted index, every query looks at every document, which a few ten
 * thousand documents allow. Scores say "matches better" and nothing more; they are not BM25.
 */

/** What a query looks at: a document, or one element of a nested object in it. */
export interface Target {
	readonly document: StoredDocument
	readonly element: Json
	/** Path of the nested object; empty for the document itself. */
	readonly scope: string
}

/** The score, or `undefined` for no match. */
export type Matcher = (target: Target) => number | undefined

export interface QueryContext {
	readonly index: string
	readonly mapping: SampleMapping
}

export function compileQuery(query: Json | undefined, context: QueryContext): Matcher {
	if (query === undefined) return () => 1
	const entries = isJsonObject(query) ? Object.entries(query) : []
	const [name, body] = entries[0] ?? []
	if (name === undefined || body === undefined || entries.length !== 1) {
		throw parsingFailure('[query] malformed query, expected one query clause')
	}
	const compile = compilers[name]
	if (compile === undefined) throw parsingFailure(`unknown query [${name}]`)
	return compile(body, context)
}

type Compiler = (body: Json, context: QueryContext) => Matcher

const compilers: Readonly<Record<string, Compiler>> = {
	match_all: () => () => 1,
	match_none: () => () => undefined,
	bool: compileBool,
	constant_score: (body, context) => {
		const matches = compileQuery(objectOf(body, 'constant_score').filter, context)
		return target => (matches(target) === undefined ? undefined : 1)
	},
	nested: compileNested,
	ids: body => {
		const ids = new Set(listOf(objectOf(body, 'ids').values).map(String))
		return target => (ids.has(target.document.id) ? 1 : undefined)
	},
	exists: compileExists,
	term: (body, context) => {
		const { field, value, options } = fieldClause(body, 'term', 'value')
		return termMatcher(field, [value], options.case_insensitive === true, context)
	},
	terms: (body, context) => {
		const [entry] = Object.entries(objectOf(body, 'terms')).filter(([key]) => key !== 'boost')
		if (entry === undefined || !Array.isArray(entry[1]))
			throw parsingFailure('[terms] query requires a field and values')
		return termMatcher(entry[0], entry[1], false, context)
	},
	range: compileRange,
	wildcard: (body, context) => {
		const { field, value, options } = fieldClause(body, 'wildcard', 'value')
		const ignoresCase = options.case_insensitive === true
		return patternMatcher(field, wildcardPattern(String(options.wildcard ?? value), ignoresCase), 'wildcard', context)
	},
	prefix: (body, context) => {
		const { field, value, options } = fieldClause(body, 'prefix', 'value')
		const escaped = escapePattern(String(value))
		const pattern = new RegExp(`^${escaped}`, options.case_insensitive === true ? 'isu' : 'su')
		return patternMatcher(field, pattern, 'prefix', context)
	},
	regexp: (body, context) => {
		const { field, value } = fieldClause(body, 'regexp', 'value')
		return patternMatcher(field, new RegExp(`^(?:${String(value)})$`, 'su'), 'regexp', context)
	},
	match: (body, context) => {
		const { field, value, options } = fieldClause(body, 'match', 'query')
		return matchMatcher(field, value, String(options.operator ?? 'or').toLowerCase() === 'and', context)
	},
	match_phrase: (body, context) => {
		const { field, value } = fieldClause(body, 'match_phrase', 'query')
		return phraseMatcher(field, value, context)
	},
	multi_match: (body, context) => {
		const { query = '', fields } = objectOf(body, 'multi_match')
		const names = fields === undefined ? searchableFields(context) : listOf(fields).map(String)
		return anyField(names, context, field => matchMatcher(field, query, false, context))
	},
	/** Not the engine's: what `query_string` looks for in several fields. A value that does not fit one is no error. */
	lenient_any: (body, context) => {
		const matchers = listOf(body).flatMap(query => leniently(() => compileQuery(query, context)))
		return target => best(matchers.map(matches => matches(target)))
	},
	query_string: (body, context) => {
		const options = objectOf(body, 'query_string')
		if (typeof options.query !== 'string') throw parsingFailure('[query_string] must be provided with a [query]')
		return compileQueryString(options.query, options, context)
	},
}

function compileQueryString(text: string, options: JsonObject, context: QueryContext): Matcher {
	const fallback =
		options.fields === undefined ? [String(options.default_field ?? '*')] : listOf(options.fields).map(String)
	const isAnd = String(options.default_operator ?? 'or').toLowerCase() === 'and'
	const parsed = parseQueryString(text, isAnd ? 'and' : 'or')
	if (parsed === undefined) {
		throw shardFailure(400, 'query_shard_exception', `Failed to parse query [${text}]`, context.index)
	}
	return compileQuery(
		parsed(field => {
			const names = field === undefined ? fallback : [field]
			return names.flatMap(name => (name === '*' ? searchableFields(context) : [name.replace(/\^.*$/, '')]))
		}),
		context,
	)
}

/** Fields at the top of the documents that words can be looked for in. */
function searchableFields({ mapping }: QueryContext): string[] {
	const skipped = new Set(['geo_point', 'geo_shape', 'binary', 'alias', 'flattened', 'integer_range', 'dense_vector'])
	return [...mapping.fields.values()]
		.filter(field => field.scope === '' && !skipped.has(field.type) && !field.isRuntime)
		.map(field => field.path)
}

function leniently(compile: () => Matcher): Matcher[] {
	try {
		return [compile()]
	} catch (error) {
		if (error instanceof Failure) return []
		throw error
	}
}

function anyField(names: readonly string[], context: QueryContext, make: (field: string) => Matcher): Matcher {
	const matchers = names.filter(name => context.mapping.fields.has(name)).map(make)
	return target => best(matchers.map(matches => matches(target)))
}

function best(scores: readonly (number | undefined)[]): number | undefined {
	const found = scores.filter(score => score !== undefined)
	return found.length === 0 ? undefined : Math.max(...found)
}

function compileBool(body: Json, context: QueryContext): Matcher {
	const clauses = objectOf(body, 'bool')
	for (const key of Object.keys(clauses)) {
		if (!/^(must|must_not|filter|should|minimum_should_match|boost|_name)$/.test(key)) {
			throw parsingFailure(`[bool] query does not support [${key}]`)
		}
	}
	const compileAll = (value: Json | undefined) => listOf(value).map(query => compileQuery(query, context))
	const must = compileAll(clauses.must)
	const filter = compileAll(clauses.filter)
	const mustNot = compileAll(clauses.must_not)
	const should = compileAll(clauses.should)
	const needed = Number(
		clauses.minimum_should_match ?? (must.length + filter.length === 0 && should.length > 0 ? 1 : 0),
	)
	// Nothing that must match: everything does, with the score of `match_all` in a filter, which is 0.
	return target => {
		let score = 0
		for (const matches of must) {
			const found = matches(target)
			if (found === undefined) return undefined
			score += found
		}
		if (filter.some(matches => matches(target) === undefined)) return undefined
		if (mustNot.some(matches => matches(target) !== undefined)) return undefined
		const wished = should.map(matches => matches(target)).filter(found => found !== undefined)
		return wished.length < needed ? undefined : wished.reduce((sum, found) => sum + found, score)
	}
}

function compileNested(body: Json, context: QueryContext): Matcher {
	const { path, query, ignore_unmapped: ignoresUnmapped } = objectOf(body, 'nested')
	const scope = String(path)
	if (!context.mapping.nestedPaths.has(scope)) {
		if (ignoresUnmapped === true) return () => undefined
		const reason = `[nested] failed to find nested object under path [${scope}]`
		throw shardFailure(400, 'query_shard_exception', reason, context.index)
	}
	const matches = compileQuery(query, context)
	return target => {
		const inner = target.scope === '' ? scope : scope.slice(target.scope.length + 1)
		return best(
			valuesAt(target.element, inner)
				.filter(isJsonObject)
				.map(element => matches({ document: target.document, element, scope })),
		)
	}
}

function compileExists(body: Json, context: QueryContext): Matcher {
	const { field } = objectOf(body, 'exists')
	if (typeof field !== 'string') throw illegalArgument('[exists] must be provided with a [field]')
	if (field === '_id' || field === '_index') return () => 1
	const under = [...context.mapping.fields.values()].filter(
		candidate => candidate.path === field || candidate.path.startsWith(`${field}.`),
	)
	return target => (under.some(candidate => valuesIn(target, candidate).length > 0) ? 1 : undefined)
}

function termMatcher(field: string, values: readonly Json[], ignoresCase: boolean, context: QueryContext): Matcher {
	if (field === '_id' || field === '_index') {
		const wanted = new Set(values.map(String))
		return ({ document }) => (wanted.has(field === '_id' ? document.id : context.index) ? 1 : undefined)
	}
	const mapped = context.mapping.fields.get(field)
	if (mapped === undefined) return () => undefined
	if (mapped.type === 'text') {
		const fold = (text: string) => (ignoresCase ? text.toLowerCase() : text)
		const wanted = new Set(values.map(value => fold(plainText(value) ?? '')))
		return target => (wordsIn(target, mapped).some(word => wanted.has(fold(word))) ? 1 : undefined)
	}
	const tests = values.map(value => equalsTest(value, mapped, ignoresCase, context))
	return target => (valuesIn(target, mapped).some(found => tests.some(test => test(found))) ? 1 : undefined)
}

function equalsTest(
	wanted: Json,
	field: SampleField,
	ignoresCase: boolean,
	context: QueryContext,
): (found: Json) => boolean {
	if (field.type === 'flattened') return found => leavesOf(found).includes(plainText(wanted) ?? '')
	if (field.type.endsWith('_range')) return found => isInRange(found, wanted)
	if (field.type === 'date') return betweenTest({ gte: wanted, lte: wanted }, field, context)
	if (field.type === 'ip' && String(wanted).includes('/')) return subnetTest(String(wanted))
	const value = typedOrFail(wanted, field, context)
	if (ignoresCase && typeof value === 'string') {
		return found => (plainText(found) ?? '').toLowerCase() === value.toLowerCase()
	}
	return found => {
		const own = comparable(found, field)
		return own !== undefined && compare(own, value) === 0
	}
}

function leavesOf(value: Json): string[] {
	if (Array.isArray(value)) return value.flatMap(leavesOf)
	return isJsonObject(value) ? Object.values(value).flatMap(leavesOf) : [plainText(value) ?? '']
}

function isInRange(range: Json, value: Json): boolean {
	const { gte, lte, gt, lt } = isJsonObject(range) ? range : {}
	const at = Number(value)
	return !(
		(gte !== undefined && at < Number(gte)) ||
		(lte !== undefined && at > Number(lte)) ||
		(gt !== undefined && at <= Number(gt)) ||
		(lt !== undefined && at >= Number(lt))
	)
}

function subnetTest(subnet: string): (found: Json) => boolean {
	const [address = '', length = '32'] = subnet.split('/')
	const base = addressOf(address)
	const bits = BigInt(address.includes(':') ? 128 - Number(length) : 32 - Number(length))
	return found => {
		const own = addressOf(String(found))
		return base !== undefined && own !== undefined && own >> bits === base >> bits
	}
}

const bounds = ['gt', 'gte', 'lt', 'lte'] as const
type Bounds = Readonly<Partial<Record<(typeof bounds)[number], Json>>>

function compileRange(body: Json, context: QueryContext): Matcher {
	const [entry] = Object.entries(objectOf(body, 'range'))
	if (entry === undefined || !isJsonObject(entry[1])) throw parsingFailure('[range] query malformed, no field')
	const [name, options] = entry
	for (const key of Object.keys(options)) {
		if (!/^(gte?|lte?|format|time_zone|boost|relation|from|to|include_lower|include_upper)$/.test(key)) {
			throw parsingFailure(`[range] query does not support [${key}]`)
		}
	}
	const field = context.mapping.fields.get(name)
	if (field === undefined) return () => undefined
	const format = typeof options.format === 'string' ? { format: options.format } : {}
	if (field.type === 'text') {
		const test = betweenTest(options, { ...field, type: 'keyword' }, context)
		return target => (wordsIn(target, field).some(test) ? 1 : undefined)
	}
	// The query's format reads the bounds; the documents keep the mapping's.
	const test = betweenTest(options, field, context, { ...field, ...format })
	return target => (valuesIn(target, field).some(test) ? 1 : undefined)
}

function betweenTest(
	limits: Bounds,
	field: SampleField,
	context: QueryContext,
	limitField = field,
): (found: Json) => boolean {
	const tests = bounds.flatMap(bound => {
		const limit = limits[bound]
		if (limit === undefined || limit === null) return []
		const isUpper = bound === 'lte' || bound === 'gt'
		const at = typedOrFail(limit, limitField, context, isUpper)
		return [(value: Comparable) => holds[bound](compare(value, at))]
	})
	return found => {
		const value = comparable(found, field)
		return value !== undefined && tests.every(test => test(value))
	}
}

const holds: Readonly<Record<(typeof bounds)[number], (order: number) => boolean>> = {
	gt: order => order > 0,
	gte: order => order >= 0,
	lt: order => order < 0,
	lte: order => order <= 0,
}

function typedOrFail(value: Json, field: SampleField, context: QueryContext, isUpper = false): Comparable {
	// A decimal never equals an integer, but may bound one.
	const isDecimal = /^-?\d+\.\d*[1-9]/.test(plainText(value) ?? '')
	const type = isDecimal && /long|integer|short|byte/.test(field.type) ? 'double' : field.type
	const typed = comparable(value, { ...field, type }, isUpper)
	if (typed !== undefined) return typed
	const text = plainText(value) ?? JSON.stringify(value)
	if (field.type === 'date') {
		const reason = `failed to parse date field [${text}] with format [${field.format ?? 'strict_date_optional_time||epoch_millis'}]`
		throw shardFailure(400, 'parse_exception', `${reason}: [${reason}]`, context.index)
	}
	const reason = `failed to create query: For input string: "${text}"`
	throw shardFailure(400, 'query_shard_exception', reason, context.index)
}

function patternMatcher(name: string, pattern: RegExp, kind: string, context: QueryContext): Matcher {
	if (name === '_index') return () => (pattern.test(context.index) ? 1 : undefined)
	const field = context.mapping.fields.get(name)
	if (field === undefined && name !== '_id') return () => undefined
	if (field === undefined || !/^(text|keyword|constant_keyword|wildcard|version|flattened)$/.test(field.type)) {
		const reason = `Can only use ${kind} queries on keyword, text and wildcard fields - not on [${name}] which is of type [${field?.type ?? '_id'}]`
		throw shardFailure(400, 'query_shard_exception', reason, context.index)
	}
	if (field.type === 'text') return target => (wordsIn(target, field).some(word => pattern.test(word)) ? 1 : undefined)
	return target => (valuesIn(target, field).some(value => pattern.test(plainText(value) ?? '')) ? 1 : undefined)
}

function matchMatcher(name: string, value: Json, isAnd: boolean, context: QueryContext): Matcher {
	const field = context.mapping.fields.get(name)
	if (field?.type !== 'text') return termMatcher(name, [value], false, context)
	const wanted = words([value])
	return target => {
		const own = wordsIn(target, field)
		const found = wanted.filter(word => own.includes(word))
		if (found.length === 0 || (isAnd && found.length < wanted.length)) return undefined
		const hits = own.filter(word => found.includes(word)).length
		return found.length + hits / (hits + own.length)
	}
}

function phraseMatcher(name: string, value: Json, context: QueryContext): Matcher {
	const field = context.mapping.fields.get(name)
	if (field?.type !== 'text') return termMatcher(name, [value], false, context)
	const phrase = words([value])
	return target => {
		// Each value for itself: a phrase does not run from one value of an array into the next.
		const isFound = valuesIn(target, field).some(text => {
			const own = words([text])
			return own.some((_, at) => phrase.every((word, index) => own[at + index] === word))
		})
		return isFound && phrase.length > 0 ? phrase.length + 1 : undefined
	}
}

/** The values of a field where the query looks. What lies in a nested object is not seen from outside of it. */
export function valuesIn(target: Target, field: SampleField): Json[] {
	if (field.scope !== target.scope) return []
	const path = field.scope === '' ? field.source : field.source.slice(field.scope.length + 1)
	const values = valuesAt(target.element, path)
	if (field.ignoreAbove === Number.POSITIVE_INFINITY) return values
	return values.filter(value => (plainText(value)?.length ?? 0) <= field.ignoreAbove)
}

/** Analysing is what costs; a document never changes, so its words are kept. */
const wordCache = new WeakMap<object, Map<string, string[]>>()

function wordsIn(target: Target, field: SampleField): string[] {
	if (!isJsonObject(target.element)) return []
	const cached = wordCache.get(target.element) ?? new Map<string, string[]>()
	wordCache.set(target.element, cached)
	const known = cached.get(field.path)
	if (known !== undefined) return known
	const found = words(valuesIn(target, field))
	cached.set(field.path, found)
	return found
}

function wildcardPattern(text: string, ignoresCase: boolean): RegExp {
	const source = text.replaceAll(/\\(.)|([*?])|([^*?\\])/gsu, (_, escaped?: string, wild?: string, plain?: string) => {
		if (wild !== undefined) return wild === '*' ? '.*' : '.'
		return escapePattern(escaped ?? plain ?? '')
	})
	return new RegExp(`^${source}$`, ignoresCase ? 'isu' : 'su')
}

function escapePattern(text: string): string {
	return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

function fieldClause(body: Json, query: string, key: string): { field: string; value: Json; options: JsonObject } {
	const entries = Object.entries(objectOf(body, query))
	const [entry] = entries
	if (entry === undefined) throw parsingFailure(`[${query}] query malformed, no field`)
	if (entries.length > 1) {
		throw parsingFailure(
			`[${query}] query doesn't support multiple fields, found [${entry[0]}] and [${entries[1]?.[0]}]`,
		)
	}
	const [field, value] = entry
	if (!isJsonObject(value)) return { field, value, options: {} }
	return { field, value: value[key] ?? value.value ?? null, options: value }
}

function objectOf(body: Json, query: string): JsonObject {
	if (isJsonObject(body)) return body
	throw parsingFailure(`[${query}] query malformed, no start_object after query name`)
}

export function listOf(value: Json | undefined): readonly Json[] {
	if (value === undefined) return []
	return Array.isArray(value) ? value : [value]
}
