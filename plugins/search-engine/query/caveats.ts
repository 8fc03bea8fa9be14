import type { Filter, FilterOperator } from '@roundhouse/kit'
import { isDate } from '../mapping/field-type.ts'
import { dayOf, isBeyondKeyword } from './comparison.ts'
import type { Target } from './target.ts'

/** Returns notices about rows that a filter misses, or compares differently than a user expects. */
export function caveatsOf(filter: Filter, target: Target): string[] {
	return [
		...ofWords(filter, target),
		...ofLongValues(filter, target),
		...ofUnfound(filter, target),
		...ofDays(filter, target),
	]
}

const comparesText: ReadonlySet<FilterOperator> = new Set([
	'equals',
	'not_equals',
	'in',
	'not_in',
	'contains',
	'starts_with',
	'ends_with',
	'wildcard',
	'less',
	'less_or_equal',
	'greater',
	'greater_or_equal',
	'between',
])

function ofWords({ operator }: Filter, { column, isWords }: Target): string[] {
	if (!isWords || !comparesText.has(operator)) return []
	return [
		`${column} is analysed text without a .keyword subfield, so its single words are compared instead of the whole text.`,
	]
}

/**
 * These compare whole values, so a long value cannot be equal to a short one. All other operators also concern long
 * values.
 */
const comparesWholeValues: ReadonlySet<FilterOperator> = new Set(['equals', 'not_equals', 'in', 'not_in'])

function ofLongValues({ operator, values }: Filter, target: Target): string[] {
	const { column, field, exact } = target
	const most = exact.ignoreAbove
	if (most === undefined) return []
	const limit = `longer than ${most.toLocaleString('en')} characters`
	if (operator === 'exists' || operator === 'missing') {
		return field === exact ? [`Values of ${column} ${limit} are not indexed, so they count as missing here.`] : []
	}
	if (!comparesWholeValues.has(operator)) return [`Values of ${column} ${limit} are not found by this filter.`]
	if (values.some(text => isBeyondKeyword(text, target))) {
		return [
			`${column} contains texts ${limit} only as words. A text with the words of the value in the same order counts as equal.`,
		]
	}
	return values.some(text => text.length > most)
		? [`Values of ${column} ${limit} are not indexed, so no filter finds them.`]
		: []
}

function ofUnfound({ operator }: Filter, { column, field }: Target): string[] {
	if (field.nullValue !== undefined)
		return [
			`The mapping of ${column} indexes null as ${field.nullValue}, so documents that show null have this value here.`,
		]
	if (field.isFindable || (operator !== 'exists' && operator !== 'missing')) return []
	return [`${column} is stored but not indexed. The engine finds no value of it, so all documents count as missing.`]
}

/**
 * The engine reads a missing month or day as the first (reference, "Range query", "Missing date components"). A missing
 * time is the start of the day; for `greater` and `less_or_equal` it is the end of the day.
 */
function ofDays({ operator, values }: Filter, target: Target): string[] {
	const { column, exact } = target
	if (!isDate(exact.type)) return []
	const days = values.map(text => dayOf(text, exact.format))
	const known = days.filter(day => day !== undefined)
	if (known.length === 0) return []
	const means = rangeWords(operator, days, known)
	return means === undefined ? [] : [`${column}: a date without a time is in ${target.timeZone}. This is ${means}.`]
}

function rangeWords(
	operator: FilterOperator,
	[first, last]: readonly (string | undefined)[],
	known: readonly string[],
): string | undefined {
	switch (operator) {
		case 'greater':
			return `after the end of ${first}`
		case 'greater_or_equal':
			return `from the start of ${first}`
		case 'less':
			return `before the start of ${first}`
		case 'less_or_equal':
			return `until the end of ${first}`
		case 'between':
			return [
				...(first === undefined ? [] : [`from the start of ${first}`]),
				...(last === undefined ? [] : [`until the end of ${last}`]),
			].join(' ')
		case 'equals':
		case 'not_equals':
		case 'in':
		case 'not_in':
			return `the whole of ${known.slice(0, 3).join(', ')}${known.length > 3 ? ', …' : ''}`
	}
	return undefined
}
