import { z } from 'zod'

/**
 * The library that verifies metadata takes time quadratic in the number of keys and roles, before it knows who signed.
 * No registry needs this many.
 */
const maxNames = 1000
/** More than fits into a document that a host reads. */
const maxFiles = 50_000

const any = z.unknown().optional()
const counted = z.object({
	signed: z.object({
		keys: any,
		roles: any,
		meta: any,
		targets: any,
		delegations: z.object({ keys: any, roles: any }).optional().catch(undefined),
	}),
})

/** Rejects an oversized document. @throws Error if it lists more entries than any registry needs */
export function refuseOversized(bytes: Buffer): void {
	const { data } = counted.safeParse(parse(bytes))
	if (!data) return
	const { keys, roles, meta, targets, delegations } = data.signed
	for (const names of [keys, roles, delegations?.keys, delegations?.roles])
		if (countOf(names) > maxNames) throw new Error(`it names more than ${maxNames} keys or roles`)
	for (const files of [meta, targets])
		if (countOf(files) > maxFiles) throw new Error(`it lists more than ${maxFiles} files`)
}

const countOf = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value).length : 0)

function parse(bytes: Buffer): unknown {
	try {
		return JSON.parse(bytes.toString('utf8'))
	} catch {
		// The next reader of these bytes reports that they are not JSON.
		return undefined
	}
}
