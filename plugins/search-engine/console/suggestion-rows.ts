import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import type { NamedValues } from './aggregation-rows.ts'

/** Returns the suggestions of a search: a row for each option, and one for each text without options. */
export function suggestionRows(suggest: JsonObject): Map<string, Json | undefined>[] {
	return Object.entries(suggest).flatMap(([suggest, entries]) =>
		(Array.isArray(entries) ? entries.filter(isJsonObject) : []).flatMap(({ text, options }) => {
			const found = Array.isArray(options) ? options.filter(isJsonObject) : []
			const rows = found.map(
				({ text: option, ...others }): NamedValues => new Map(Object.entries({ option, ...others })),
			)
			return (rows.length > 0 ? rows : [new Map()]).map(row => new Map([['suggest', suggest], ['text', text], ...row]))
		}),
	)
}
