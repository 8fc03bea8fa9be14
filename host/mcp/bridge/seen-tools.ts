import { isJsonObject, type JsonObject } from '@roundhouse/kit/json'
import { encodeHeaderValue, memberInName } from '../wire/headers.ts'
import { metaKeys } from '../wire/meta-keys.ts'
import { type ParameterHeaders, parameterHeadersOf } from '../wire/parameter-headers.ts'
import type { Message } from './message.ts'

interface SeenTool {
	/** Which arguments need a header. */
	readonly headers: ParameterHeaders | undefined
	readonly isReadOnly: boolean
	/** Whether each change needs the user's consent, so that the host tells when it begins. */
	readonly tellsWrites: boolean
}

/** What the host's lists tell about tools: which arguments need a header, and which tools only read. */
export class SeenTools {
	readonly #tools = new Map<string, SeenTool>()

	/** Records one page of `tools/list`. @returns the cursor of the next page */
	note(answer: string): string | undefined {
		const { result } = JSON.parse(answer) as { readonly result?: JsonObject }
		const tools = Array.isArray(result?.tools) ? result.tools : []
		for (const { name, inputSchema, annotations } of tools.filter(isJsonObject)) {
			if (typeof name !== 'string') continue
			const hints = isJsonObject(annotations) ? annotations : {}
			this.#tools.set(name, {
				headers: parameterHeadersOf(inputSchema),
				isReadOnly: hints.readOnlyHint === true,
				tellsWrites: hints.destructiveHint === true,
			})
		}
		return typeof result?.nextCursor === 'string' ? result.nextCursor : undefined
	}

	/** Returns the tool that a message calls, if a list had it. */
	calledBy({ method, params }: Message): SeenTool | undefined {
		return method === 'tools/call' && typeof params.name === 'string' ? this.#tools.get(params.name) : undefined
	}

	/** Returns the headers that a message needs on HTTP, but not on stdio. */
	headersFor(message: Message): Record<string, string> {
		const { method, params, isModern } = message
		if (!isModern) return {}
		const headers: Record<string, string> = {}
		const member = method === undefined ? undefined : memberInName(method)
		const name = member && params[member]
		const version = isJsonObject(params._meta) ? params._meta[metaKeys.protocolVersion] : undefined
		if (typeof version === 'string') headers['MCP-Protocol-Version'] = encodeHeaderValue(version)
		if (method !== undefined) headers['Mcp-Method'] = encodeHeaderValue(method)
		if (typeof name === 'string') headers['Mcp-Name'] = encodeHeaderValue(name)
		for (const [header, path] of this.calledBy(message)?.headers ?? []) {
			const value = path.reduce((at, key) => (isJsonObject(at) ? at[key] : undefined), params.arguments)
			if (value === undefined || value === null || Array.isArray(value) || isJsonObject(value)) continue
			headers[`Mcp-Param-${header}`] = encodeHeaderValue(typeof value === 'string' ? value : JSON.stringify(value))
		}
		return headers
	}
}
