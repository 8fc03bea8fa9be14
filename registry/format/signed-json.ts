import type { z } from 'zod'
import { reasonOf } from '../../base/reason-of.ts'

/** Deeper than any document that a host reads. */
const maxDepth = 64

/**
 * Parses a document that a key of a registry has signed. A signature says who wrote it, and not that it is well-formed.
 * @returns the value, and the JSON that it was parsed from
 * @throws Error that names the first member that does not fit
 */
export function parseSigned<T>(document: Uint8Array | string, schema: z.ZodType<T>) {
	const text = typeof document === 'string' ? document : Buffer.from(document).toString('utf8')
	const json: unknown = JSON.parse(text)
	const fault = faultOfShape(json, 0)
	if (fault !== undefined) throw new Error(fault)
	const { data, error } = schema.safeParse(json)
	if (error) throw new Error(reasonOf(error), { cause: error })
	return { value: data, json }
}

/** Returns why schemas could not check a value whole, or `undefined`. */
function faultOfShape(value: unknown, depth: number): string | undefined {
	if (typeof value !== 'object' || value === null) return undefined
	if (depth > maxDepth) return `it has more than ${maxDepth} levels`
	// Schemas skip this member.
	if (Object.hasOwn(value, '__proto__')) return 'it has a member "__proto__"'
	for (const part of Object.values(value)) {
		const fault = faultOfShape(part, depth + 1)
		if (fault !== undefined) return fault
	}
	return undefined
}
