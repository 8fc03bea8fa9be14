import { createHash } from 'node:crypto'
import { isExactNumber, type Json, type JsonObject } from '@roundhouse/kit'

/** These change between the rounds of one call, so they do not count. */
const volatile: ReadonlySet<string> = new Set(['_meta', 'requestState', 'inputResponses'])

/** A digest of what a call would do: its params in canonical JSON, whatever the order of their keys. */
export function paramsDigest(params: JsonObject): string {
	const lasting = Object.fromEntries(Object.entries(params).filter(([key]) => !volatile.has(key)))
	return createHash('sha256').update(canonical(lasting)).digest('base64url')
}

function canonical(value: Json): string {
	if (typeof value !== 'object' || value === null || isExactNumber(value)) return JSON.stringify(value)
	if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
	const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
	return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`
}
