import type { Access, JsonObject, ToolResult } from '@roundhouse/kit'
import type { ToolGroup } from '@roundhouse/kit/tool-groups'
import type { SavedConnection } from '../../../connections/connection-fields.ts'
import type { Round } from '../../consent/rounds.ts'
import type { McpCall } from '../../protocol/method.ts'
import type { InputRequired } from '../../protocol/outcome.ts'
import type { ParameterHeaders } from '../../wire/parameter-headers.ts'

/** A tool in the result of `tools/list`. */
export interface ToolDescriptor {
	readonly name: string
	readonly title?: string
	readonly description: string
	readonly inputSchema: JsonObject
	readonly outputSchema?: JsonObject
	readonly annotations?: JsonObject
}

export type ToolOutcome = ToolResult | InputRequired

export interface Tool {
	readonly name: string
	/** Builds its descriptor, whose schemas take most of the time of a start. */
	describe(): ToolDescriptor
	/** Its minimum access, independent of the arguments. The token needs the scope for it. */
	readonly access: Access
	/** Its group, which decides who sees it (docs/mcp.md, "Groups of tools"). */
	readonly group: ToolGroup
	/** Whether it works on a connection. Absent if it needs none. */
	readonly worksOn?: (connection: SavedConnection) => boolean
	/** Whether it belongs to a single connection. Only callers that see the connection see the tool. */
	readonly isForOne?: boolean
	readonly parameterHeaders?: ParameterHeaders | undefined
	/**
	 * Makes all synchronous checks and returns a function that runs the tool. An error here is sent with its own HTTP
	 * status, even if the client requested progress.
	 * @throws ProtocolError; DriverError, which becomes a tool error
	 */
	prepare(args: JsonObject, call: McpCall): (round: Round) => Promise<ToolOutcome> | ToolOutcome
}
