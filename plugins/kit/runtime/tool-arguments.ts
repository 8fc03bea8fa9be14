import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema'
import { isExactNumber, type Json, parseJson } from '../api/json.ts'

/**
 * Checks a tool's arguments against its JSON Schema 2020-12. A schema from a driver can keep a validator busy for
 * years, by a pattern or a chain of references. So it runs here, in the process of that driver, whose heartbeats then
 * stop. The validator interprets the schema and compiles nothing.
 */

const validators = new Map<string, Validator>()

/** Returns what is wrong and with which argument, or `undefined` if nothing is. Both parameters are JSON text. */
export function faultOfArguments(schema: string, args: string): string | undefined {
	// The host rejects a manifest with a schema that is not a JSON object.
	const validator = validators.get(schema) ?? new Validator(JSON.parse(schema) as Schema, '2020-12')
	validators.set(schema, validator)
	const { valid, errors } = validator.validate(plain(parseJson(args)))
	if (valid) return undefined
	const { instanceLocation, error } = mostSpecific(errors)
	const path = instanceLocation.slice(2).replaceAll('/', '.')
	return `${path ? `${path}: ` : ''}${error}`.slice(0, 2000)
}

/** Keywords that only report that something deeper does not match. */
const passThroughKeywords = new Set(['properties', 'items', 'prefixItems', 'allOf', '$ref', 'if', 'dependentSchemas'])

/**
 * Returns the error that names what to change. Errors are listed from the outside in; this is the first whose keyword
 * is not in `passThroughKeywords`.
 */
function mostSpecific(errors: readonly OutputUnit[]): OutputUnit {
	const [first] = errors
	const found = errors.find(({ keyword }) => !passThroughKeywords.has(keyword)) ?? first
	return found ?? { keyword: '', keywordLocation: '#', instanceLocation: '#', error: 'It does not match the schema.' }
}

/** Converts exact numbers to plain ones for the validator, which knows no others. The driver gets the exact ones. */
function plain(value: Json): unknown {
	if (isExactNumber(value)) return Number(value.rawJSON)
	if (Array.isArray(value)) return value.map(plain)
	if (typeof value !== 'object' || value === null) return value
	return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]))
}
