import { z } from 'zod'

/**
 * The library that verifies metadata takes its time by the square of how many keys and roles a document names, before it
 * knows who signed it. No registry needs this many.
 */
const mostNames = 1000
/** Above what fits into a document that a host reads. */
const mostFiles = 50_000

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

/** @throws Error where a document names more than any registry needs */
export function refuseSwollen(bytes: Buffer): void {
	const { data } = counted.safeParse(parse(bytes))
	if (!data) return
	const { keys, roles, meta, targets, delegations } = data.signed
	for (const names of [keys, roles, delegations?.keys, delegations?.roles])
		if (countOf(names) > mostNames) throw new Error(`it names more than ${mostNames} keys or roles`)
	for (const files of [meta, targets])
		if (countOf(files) > mostFiles) throw new Error(`it lists more than ${mostFiles} files`)
}

const countOf = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value).length : 0)

function parse(bytes: Buffer): unknown {
	try {
		return JSON.parse(bytes.toString('utf8'))
	} catch {
		// Whoever reads it next says that it is no JSON.
		return undefined
	}
}
