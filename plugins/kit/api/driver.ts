import type { Call } from './call.ts'
import type { Connection } from './connection.ts'
import type { Access } from './console.ts'
import type { HiddenColumns } from './hidden-columns.ts'
import type { Completion, CompletionRequest, PromptHandler, ResourceOutcome, ToolCall, ToolHandler } from './mcp.ts'
import type { Connect, Listen } from './network.ts'
import type { Settings } from './settings.ts'

/**
 * The driver API. A driver is one module whose default export is `defineDriver({...})`. The host runs it in a separate
 * process and calls it only through this interface.
 *
 * Rows, console results and whole rows are transferred as encoded JSON bytes ({@link Encoded}). The driver encodes them
 * once, and no layer between it and the reader parses them.
 */

/** What a driver can use of the world outside its process. */
export interface Surroundings {
	/** A private folder that is emptied when the driver stops. */
	readonly scratchFolder: string
	/** Writes a line to the log of the host. */
	log(message: string): void
}

/** Surroundings of one connection. */
export interface DriverContext extends Surroundings {
	/** Opens a socket to an address in the connection's settings. For any other address the host asks the user once. */
	readonly connect: Connect
	/**
	 * Returns what the current call is permitted to do, including work that it started. Outside of calls that is `read`.
	 * The user, or the policy of the connection, has allowed no more. In `applyChanges` and imports that is `destructive`.
	 */
	readonly permitted: () => Access
	/**
	 * Returns the row count above which a table is too large for expensive operations in the current call, if an AI
	 * client makes it: the largest safe integer, if the user has set no limit. Returns `undefined` for a call of the user,
	 * which has no limit. Reject such an operation with DriverError `denied`, and name the cheaper way.
	 */
	readonly costLimitRows: () => number | undefined
	/**
	 * Returns the columns whose values the current call must not show. Empty for a call of the user. Only a driver with
	 * `console.withholdsColumns` in its manifest gets statements then.
	 */
	readonly hiddenColumns: () => readonly HiddenColumns[]
	/**
	 * Whether to open a session in which the engine rejects every write, for AI clients that may only read. `true` only
	 * if the manifest says `hasReadOnlySessions`.
	 */
	readonly isReadOnly: boolean
}

/** Surroundings of the sample, which opens no connections. */
export interface SampleContext extends Surroundings {
	/** Listens on loopback. */
	readonly listen: Listen
}

/** What a driver exports as its default, by {@link defineDriver}. */
export interface Driver {
	/** Opens a connection. @throws DriverError `not_connected` or `denied`, with the failing check and the remedy. */
	connect(settings: Settings, context: DriverContext, call: Call): Promise<Connection>
	/**
	 * Reads a text that the user pasted into the connection form, with what `pastedAddress` of the manifest cannot say:
	 * key words, a line of a command, parameters of a URL. Returns values of fields, also secrets, or `undefined` if it is
	 * no address. It must be quick, needs no connection, and must not log the text, which may contain a password.
	 */
	readAddress?(text: string): Settings | undefined
	/** Starts the embedded data source, on `port` if that is free. */
	startSample?(context: SampleContext, options: { readonly port?: number }): Promise<Sample>
	/** Handlers of the tools in the manifest, by name. */
	readonly tools?: Readonly<Record<string, ToolHandler>>
	/** Handlers of the prompts in the manifest, by name. */
	readonly prompts?: Readonly<Record<string, PromptHandler>>
	/** Reads one of the driver's resources. @throws DriverError `not_found`. */
	readResource?(uri: string, call: ToolCall): Promise<ResourceOutcome>
	/** Completes arguments of prompts and resource templates. Omit if there is nothing to complete. */
	complete?(request: CompletionRequest, call: Call): Promise<Completion>
}

/** A running embedded data source, to which users connect before they have their own. */
export interface Sample {
	/** Settings for the connection form. */
	readonly settings: Settings
	/** Address for other clients. */
	readonly url: string
	/** Stops the data source. */
	close(): Promise<void>
}

/** Types an object as a driver, and returns it unchanged. */
export function defineDriver(driver: Driver): Driver {
	return driver
}
