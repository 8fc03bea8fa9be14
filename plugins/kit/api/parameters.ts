import type { ExactNumber } from './json.ts'

/** A value for a place in a statement. Numbers keep their digits. */
export type ParameterValue = string | number | boolean | ExactNumber

/** A place `{{name}}` in a text. Without a name it is `\{{`, an escape for two literal braces. */
export interface ParameterPlace {
	/** Offsets into the text, in UTF-16 units. */
	readonly start: number
	readonly end: number
	readonly name: string | undefined
}

/**
 * `\{{` is literal, because templates of the engine use the same syntax. A third brace before it also belongs to such a
 * template.
 */
const place = /\\\{\{|(?<!\{)\{\{\s*([\p{L}_][\p{L}\p{N}_.-]{0,99})\s*\}\}/gu

/** Returns the places of a text, in order. */
export function parameterPlaces(text: string): readonly ParameterPlace[] {
	return [...text.matchAll(place)].map(({ 0: found, 1: name, index }) => ({
		start: index,
		end: index + found.length,
		name,
	}))
}
