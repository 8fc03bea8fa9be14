import type { ExactNumber } from './json.ts'

/** A value for a place in a statement; a number as it was spelt. */
export type ParameterValue = string | number | boolean | ExactNumber

/** Where a text says `{{name}}`; without a name it is `\{{`, two braces that mean themselves. */
export interface ParameterPlace {
	readonly start: number
	readonly end: number
	readonly name: string | undefined
}

/**
 * `\{{` is what is meant to stay as it is: templates that the engine itself fills in are written the same way. A third
 * brace before it is such a template's too.
 */
const place = /\\\{\{|(?<!\{)\{\{\s*([\p{L}_][\p{L}\p{N}_.-]{0,99})\s*\}\}/gu

/** The places of a text, in their order. */
export function parameterPlaces(text: string): readonly ParameterPlace[] {
	return [...text.matchAll(place)].map(({ 0: found, 1: name, index }) => ({
		start: index,
		end: index + found.length,
		name,
	}))
}
