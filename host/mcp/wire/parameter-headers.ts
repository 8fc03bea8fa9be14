const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const allowedTypes: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])

/** Arguments that are also sent as headers: lower-case header name to the argument's path. */
export type ParameterHeaders = ReadonlyMap<string, readonly string[]>

/**
 * Returns the arguments that a tool's schema requires as headers (`x-mcp-header`; MCP 2026-07-28, "Custom headers from
 * tool parameters"): reachable only through `properties`, of a simple type, each name once. The endpoint checks them,
 * and the bridge sends them.
 */
export function parameterHeadersOf(schema: unknown): ParameterHeaders | undefined {
	const found = new Map<string, readonly string[]>()
	collect(schema, [], found)
	return found.size > 0 ? found : undefined
}

function collect(schema: unknown, path: readonly string[], found: Map<string, readonly string[]>): void {
	if (!isObject(schema) || !isObject(schema.properties)) return
	for (const [name, property] of Object.entries(schema.properties)) {
		if (!isObject(property)) continue
		const header = property['x-mcp-header']
		const isValid = typeof header === 'string' && token.test(header) && allowedTypes.has(property.type)
		if (isValid && !found.has(header.toLowerCase())) found.set(header.toLowerCase(), [...path, name])
		collect(property, [...path, name], found)
	}
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
}
