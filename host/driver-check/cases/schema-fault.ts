/** Faults of a JSON Schema that show only when a value reaches them. */

/** Returns the first reference that leads nowhere, or pattern that does not compile. */
export function faultOfSchema(schema: unknown, root: unknown = schema): string | undefined {
	if (typeof schema !== 'object' || schema === null) return undefined
	const { $ref, pattern } = schema as { readonly $ref?: unknown; readonly pattern?: unknown }
	if (typeof $ref === 'string' && !resolves($ref, root)) return `The reference ${$ref} leads nowhere.`
	if (typeof pattern === 'string' && !compiles(pattern)) return `The pattern ${pattern} is no regular expression.`
	for (const part of Object.values(schema)) {
		const fault = faultOfSchema(part, root)
		if (fault !== undefined) return fault
	}
	return undefined
}

/** References by JSON pointer alone: others name an anchor or another document. */
function resolves($ref: string, root: unknown): boolean {
	if (!$ref.startsWith('#/')) return true
	const steps = decodeURIComponent($ref.slice(2)).split('/')
	const found = steps.reduce<unknown>(
		(at, step) =>
			(at as Readonly<Record<string, unknown>> | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')],
		root,
	)
	return found !== undefined
}

function compiles(pattern: string): boolean {
	try {
		return new RegExp(pattern, 'u') instanceof RegExp
	} catch {
		return false
	}
}
