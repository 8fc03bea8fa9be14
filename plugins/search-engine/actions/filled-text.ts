import { DriverError, type Json, type JsonObject, type Settings, stringifyJson } from '@roundhouse/kit'
import type { Mapping } from '../mapping/mapping.ts'
import { correctionOf } from '../query/kql.ts'
import { isClause } from '../query/raw-clause.ts'
import { rawQuery } from '../query/raw-query.ts'
import { refuseSyntaxError } from '../query/syntax-error.ts'

/** What the forms of actions share: typed texts, and the request that they become. Pure. */

export const textOf = (value: Settings[string] | undefined) => (typeof value === 'string' ? value.trim() : '')

export const refused = (message: string) => new DriverError('invalid_argument', message)

/** Two braces in a value are no place for a variable. */
export const withoutPlaces = (text: string) => text.replaceAll('{{', String.raw`\{{`)

export const requestOf = (line: string, body: Json) => `${line}\n${withoutPlaces(stringifyJson(body, 2))}`

/**
 * Returns the name of a new index or alias.
 *
 * @param noun `index` or `alias`
 * @throws DriverError `invalid_argument`
 */
export function newName(value: Settings[string] | undefined, noun: string): string {
	const name = textOf(value)
	if (name === '') throw refused(`Enter the name of the ${noun}.`)
	if (/[\s\\/*?"<>|,#:]/.test(name) || /^[-_+]|^\.\.?$/.test(name)) {
		throw refused(
			String.raw`A name of an ${noun} has no spaces and none of \ / * ? " < > | , # : and does not begin with - _ or +.`,
		)
	}
	return name
}

export const filterHelp = 'Lucene syntax, Kibana’s language (KQL), or a query clause as JSON.'

/**
 * Returns the query of a typed filter; `undefined` if there is none.
 *
 * @throws DriverError `invalid_argument`
 */
export function filterOf(value: Settings[string] | undefined, mapping: Mapping): JsonObject | undefined {
	const filter = textOf(value)
	if (filter === '') return undefined
	if (!isClause(filter)) refuseSyntaxError(filter, mapping)
	// As in the query bar. The request that the form becomes shows what the filter was taken for.
	return rawQuery(correctionOf(filter, mapping) ?? filter).query
}
