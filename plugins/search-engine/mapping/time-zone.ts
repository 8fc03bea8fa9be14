import type { Field } from './field.ts'

/** The zone in which the dates of a field have days. */

/** Returns where a date without a time is a day, and where a day of a group begins. */
export function zoneOf(field: Field | undefined, timeZone: string): string {
	return isOfDays(field?.format) ? 'UTC' : timeZone
}

/** Names of the engine's own formats, which have no signs between their parts. */
const named = /^(?:strict_|basic_)?(?:date|year|week|ordinal|hour|time|t_time|epoch|iso8601)[a-z0-9_]*$/

/**
 * Returns whether a format has no time of day in any of its alternatives. Its dates are days without a zone, for example
 * birthdays.
 */
export function isOfDays(format: string | undefined): boolean {
	if (format === undefined) return false
	return format.split('||').every(one => (named.test(one) ? !/time|hour|epoch|iso/.test(one) : !hasTime(one)))
}

/** Whether a pattern has a letter of a time. Texts in quotes are no letters. */
const hasTime = (pattern: string) => /[HhKkmsSAnN]/.test(pattern.replaceAll(/'[^']*'/g, ''))
