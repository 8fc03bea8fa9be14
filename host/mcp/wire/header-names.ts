/** Begins the headers that repeat single arguments; lower case, as node:http gives names. */
export const parameterHeaderPrefix = 'mcp-param-'

/** Which member of `params` the header `Mcp-Name` repeats (contract, "Required headers"). */
const namedBy: ReadonlyMap<string, 'name' | 'uri'> = new Map([
	['tools/call', 'name'],
	['prompts/get', 'name'],
	['resources/read', 'uri'],
])

export function memberInName(method: string): 'name' | 'uri' | undefined {
	return namedBy.get(method)
}

/** Tells two bridges apart that hold the same token. */
export const bridgeHeader = 'roundhouse-bridge'
