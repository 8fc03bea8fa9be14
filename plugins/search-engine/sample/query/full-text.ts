import type { Json } from '@roundhouse/kit'
import { words } from '../values/field-value.ts'
import { termMatcher } from './compare.ts'
import { type Matcher, type QueryContext, valuesIn, wordsIn } from './target.ts'

/** Queries that analyse their text. On a field without analysis they compare whole values. */

export function matchMatcher(
	{ name, value, isAnd }: { readonly name: string; readonly value: Json; readonly isAnd: boolean },
	context: QueryContext,
): Matcher {
	const field = context.mapping.fields.get(name)
	if (field?.type !== 'text') return termMatcher({ field: name, values: [value], ignoresCase: false }, context)
	const wanted = words([value])
	return target => {
		const own = wordsIn(target, field)
		const found = wanted.filter(word => own.includes(word))
		if (found.length === 0 || (isAnd && found.length < wanted.length)) return undefined
		const hits = own.filter(word => found.includes(word)).length
		return found.length + hits / (hits + own.length)
	}
}

export function phraseMatcher(name: string, value: Json, context: QueryContext): Matcher {
	const field = context.mapping.fields.get(name)
	if (field?.type !== 'text') return termMatcher({ field: name, values: [value], ignoresCase: false }, context)
	const phrase = words([value])
	return target => {
		// Each value separately, because a phrase does not continue into the next value of an array.
		const isFound = valuesIn(target, field).some(text => {
			const own = words([text])
			return own.some((_, at) => phrase.every((word, index) => own[at + index] === word))
		})
		return isFound && phrase.length > 0 ? phrase.length + 1 : undefined
	}
}
