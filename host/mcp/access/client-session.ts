import type { Encoded, GridPage, GridQuery, HiddenColumns } from '@roundhouse/kit'
import type { ConnectionMethod, ConnectionParams, ResultOf } from '@roundhouse/kit/wire/methods'
import type { FirstRows, Session } from '../../connections/session.ts'
import type { CallOptions } from '../../driver-runtime/driver-calls.ts'
import { attributing } from './attributing.ts'
import { callWithoutHidden } from './hidden-columns.ts'

/** What an AI client may do with a session. Each function returns what holds now. */
export interface ClientLimits {
	/** Throws if the client may not call any more. */
	readonly requireStillAllowed: () => void
	/** The largest table for expensive operations, in rows; 0 for no limit. */
	readonly costLimitRows: () => number
	/** The columns whose values no client may see. */
	readonly hiddenColumns: () => readonly HiddenColumns[]
}

/**
 * An open connection for an AI client. The call may have waited for the user, an engine or the log since it was
 * authorized. So each call of the driver first checks again whether the client may still make it.
 */
export class ClientSession {
	readonly #session: Session
	readonly #limits: ClientLimits

	constructor(session: Session, limits: ClientLimits) {
		this.#session = session
		this.#limits = limits
	}

	/** Without a limit, a driver still learns that the call is that of a client. */
	get #limit(): number {
		return this.#limits.costLimitRows() || Number.MAX_SAFE_INTEGER
	}

	get info(): Session['info'] {
		return this.#session.info
	}

	get console(): Session['console'] {
		return this.#session.console
	}

	/** Calls the driver on this connection. @throws DriverError; ProtocolError of the gate */
	readonly call: Session['call'] = (method, params, options) =>
		this.#guarded(method, params, options?.signal, (sent, limits) =>
			this.#session.call(method, sent, { ...options, ...limits }),
		)

	/** Makes one call, without values of hidden columns in its answer. */
	#guarded<M extends ConnectionMethod>(
		method: M,
		params: ConnectionParams<M>,
		signal: AbortSignal | undefined,
		send: (
			params: ConnectionParams<M>,
			limits: Pick<CallOptions, 'costLimitRows' | 'hiddenColumns'>,
		) => Promise<ResultOf<M>>,
	): Promise<ResultOf<M>> {
		this.#limits.requireStillAllowed()
		const marks = this.#limits.hiddenColumns
		const hiddenColumns = marks()
		const limits = { costLimitRows: this.#limit }
		if (hiddenColumns.length === 0) return attributing(send(params, limits))
		const sendHiding = (sent: ConnectionParams<M>) => send(sent, { ...limits, hiddenColumns })
		const guarded = { session: this.#session, marks, params, signal, send: sendHiding }
		return attributing(callWithoutHidden(method, guarded))
	}

	/** Logs what the reader of an encoded answer found wrong with it. @returns the error for the caller */
	readonly wrongAnswer: Session['wrongAnswer'] = (method, fault) => this.#session.wrongAnswer(method, fault)

	/** Reads rows of a table, for `decodeAnswer('openGrid', …)`. @throws like {@link call} */
	async readRows(query: GridQuery, range: FirstRows, signal: AbortSignal): Promise<Encoded<GridPage>> {
		const grids: number[] = []
		const params = { query, ...range, grid: 0 }
		const page = await this.#guarded('openGrid', params, signal, async ({ query, grid: _, ...range }, limits) => {
			const opened = await this.#session.openGrid(query, range, { signal, ...limits })
			grids.push(opened.grid)
			return opened.page
		}).finally(() => {
			// Fails only if the connection is closed, which closes the grid too.
			for (const grid of grids) void this.#session.call('closeGrid', { grid }).catch(() => {})
		})
		return page
	}

	/** Closes an export, also after the client has lost its permission. */
	async closeExport(handle: number): Promise<void> {
		await this.#session.call('closeExport', { export: handle }).catch(() => {})
	}
}
