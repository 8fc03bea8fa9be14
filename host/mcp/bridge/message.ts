import { encodeHeaderValue, memberInName } from '../wire/headers.ts'
import { metaKeys } from '../wire/meta-keys.ts'
import { isObject, type ParameterHeaders, parameterHeadersOf } from '../wire/parameter-headers.ts'

/** The parts of a line that the bridge needs. The line itself is forwarded unchanged. */
export interface Message {
	readonly id: string | number | undefined
	readonly method: string | undefined
	readonly params: Readonly<Record<string, unknown>>
	/** The version that a modern message claims. */
	readonly modernVersion: string | undefined
}

export function readMessage(line: string): Message {
	let value: unknown
	try {
		value = JSON.parse(line)
	} catch {
		// The host answers with the error.
	}
	const message = isObject(value) ? value : {}
	const params = isObject(message.params) ? message.params : {}
	const meta = isObject(params._meta) ? params._meta : {}
	const version = meta[metaKeys.protocolVersion]
	const { id, method } = message
	return {
		id: typeof id === 'string' || typeof id === 'number' ? id : undefined,
		method: typeof method === 'string' ? method : undefined,
		params,
		modernVersion: typeof version === 'string' ? version : undefined,
	}
}

/** Returns the headers that a modern message needs on HTTP, but not on stdio. */
export function modernHeaders(message: Message, annotated: ParameterHeaders | undefined): Record<string, string> {
	const { method, params, modernVersion } = message
	const member = method === undefined ? undefined : memberInName(method)
	const name = member && params[member]
	const headers: Record<string, string> = {}
	if (modernVersion !== undefined) headers['MCP-Protocol-Version'] = modernVersion
	if (method !== undefined) headers['Mcp-Method'] = encodeHeaderValue(method)
	if (typeof name === 'string') headers['Mcp-Name'] = encodeHeaderValue(name)
	for (const [header, path] of annotated ?? []) {
		const value = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), params.arguments)
		if (['string', 'number', 'boolean'].includes(typeof value)) {
			headers[`Mcp-Param-${header}`] = encodeHeaderValue(String(value))
		}
	}
	return headers
}

/** Records from forwarded tool lists which arguments need a header. */
export class SeenTools {
	readonly #headers = new Map<string, ParameterHeaders>()

	/** Records one page of a list. @returns the cursor of the next page */
	note(line: string): string | undefined {
		const { result } = JSON.parse(line) as { readonly result?: unknown }
		const tools = isObject(result) && Array.isArray(result.tools) ? result.tools : []
		for (const tool of tools) {
			const headers = isObject(tool) ? parameterHeadersOf(tool.inputSchema) : undefined
			if (isObject(tool) && typeof tool.name === 'string' && headers) this.#headers.set(tool.name, headers)
		}
		return isObject(result) && typeof result.nextCursor === 'string' ? result.nextCursor : undefined
	}

	/** Whether a message calls a tool without known header arguments. */
	isNew(message: Message): boolean {
		return message.method === 'tools/call' && message.modernVersion !== undefined && !this.headersOf(message)
	}

	headersOf({ method, params }: Message): ParameterHeaders | undefined {
		return method === 'tools/call' && typeof params.name === 'string' ? this.#headers.get(params.name) : undefined
	}
}
