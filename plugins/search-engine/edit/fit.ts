import { isIP } from 'node:net'
import { isExactNumber, isJsonObject, type Json, stringifyJson } from '@roundhouse/kit'
import type { Field } from '../mapping/field.ts'
import { type Bounds, integerBounds } from '../mapping/field-type.ts'

/**
 * Returns why a value does not match a field, as a clause after "because", or `undefined` if there is no reason.
 * Reports only what the engine certainly rejects, or would index as something else (1.5 in an integer). The engine
 * decides everything else, for example dates in a custom format.
 */
export function faultOfValue(
	value: Json,
	field: Pick<Field, 'type' | 'format' | 'ignoresMalformed'>,
): string | undefined {
	if (value === null || field.ignoresMalformed) return undefined
	if (field.type === 'geo_point') return faultOfPoint(value)
	if (Array.isArray(value)) return firstOf(value.map(element => faultOfValue(element, field)))
	const integer = integerBounds[field.type]
	if (integer !== undefined) return faultOfInteger(value, integer)
	const largest = largestDecimals[field.type]
	if (largest !== undefined) return faultOfDecimal(value, largest)
	if (field.type === 'boolean') return faultOfBoolean(value)
	if (field.type === 'ip') return typeof value === 'string' && isIP(value) > 0 ? undefined : 'it is not an IP address'
	if (field.type === 'date' || field.type === 'date_nanos') return faultOfDate(value, field.format)
	return undefined
}

function faultOfInteger(value: Json, { least, most }: Bounds): string | undefined {
	const digits = digitsOf(value)
	if (digits === undefined) return 'it is not a number'
	// The engine checks exponents. Users do not type them into an integer by mistake.
	if (/[eE]/.test(digits)) return undefined
	if (/\.0*[1-9]/.test(digits)) return 'it is not a whole number'
	const whole = BigInt(digits.split('.')[0] ?? '0')
	return whole < least || whole > most ? `it is outside of ${least} to ${most}` : undefined
}

const largestDecimals: Readonly<Record<string, number>> = {
	// Slightly larger values are rounded to the largest value.
	half_float: 65_519,
	float: 3.402823567e38,
	double: Number.MAX_VALUE,
}

function faultOfDecimal(value: Json, largest: number): string | undefined {
	const digits = digitsOf(value)
	if (digits === undefined) return 'it is not a number'
	return Math.abs(Number(digits)) > largest ? `it is outside of ±${largest}` : undefined
}

function digitsOf(value: Json): string | undefined {
	return typeof value === 'number' || isExactNumber(value) ? stringifyJson(value) : undefined
}

function faultOfBoolean(value: Json): string | undefined {
	return typeof value === 'boolean' || value === '' || value === 'true' || value === 'false'
		? undefined
		: 'it is neither true nor false'
}

const isoDate =
	/^([+-]?\d{4,9})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2})(?::(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?)?)?$/

/** The engine's default: ISO 8601, or milliseconds since 1970. */
function faultOfDate(value: Json, format: string | undefined): string | undefined {
	if (format !== undefined && format !== 'strict_date_optional_time||epoch_millis') return undefined
	if (typeof value !== 'string') return digitsOf(value) === undefined ? 'it is not a date' : undefined
	const parts = isoDate.exec(value)
	if (parts === null) {
		return /^-?\d+(\.\d+)?$/.test(value)
			? undefined
			: 'it is not a date; write it as 2024-02-29 or 2024-02-29T12:00:00Z'
	}
	const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts.slice(1).map(part => Number(part ?? 1))
	const daysInMonth = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
	const isReal = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth && hour < 24 && minute < 60 && second < 60
	return isReal ? undefined : 'there is no such day or time'
}

function faultOfPoint(value: Json): string | undefined {
	if (Array.isArray(value) && value.length > 0 && !value.every(element => digitsOf(element) !== undefined)) {
		return firstOf(value.map(faultOfPoint))
	}
	const [lat, lon] = coordinatesOf(value)
	if (lat === undefined || lon === undefined) return undefined
	if (!(Math.abs(lat) <= 90)) return 'its latitude is outside of -90 to 90'
	return Math.abs(lon) <= 180 ? undefined : 'its longitude is outside of -180 to 180'
}

/** Reads the spellings with two numbers. The engine checks geohashes and WKT. */
function coordinatesOf(value: Json): readonly (number | undefined)[] {
	if (Array.isArray(value))
		return [value[1], value[0]].map(part => (part === undefined ? undefined : Number(digitsOf(part))))
	if (isJsonObject(value))
		return [value.lat, value.lon].map(part => (part === undefined ? undefined : Number(printed(part))))
	const parts = typeof value === 'string' ? /^\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*$/.exec(value) : null
	return parts === null ? [] : [Number(parts[1]), Number(parts[2])]
}

function printed(value: Json): string {
	return typeof value === 'string' ? value : stringifyJson(value)
}

function firstOf(reasons: readonly (string | undefined)[]): string | undefined {
	return reasons.find(reason => reason !== undefined)
}
