import { type Cell, fromCell } from './cell.ts'
import { type ExactNumber, stringifyJson } from './json.ts'

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

/**
 * Returns the text with a placeholder of the engine for each place, for example `$1`, and with two braces for each
 * escape.
 */
export function withPlaceholders(text: string, placeholder: (name: string) => string): string {
	let [replaced, at] = ['', 0]
	for (const { start, end, name } of parameterPlaces(text)) {
		replaced += text.slice(at, start) + (name === undefined ? '{{' : placeholder(name))
		at = end
	}
	return replaced + text.slice(at)
}

/** Returns the values of a statement for people and models, one line each: `id = "7"`. */
export function parameterLines(parameters: Readonly<Record<string, Cell>> = {}): readonly string[] {
	return Object.entries(parameters).map(([name, cell]) => `${name} = ${stringifyJson(fromCell(cell) ?? null)}`)
}
