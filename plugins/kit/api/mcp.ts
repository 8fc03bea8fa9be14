import type { Call } from './call.ts'
import type { Connection } from './connection.ts'
import type { Json, JsonObject } from './json.ts'

/** What AI clients reach of a driver beside its connections: tools, prompts and resources. */

/** A tool call, prompt or resource read as an AI client sees it. */
export interface ToolCall extends Call {
	/** The open connection, where the manifest says `needsConnection`. */
	readonly connection?: Connection
	/** What the client declared, for example `{elicitation: {}}`; ask for nothing else. */
	readonly clientCapabilities: JsonObject
	/** Answers to an earlier `ask`, by key; empty on the first round. */
	readonly inputResponses: JsonObject
	/** The state given with an earlier `ask`; the host signed it and checked it. */
	readonly state?: Json
}

/** An MCP content block, passed through untouched. */
export type ContentBlock = JsonObject & { readonly type: string }

/** Asks the client for input instead of answering (MCP 2026-07-28, "input_required"). */
export interface Ask {
	readonly ask: Readonly<Record<string, { readonly method: string; readonly params: JsonObject }>>
	/** Comes back as {@link ToolCall.state}; the host signs it, so that a client cannot alter it. */
	readonly state?: Json
}

/** The client lacks a capability that the call cannot do without. */
export interface MissingCapability {
	readonly missingCapability: JsonObject
}

export interface ToolResult {
	readonly content: readonly ContentBlock[]
	readonly structuredContent?: JsonObject
	readonly isError?: boolean
}

export type ToolHandler = (args: JsonObject, call: ToolCall) => Promise<ToolResult | Ask | MissingCapability>

export interface PromptResult {
	readonly description?: string
	readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: ContentBlock }[]
}
export type PromptHandler = (args: Readonly<Record<string, string>>, call: ToolCall) => Promise<PromptResult | Ask>

export interface ResourceContents {
	readonly uri: string
	readonly mimeType?: string
	readonly text?: string
	/** base64 */
	readonly blob?: string
}
export type ResourceOutcome = { readonly contents: readonly ResourceContents[] } | Ask

export interface CompletionRequest {
	readonly ref:
		| { readonly type: 'ref/prompt'; readonly name: string }
		| { readonly type: 'ref/resource'; readonly uri: string }
	readonly argument: { readonly name: string; readonly value: string }
	readonly context?: Readonly<Record<string, string>>
}
export interface Completion {
	readonly values: readonly string[]
	readonly total?: number
	readonly hasMore?: boolean
}
