import { isJsonObject, type Json } from '@roundhouse/kit'
import { parsingFailure, shardFailure } from '../values/failure.ts'
import type { SampleField } from '../values/field.ts'
import { addressOf, type Comparable, comparable, compare, plainText } from '../values/field-value.ts'
import { objectOf } from './clause.ts'
import { type Matcher, type QueryContext, valuesIn, wordsIn } from './target.ts'

/** The values that a field is compared with. */
interface Terms {
	readonly field: string
	readonly values: readonly Json[]
	readonly ignoresCase: boolean
}

/** Queries that compare single values: term, terms, range, wildcard, prefix, regexp. */

export function termMatcher({ field, values, ignoresCase }: Terms, context: QueryContext): Matcher {
	if (field === '_id' || field === '_index') {
		const wanted = new Set(values.map(String))
		return ({ document }) => (wanted.has(field === '_id' ? document.id : context.index) ? 1 : undefined)
	}
	const mapped = context.mapping.field(field)
	if (mapped === undefined) return () => undefined
	if (mapped.type === 'text') {
		const fold = (text: string) => (ignoresCase ? text.toLowerCase() : text)
		const wanted = new Set(values.map(value => fold(plainText(value) ?? '')))
		return target => (wordsIn(target, mapped).some(word => wanted.has(fold(word))) ? 1 : undefined)
	}
	const tests = values.map(value => equalsTest(value, { field: mapped, ignoresCase }, context))
	return target => (valuesIn(target, mapped).some(found => tests.some(test => test(found))) ? 1 : undefined)
}

function equalsTest(
	wanted: Json,
	{ field, ignoresCase }: { readonly field: SampleField; readonly ignoresCase: boolean },
	context: QueryContext,
): (found: Json) => boolean {
	if (field.type.endsWith('_range')) return found => isInRange(found, wanted)
	if (field.type === 'date') return betweenTest({ gte: wanted, lte: wanted }, { field }, context)
	if (field.type === 'ip' && String(wanted).includes('/')) return subnetTest(String(wanted))
	const value = typedOrFail(wanted, { field }, context)
	if (ignoresCase && typeof value === 'string') {
		return found => (plainText(found) ?? '').toLowerCase() === value.toLowerCase()
	}
	return found => {
		const own = comparable(found, field)
		return own !== undefined && compare(own, value) === 0
	}
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

export function compileRange(body: Json, context: QueryContext): Matcher {
	const [entry] = Object.entries(objectOf(body, 'range'))
	if (entry === undefined || !isJsonObject(entry[1])) throw parsingFailure('[range] query malformed, no field')
	const [name, options] = entry
	for (const key of Object.keys(options)) {
		if (!/^(gte?|lte?|format|time_zone|boost|relation|from|to|include_lower|include_upper)$/.test(key)) {
			throw parsingFailure(`[range] query does not support [${key}]`)
		}
	}
	const field = context.mapping.field(name)
	if (field === undefined) return () => undefined
	if (field.key !== undefined && !hasBothBounds(options)) {
		const reason =
			'failed to create query: [range] queries on keyed [flattened] fields must include both an upper and a lower bound.'
		throw shardFailure(400, { type: 'query_shard_exception', reason, index: context.index })
	}
	const format = typeof options.format === 'string' ? { format: options.format } : {}
	if (field.type === 'text') {
		const test = betweenTest(options, { field: { ...field, type: 'keyword' } }, context)
		return target => (wordsIn(target, field).some(test) ? 1 : undefined)
	}
	// The format in the query parses the bounds; the documents use the mapping's format.
	const test = betweenTest(options, { field, limitField: { ...field, ...format } }, context)
	return target => (valuesIn(target, field).some(test) ? 1 : undefined)
}

function hasBothBounds({ gt, gte, lt, lte }: Bounds): boolean {
	return (gt ?? gte) !== undefined && (lt ?? lte) !== undefined
}

function betweenTest(
	limits: Bounds,
	{ field, limitField = field }: { readonly field: SampleField; readonly limitField?: SampleField },
	context: QueryContext,
): (found: Json) => boolean {
	const tests = bounds.flatMap(bound => {
		const limit = limits[bound]
		if (limit === undefined || limit === null) return []
		const isUpper = bound === 'lte' || bound === 'gt'
		const at = typedOrFail(limit, { field: limitField, isUpper }, context)
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

function typedOrFail(
	value: Json,
	{ field, isUpper = false }: { readonly field: SampleField; readonly isUpper?: boolean },
	context: QueryContext,
): Comparable {
	// A decimal never equals an integer, but can be a bound for one.
	const isDecimal = /^-?\d+\.\d*[1-9]/.test(plainText(value) ?? '')
	const type = isDecimal && /long|integer|short|byte/.test(field.type) ? 'double' : field.type
	const typed = comparable(value, { ...field, type }, isUpper)
	if (typed !== undefined) return typed
	const text = plainText(value) ?? JSON.stringify(value)
	if (field.type === 'date') {
		const reason = `failed to parse date field [${text}] with format [${field.format ?? 'strict_date_optional_time||epoch_millis'}]`
		throw shardFailure(400, { type: 'parse_exception', reason: `${reason}: [${reason}]`, index: context.index })
	}
	const reason = `failed to create query: For input string: "${text}"`
	throw shardFailure(400, { type: 'query_shard_exception', reason, index: context.index })
}

export function patternMatcher(
	{ name, pattern, kind }: { readonly name: string; readonly pattern: RegExp; readonly kind: string },
	context: QueryContext,
): Matcher {
	if (name === '_index') return () => (pattern.test(context.index) ? 1 : undefined)
	const field = context.mapping.field(name)
	if (field === undefined && name !== '_id') return () => undefined
	if (field === undefined || !/^(text|keyword|constant_keyword|wildcard|version|flattened)$/.test(field.type)) {
		const reason = `Can only use ${kind} queries on keyword, text and wildcard fields - not on [${name}] which is of type [${field?.type ?? '_id'}]`
		throw shardFailure(400, { type: 'query_shard_exception', reason, index: context.index })
	}
	if (field.key !== undefined) {
		const reason = `failed to create query: [${kind}] queries are not currently supported on keyed [flattened] fields.`
		throw shardFailure(400, { type: 'query_shard_exception', reason, index: context.index })
	}
	if (field.type === 'text') return target => (wordsIn(target, field).some(word => pattern.test(word)) ? 1 : undefined)
	return target => (valuesIn(target, field).some(value => pattern.test(plainText(value) ?? '')) ? 1 : undefined)
}

export function wildcardPattern(text: string, ignoresCase: boolean): RegExp {
	const source = text.replaceAll(/\\(.)|([*?])|([^*?\\])/gsu, (_, escaped?: string, wild?: string, plain?: string) => {
		if (wild !== undefined) return wild === '*' ? '.*' : '.'
		return escapePattern(escaped ?? plain ?? '')
	})
	return new RegExp(`^${source}$`, ignoresCase ? 'isu' : 'su')
}

export function escapePattern(text: string): string {
	return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
