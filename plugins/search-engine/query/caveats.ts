import type { Filter, FilterOperator } from '@roundhouse/kit'
import { isBeyondKeyword } from './comparison.ts'
import type { Target } from './target.ts'

/** Returns notices about rows that a filter misses, or compares differently than a user expects. */
export function caveatsOf(filter: Filter, target: Target): string[] {
	return [...ofWords(filter, target), ...ofLongValues(filter, target), ...ofUnfound(filter, target)]
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
	if (field.isFindable || (operator !== 'exists' && operator !== 'missing')) return []
	return [`${column} is stored but not indexed. The engine finds no value of it, so all rows count as missing.`]
}
