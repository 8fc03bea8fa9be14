import { DriverError, isExactNumber, type Json, type JsonObject } from '@roundhouse/kit'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

/**
 * Checks the arguments of a driver's tool against its own JSON Schema 2020-12. A schema that cannot be compiled turns
 * its tool off, never its driver.
 */
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false, addUsedSchema: false })

export function compileSchema(schema: JsonObject): ValidateFunction {
	return ajv.compile(schema)
}

/** @throws DriverError `invalid_argument` naming the first argument that does not fit */
export function checkArguments(validate: ValidateFunction, args: JsonObject): void {
	if (validate(plain(args))) return
	const [issue] = validate.errors ?? []
	const path = (issue?.instancePath ?? '').slice(1).replaceAll('/', '.')
	throw new DriverError('invalid_argument', `${path ? `${path}: ` : ''}${issue?.message ?? 'it does not fit'}.`)
}

/** The validator knows plain numbers only; the driver gets the exact ones. */
function plain(value: Json): unknown {
	if (isExactNumber(value)) return Number(value.rawJSON)
	if (Array.isArray(value)) return value.map(plain)
	if (typeof value !== 'object' || value === null) return value
	return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]))
}
