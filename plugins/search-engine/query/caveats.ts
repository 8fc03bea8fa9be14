import type { Filter, FilterOperator } from '@roundhouse/kit'
import { isBeyondKeyword } from './comparison.ts'
import type { Target } from './target.ts'

/** What a filter leaves out, or compares in another way than a person would think, in words for the person. */
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
	return [`${column} is analysed text without a .keyword subfield: its single words are compared, not the whole text.`]
}

/** A value is equal to a short one or it is not; all else is asked of long values too. */
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
			`${column} holds texts ${limit} as words only: one that has the words of the value, one after the other, counts as equal.`,
		]
	}
	return values.some(text => text.length > most)
		? [`Values of ${column} ${limit} are not indexed, so no filter finds them.`]
		: []
}

function ofUnfound({ operator }: Filter, { column, field }: Target): string[] {
	if (field.isFindable || (operator !== 'exists' && operator !== 'missing')) return []
	return [`${column} is stored and not indexed: the engine finds no value of it, so all rows count as missing.`]
}
