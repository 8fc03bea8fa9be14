import type { Access, JsonObject, ToolResult } from '@roundhouse/kit'
import type { ToolGroup } from '@roundhouse/kit/tool-groups'
import type { SavedConnection } from '../../../connections/saved-connections.ts'
import type { Round } from '../../consent/rounds.ts'
import type { McpCall } from '../../protocol/method.ts'
import type { InputRequired } from '../../protocol/outcome.ts'
import type { ParameterHeaders } from '../../wire/parameter-headers.ts'

/** A tool as `tools/list` shows it. */
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
	readonly descriptor: ToolDescriptor
	/** What it may do at least, whatever the arguments say; the token needs the scope for it. */
	readonly access: Access
	/** Who is shown it (docs/mcp.md, "Groups of tools"). */
	readonly group: ToolGroup
	/** Whether it works on a connection; absent where it needs none. */
	readonly worksOn?: (connection: SavedConnection) => boolean
	/** It is there for a connection, and nobody sees it who does not see that one. */
	readonly isForOne?: boolean
	readonly parameterHeaders?: ParameterHeaders | undefined
	/**
	 * Checks what needs no waiting and returns the work: what is thrown here reaches the client with its own HTTP
	 * status even when it asked for progress.
	 * @throws ProtocolError; DriverError, which becomes a tool error
	 */
	prepare(args: JsonObject, call: McpCall): (round: Round) => Promise<ToolOutcome> | ToolOutcome
}
