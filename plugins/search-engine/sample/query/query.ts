import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { valuesAt } from '../store/mapping.ts'
import { Failure, illegalArgument, notInSample, parsingFailure, shardFailure } from '../values/failure.ts'
import { fieldClause, listOf, objectOf } from './clause.ts'
import { compileRange, escapePattern, patternMatcher, termMatcher, wildcardPattern } from './compare.ts'
import { matchMatcher, phraseMatcher } from './full-text.ts'
import { parseQueryString } from './query-string.ts'
import { type Matcher, type QueryContext, valuesIn } from './target.ts'

/**
 * Compiles the query DSL to functions over documents. There is no inverted index: every query visits every document,
 * which is fast enough for several ten thousand. A higher score means a better match; scores are not BM25.
 */

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

/** The real engine gives these options a meaning, so to ignore one would answer wrongly. */
function refuseOthers(query: string, options: JsonObject, known: readonly string[]) {
	const other = Object.keys(options).find(key => !known.includes(key))
	if (other !== undefined) throw notInSample(`[${other}] of [${query}]`)
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
	function_score: (body, context) => {
		const options = objectOf(body, 'function_score')
		const matches = compileQuery(options.query, context)
		if (options.random_score === undefined) throw parsingFailure('[function_score] query knows [random_score] here')
		return target => (matches(target) === undefined ? undefined : Math.random())
	},
	ids: body => {
		const ids = new Set(listOf(objectOf(body, 'ids').values).map(String))
		return target => (ids.has(target.document.id) ? 1 : undefined)
	},
	exists: compileExists,
	term: (body, context) => {
		const { field, value, options } = fieldClause(body, 'term', 'value')
		return termMatcher({ field, values: [value], ignoresCase: options.case_insensitive === true }, context)
	},
	terms: (body, context) => {
		const [entry] = Object.entries(objectOf(body, 'terms')).filter(([key]) => key !== 'boost')
		if (entry === undefined || !Array.isArray(entry[1]))
			throw parsingFailure('[terms] query requires a field and values')
		return termMatcher({ field: entry[0], values: entry[1], ignoresCase: false }, context)
	},
	range: compileRange,
	wildcard: (body, context) => {
		const { field, value, options } = fieldClause(body, 'wildcard', 'value')
		const ignoresCase = options.case_insensitive === true
		return patternMatcher(
			{ name: field, pattern: wildcardPattern(String(options.wildcard ?? value), ignoresCase), kind: 'wildcard' },
			context,
		)
	},
	prefix: (body, context) => {
		const { field, value, options } = fieldClause(body, 'prefix', 'value')
		const escaped = escapePattern(String(value))
		const pattern = new RegExp(`^${escaped}`, options.case_insensitive === true ? 'isu' : 'su')
		return patternMatcher({ name: field, pattern, kind: 'prefix' }, context)
	},
	regexp: (body, context) => {
		const { field, value } = fieldClause(body, 'regexp', 'value')
		return patternMatcher({ name: field, pattern: new RegExp(`^(?:${String(value)})$`, 'su'), kind: 'regexp' }, context)
	},
	match: (body, context) => {
		const { field, value, options } = fieldClause(body, 'match', 'query')
		refuseOthers('match', options, ['query', 'operator'])
		return matchMatcher(
			{ name: field, value, isAnd: String(options.operator ?? 'or').toLowerCase() === 'and' },
			context,
		)
	},
	match_phrase: (body, context) => {
		const { field, value, options } = fieldClause(body, 'match_phrase', 'query')
		// The analyzer of the sample has no stop words, so a phrase with a word has a term.
		refuseOthers('match_phrase', options, ['query', 'zero_terms_query'])
		return phraseMatcher(field, value, context)
	},
	multi_match: (body, context) => {
		const options = objectOf(body, 'multi_match')
		refuseOthers('multi_match', options, ['query', 'fields'])
		const { query = '', fields } = options
		for (const name of listOf(fields).map(String)) {
			if (/[*^]/.test(name)) throw notInSample(`[${name}] in the fields of [multi_match]`)
		}
		const names = fields === undefined ? searchableFields(context) : listOf(fields).map(String)
		return anyField(names, context, field => matchMatcher({ name: field, value: query, isAnd: false }, context))
	},
	/**
	 * Not a query of the engine: what `query_string` searches in several fields. A value that does not match a field's
	 * type is not an error.
	 */
	lenient_any: (body, context) => {
		const matchers = listOf(body).flatMap(query => leniently(() => compileQuery(query, context)))
		return target => best(matchers.map(matches => matches(target)))
	},
	query_string: (body, context) => {
		const options = objectOf(body, 'query_string')
		refuseOthers('query_string', options, [
			'query',
			'fields',
			'default_field',
			'default_operator',
			'lenient',
			'analyze_wildcard',
		])
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
		throw shardFailure(400, {
			type: 'query_shard_exception',
			reason: `Failed to parse query [${text}]`,
			index: context.index,
		})
	}
	return compileQuery(
		parsed(field => {
			const names = field === undefined ? fallback : [field]
			const pattern = names.find(name => name !== '*' && name.includes('*'))
			if (pattern !== undefined) throw notInSample(`the pattern [${pattern}] for fields`)
			const all = names.flatMap(name => (name === '*' ? searchableFields(context) : [name.replace(/\^.*$/, '')]))
			// From 8 on, the engine excludes fields without documents before it counts the fields of `*`.
			const isCounted = context.isOld || !names.includes('*')
			if (isCounted && all.length > maxFields) throw tooManyFields(all.length, names, context)
			return all
		}),
		context,
	)
}

/** `indices.query.bool.max_clause_count` */
const maxFields = 1024

function tooManyFields(count: number, names: readonly string[], { index }: QueryContext) {
	const what = names.includes('*') ? 'for [*] matches' : 'matches'
	const reason = `failed to create query: field expansion ${what} too many fields, limit: ${maxFields}, got: ${count}`
	return shardFailure(400, { type: 'query_shard_exception', reason, index })
}

/** Top-level fields that can be searched for words. */
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
	if ([...listOf(clauses.must), ...listOf(clauses.filter)].some(query => isOfOtherIndex(query, context))) {
		return () => undefined
	}
	const compileAll = (value: Json | undefined) => listOf(value).map(query => compileQuery(query, context))
	const must = compileAll(clauses.must)
	const filter = compileAll(clauses.filter)
	const mustNot = compileAll(clauses.must_not)
	const should = compileAll(clauses.should)
	const needed = Number(
		clauses.minimum_should_match ?? (must.length + filter.length === 0 && should.length > 0 ? 1 : 0),
	)
	// Without required clauses everything matches, with the score of `match_all` in a filter, which is 0.
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

/** The engine skips a clause for other indices without evaluating the clauses beside it. */
function isOfOtherIndex(query: Json, { index }: QueryContext): boolean {
	const { term, terms } = isJsonObject(query) ? query : {}
	const one = isJsonObject(term) ? term._index : undefined
	const wanted = isJsonObject(terms) ? terms._index : isJsonObject(one) ? one.value : one
	return wanted !== undefined && !listOf(wanted).map(String).includes(index)
}

function compileNested(body: Json, context: QueryContext): Matcher {
	const { path, query, ignore_unmapped: ignoresUnmapped } = objectOf(body, 'nested')
	const scope = String(path)
	if (!context.mapping.nestedPaths.has(scope)) {
		const isPlain = [...context.mapping.fields.keys()].some(name => name.startsWith(`${scope}.`))
		if (isPlain && context.isOld) {
			const reason = `failed to create query: [nested] nested object under path [${scope}] is not of nested type`
			throw shardFailure(400, { type: 'query_shard_exception', reason, index: context.index })
		}
		if (ignoresUnmapped === true) return () => undefined
		const reason = `[nested] failed to find nested object under path [${scope}]`
		throw shardFailure(400, { type: 'query_shard_exception', reason, index: context.index })
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
	const own = context.mapping.field(field)
	const under =
		own?.key !== undefined
			? [own]
			: [...context.mapping.fields.values()].filter(({ path }) => path === field || path.startsWith(`${field}.`))
	return target => (under.some(candidate => valuesIn(target, candidate).length > 0) ? 1 : undefined)
}
