import type { Call } from './call.ts'
import type { Connection } from './connection.ts'
import type { Access } from './console.ts'
import type { Settings } from './manifest.ts'
import type { Completion, CompletionRequest, PromptHandler, ResourceOutcome, ToolCall, ToolHandler } from './mcp.ts'
import type { Connect, Listen } from './network.ts'

/**
 * The driver API. A driver is one module whose default export is `defineDriver({...})`; the host runs it in a process
 * of its own and calls it through this interface alone.
 *
 * Rows, console results and whole rows travel as encoded JSON bytes ({@link Encoded}): the driver encodes them once,
 * and no layer between it and the reader parses them.
 */

/** What a driver has of the world outside its process. */
export interface Surroundings {
	/** A private folder that is emptied when the driver stops. */
	readonly scratchFolder: string
	log(message: string): void
}

/** Surroundings of one connection. */
export interface DriverContext extends Surroundings {
	/** Reaches what the connection's settings name; the person is asked once for anything else. */
	readonly connect: Connect
	/**
	 * What the call in hand was permitted, as far as its work goes on; outside of calls that is to read. The person, or
	 * the policy of the connection, has allowed no more.
	 */
	readonly permitted: () => Access
	/**
	 * Above so many rows a table is too large for what is expensive, in the call in hand: an AI client's. `undefined`: a
	 * person's, who may. Such a call is refused with DriverError `denied`, in words that name the cheaper way.
	 */
	readonly costLimitRows: () => number | undefined
	/**
	 * Open a session in which the engine refuses every write: it is for AI clients that may only read. `true` only where the
	 * manifest says `hasReadOnlySessions`.
	 */
	readonly isReadOnly: boolean
}

/** Surroundings of the sample, which reaches nothing. */
export interface SampleContext extends Surroundings {
	readonly listen: Listen
}

export interface Driver {
	/** Opens a connection. @throws DriverError `not_connected` or `denied`, with the failing check and the remedy. */
	connect(settings: Settings, context: DriverContext, call: Call): Promise<Connection>
	/** Starts the embedded data source, on `port` if that is free. */
	startSample?(context: SampleContext, options: { readonly port?: number }): Promise<Sample>
	/** Handlers of the tools in the manifest, by name. */
	readonly tools?: Readonly<Record<string, ToolHandler>>
	readonly prompts?: Readonly<Record<string, PromptHandler>>
	/** Reads one of the driver's own resources. @throws DriverError `not_found`. */
	readResource?(uri: string, call: ToolCall): Promise<ResourceOutcome>
	complete?(request: CompletionRequest, call: Call): Promise<Completion>
}

export interface Sample {
	/** What the connection form needs to reach it. */
	readonly settings: Settings
	/** Where a second client reaches it. */
	readonly url: string
	close(): Promise<void>
}

/** Says that this object is a driver; returns it as it is. */
export function defineDriver(driver: Driver): Driver {
	return driver
}
