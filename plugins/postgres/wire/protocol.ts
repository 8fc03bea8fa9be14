import type { Duplex } from 'node:stream'
import type { Connection } from 'pg'

/** The part of pg's connection that this driver uses. The package's types lack most of it. */

/** A column of a result. */
export interface Field {
	readonly name: string
	/** Oid of the table and number of the column, or 0 for an expression. */
	readonly tableID: number
	readonly columnID: number
	readonly dataTypeID: number
	readonly dataTypeModifier: number
}

/** What the server says beside rows. */
export interface Notice {
	readonly severity?: string
	readonly code?: string
	readonly message?: string
	readonly detail?: string
	readonly hint?: string
	readonly where?: string
}

/** Messages of the server, by their event. */
interface Messages {
	parseComplete: object
	rowDescription: { readonly fields: readonly Field[] }
	/** Values in text format. `null` is NULL. */
	dataRow: { readonly fields: readonly (string | null)[] }
	commandComplete: { readonly text: string }
	emptyQuery: object
	portalSuspended: object
	copyInResponse: object
	/** A setting of the session, at its start and when it changes. */
	parameterStatus: { readonly parameterName: string; readonly parameterValue: string }
	notice: Notice
	errorMessage: Error & Notice & { readonly position?: string }
	/** `I` idle, `T` in a transaction, `E` in one that has failed. */
	readyForQuery: { readonly status: string }
	error: Error
	end: undefined
}

interface Wire {
	readonly stream: Duplex
	on<Event extends keyof Messages>(event: Event, listener: (message: Messages[Event]) => void): this
	removeAllListeners(event: keyof Messages): this
	query(text: string): void
	parse(query: { readonly text: string; readonly name?: string; readonly types?: readonly number[] }): void
	bind(config: {
		readonly statement?: string
		readonly values: readonly (string | null)[]
		readonly valueMapper: (value: unknown) => unknown
	}): void
	describe(message: { readonly type: 'P' | 'S'; readonly name: string }): void
	execute(config: { readonly portal: string; readonly rows?: number }): void
	close(message: { readonly type: 'P' | 'S'; readonly name: string }): void
	sync(): void
	sendCopyFromChunk(chunk: Buffer): void
	endCopyFrom(): void
	sendCopyFail(message: string): void
}

export type PgConnection = Connection & Wire
/** Events that pg's client would treat as its own queries. */
export const queryEvents = [
	'parseComplete',
	'rowDescription',
	'dataRow',
	'commandComplete',
	'emptyQuery',
	'portalSuspended',
	'copyInResponse',
	'errorMessage',
	'readyForQuery',
	'notice',
	'error',
] as const satisfies readonly (keyof Messages)[]
