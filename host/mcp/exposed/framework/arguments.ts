import { DriverError, isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { z } from 'zod'
import { quotedInput } from '../../protocol/outgoing-text.ts'
import { nearestTo } from './nearest.ts'

/** Reads the arguments of tools. */

/**
 * Returns arguments that match a schema. Some clients send every optional argument, empty if it is not set: an empty
 * value that the schema refuses counts as left out. @throws DriverError `invalid_argument` with the name of the first
 * invalid argument, and for an unknown one with the allowed names
 */
export function parseArguments<T>(schema: z.ZodType<T>, args: JsonObject): T {
	const whole = schema.safeParse(args)
	const parsed = whole.success ? whole : schema.safeParse(withoutEmpty(schema, args))
	if (parsed.success) return parsed.data
	// An unknown name explains why a required argument is missing.
	const { issues } = parsed.error
	const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
	const path = issue?.path ?? []
	const at = path.length > 0 ? `${path.join('.')}: ` : ''
	if (issue?.code === 'unrecognized_keys')
		throw new DriverError('invalid_argument', `${at}${unknownArgument(issue.keys, schemaAt(schema, path))}`)
	throw new DriverError('invalid_argument', `${at}${issue?.message ?? 'it does not fit'}.`)
}

function schemaAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType {
	return path.reduce<z.core.$ZodType>((at, step) => {
		const inner = innerOf(at)
		if (inner instanceof z.ZodArray) return inner.element
		return inner instanceof z.ZodObject ? (inner.shape[String(step)] ?? inner) : inner
	}, schema)
}

/** Names the arguments that there are, the nearest first. */
function unknownArgument([unknown = '']: readonly string[], schema: z.core.$ZodType): string {
	const inner = innerOf(schema)
	const known = inner instanceof z.ZodObject ? Object.keys(inner.shape) : []
	const [nearest] = nearestTo(unknown, known)
	const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`
	return `there is no argument "${quotedInput(unknown)}".${meant} Valid arguments: ${known.join(', ') || 'none'}.`
}

function isEmpty(value: Json | undefined): boolean {
	return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Removes the empty values of optional members that the schema refuses, at every depth. */
function withoutEmpty(schema: z.core.$ZodType, value: Json): Json {
	const inner = innerOf(schema)
	if (inner instanceof z.ZodArray && Array.isArray(value))
		return value.map(element => withoutEmpty(inner.element, element))
	if (!(inner instanceof z.ZodObject) || !isJsonObject(value)) return value
	const isLeftOut = (member: z.core.$ZodType | undefined, given: Json | undefined) =>
		member !== undefined && isEmpty(given) && accepts(member, undefined) && !accepts(member, given)
	const members = Object.entries(value).filter(([key, given]) => !isLeftOut(inner.shape[key], given))
	return Object.fromEntries(
		members.map(([key, given]) => {
			const member = inner.shape[key]
			return [key, member === undefined || given === undefined ? given : withoutEmpty(member, given)]
		}),
	) as JsonObject
}

function accepts(schema: z.core.$ZodType, value: unknown): boolean {
	return z.safeParse(schema, value).success
}

/** Returns the schema within defaults, optional ones and pipes. */
function innerOf(schema: z.core.$ZodType): z.core.$ZodType {
	if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return innerOf(schema.def.innerType)
	if (schema instanceof z.ZodPipe) return innerOf(schema.in instanceof z.ZodObject ? schema.in : schema.out)
	return schema
}

/**
 * Removes empty values of a driver tool's optional arguments that the type in its JSON Schema refuses. Only plain
 * keywords are read; the driver's process checks the whole schema.
 */
export function withoutEmptyArguments({ properties, required }: JsonObject, args: JsonObject): JsonObject {
	const shapes = isJsonObject(properties) ? properties : {}
	const needed = new Set(Array.isArray(required) ? required : [])
	const kept = Object.entries(args).filter(
		([name, value]) => needed.has(name) || !isEmpty(value) || !refuses(shapes[name], value),
	)
	return Object.fromEntries(kept)
}

function refuses(shape: Json | undefined, value: Json | undefined): boolean {
	if (!isJsonObject(shape) || shape.type === undefined) return false
	const type = value === null ? 'null' : value === '' ? 'string' : 'array'
	const types = Array.isArray(shape.type) ? shape.type : [shape.type]
	if (!types.includes(type)) return true
	if (Array.isArray(shape.enum)) return !shape.enum.includes(value ?? null)
	return Number((type === 'array' ? shape.minItems : shape.minLength) ?? 0) > 0 && type !== 'null'
}
