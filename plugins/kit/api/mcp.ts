import type { Call } from './call.ts'
import type { Connection } from './connection.ts'
import type { Json, JsonObject } from './json.ts'

/** What AI clients can use of a driver beside its connections: tools, prompts and resources. */

/** The context of a tool call, prompt or resource read by an AI client. */
export interface ToolCall extends Call {
	/** The open connection, if the manifest says `needsConnection`. */
	readonly connection?: Connection
	/** The capabilities that the client declared, for example `{elicitation: {}}`. Do not ask for others. */
	readonly clientCapabilities: JsonObject
	/** Answers to an earlier `ask`, by key. Empty in the first round. */
	readonly inputResponses: JsonObject
	/** The state from an earlier `ask`, signed and verified by the host. */
	readonly state?: Json
}

/** An MCP content block, passed on unchanged. */
export type ContentBlock = JsonObject & { readonly type: string }

/**
 * Asks the client for input instead of answering (MCP 2026-07-28, "input_required"): `elicitation/create` with a form of
 * plain fields, `sampling/createMessage` with texts, or `roots/list`. The host names the driver, refuses a question for a
 * secret or with an address, and leaves out all other members.
 */
export interface Ask {
	readonly ask: Readonly<Record<string, { readonly method: string; readonly params: JsonObject }>>
	/** Returned as {@link ToolCall.state}. The host signs it, so that a client cannot change it. */
	readonly state?: Json
}

/** The client lacks a capability that the call requires. */
export interface MissingCapability {
	readonly missingCapability: JsonObject
}

/** The answer of a tool, in the form of MCP. */
export interface ToolResult {
	readonly content: readonly ContentBlock[]
	/** The result as data, in the shape of `outputSchema`. */
	readonly structuredContent?: JsonObject
	/** Whether the tool failed. The content says why. */
	readonly isError?: boolean
}

/** Runs a tool. The arguments fit its `inputSchema`. @throws DriverError */
export type ToolHandler = (args: JsonObject, call: ToolCall) => Promise<ToolResult | Ask | MissingCapability>

/** The messages of a prompt. */
export interface PromptResult {
	readonly description?: string
	readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: ContentBlock }[]
}
/** Fills in a prompt of the manifest. @throws DriverError */
export type PromptHandler = (args: Readonly<Record<string, string>>, call: ToolCall) => Promise<PromptResult | Ask>

/** The contents of a resource: `text` or `blob`. */
export interface ResourceContents {
	readonly uri: string
	readonly mimeType?: string
	readonly text?: string
	/** base64 */
	readonly blob?: string
}
/** The contents of a resource, or a question to the client. */
export type ResourceOutcome = { readonly contents: readonly ResourceContents[] } | Ask

/** Asks for values of an argument of a prompt or of a resource template. */
export interface CompletionRequest {
	readonly ref:
		| { readonly type: 'ref/prompt'; readonly name: string }
		| { readonly type: 'ref/resource'; readonly uri: string }
	readonly argument: { readonly name: string; readonly value: string }
	readonly context?: Readonly<Record<string, string>>
}
/** Values that continue what was typed. Clients get the first 100. */
export interface Completion {
	readonly values: readonly string[]
	/** Number of all values, if known. */
	readonly total?: number
	readonly hasMore?: boolean
}
