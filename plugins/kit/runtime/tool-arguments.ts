import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema'
import { isExactNumber, type Json, parseJson } from '../api/json.ts'

/**
 * Checks a tool's arguments against its own JSON Schema 2020-12. A schema is a small program of its author's: a pattern
 * or a chain of references can keep a validator busy for years. So it runs here, in the process of the driver that
 * brought it, whose heartbeats then stop. The validator interprets; nothing is compiled.
 */

const validators = new Map<string, Validator>()

/** What is wrong, naming the argument; `undefined` where nothing is. Both are JSON text. */
export function faultOfArguments(schema: string, args: string): string | undefined {
	// A schema that is no JSON object is refused with the manifest.
	const validator = validators.get(schema) ?? new Validator(JSON.parse(schema) as Schema, '2020-12')
	validators.set(schema, validator)
	const { valid, errors } = validator.validate(plain(parseJson(args)))
	if (valid) return undefined
	const { instanceLocation, error } = mostTelling(errors)
	const path = instanceLocation.slice(2).replaceAll('/', '.')
	return `${path ? `${path}: ` : ''}${error}`.slice(0, 2000)
}

/** Keywords that only say that something deeper does not fit. */
const passingOn = new Set(['properties', 'items', 'prefixItems', 'allOf', '$ref', 'if', 'dependentSchemas'])

/** Errors are listed from the outside in; the first that does not pass the blame on names what to change. */
function mostTelling(errors: readonly OutputUnit[]): OutputUnit {
	const [first] = errors
	const found = errors.find(({ keyword }) => !passingOn.has(keyword)) ?? first
	return found ?? { keyword: '', keywordLocation: '#', instanceLocation: '#', error: 'It does not fit.' }
}

/** The validator knows plain numbers only; the driver gets the exact ones. */
function plain(value: Json): unknown {
	if (isExactNumber(value)) return Number(value.rawJSON)
	if (Array.isArray(value)) return value.map(plain)
	if (typeof value !== 'object' || value === null) return value
	return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]))
}
