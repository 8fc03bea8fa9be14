import { DriverError, type Json, type Settings, stringifyJson } from '@roundhouse/kit'

/** What the forms of actions share: typed texts, and the request that they become. Pure. */

export const textOf = (value: Settings[string] | undefined) => (typeof value === 'string' ? value.trim() : '')

export const refused = (message: string) => new DriverError('invalid_argument', message)

/** Two braces in a value are no place for a variable. */
export const withoutPlaces = (text: string) => text.replaceAll('{{', String.raw`\{{`)

export const requestOf = (line: string, body: Json) => `${line}\n${withoutPlaces(stringifyJson(body, 2))}`
