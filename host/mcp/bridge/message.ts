import { encodeHeaderValue, memberInName } from '../wire/headers.ts'
import { metaKeys } from '../wire/meta-keys.ts'
import { isObject, type ParameterHeaders, parameterHeadersOf } from '../wire/parameter-headers.ts'

/** What the bridge needs to know of a line; the line itself is passed on as it came. */
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
		// The host says what is wrong with it.
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

/** Header copies that a modern message needs on HTTP; on stdio they do not exist. */
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

/** Remembers, from the lists that pass by, which arguments of which tool need a header. */
export class SeenTools {
	readonly #headers = new Map<string, ParameterHeaders>()

	/** Takes in one page of the list; returns where the next one begins. */
	note(line: string): string | undefined {
		const { result } = JSON.parse(line) as { readonly result?: unknown }
		const tools = isObject(result) && Array.isArray(result.tools) ? result.tools : []
		for (const tool of tools) {
			const headers = isObject(tool) ? parameterHeadersOf(tool.inputSchema) : undefined
			if (isObject(tool) && typeof tool.name === 'string' && headers) this.#headers.set(tool.name, headers)
		}
		return isObject(result) && typeof result.nextCursor === 'string' ? result.nextCursor : undefined
	}

	/** Whether a call goes to a tool of which no annotated argument is known. */
	isNew(message: Message): boolean {
		return message.method === 'tools/call' && message.modernVersion !== undefined && !this.headersOf(message)
	}

	headersOf({ method, params }: Message): ParameterHeaders | undefined {
		return method === 'tools/call' && typeof params.name === 'string' ? this.#headers.get(params.name) : undefined
	}
}
