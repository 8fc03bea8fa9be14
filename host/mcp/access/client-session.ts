import type { Encoded, GridPage, GridQuery } from '@roundhouse/kit'
import type { FirstRows, Session } from '../../connections/session.ts'
import { attributing } from './attributing.ts'

/**
 * An open connection for an AI client. The call may have waited for the user, an engine or the log since it was
 * authorized. So each call of the driver first checks again whether the client may still make it.
 */
export class ClientSession {
	readonly #session: Session
	readonly #requireStillAllowed: () => void
	readonly #costLimitRows: () => number

	/** @param costLimitRows returns the largest table for expensive operations, in rows; 0 for no limit */
	constructor(session: Session, requireStillAllowed: () => void, costLimitRows: () => number) {
		this.#session = session
		this.#requireStillAllowed = requireStillAllowed
		this.#costLimitRows = costLimitRows
	}

	/** Without a limit, a driver still learns that the call is that of a client. */
	get #limit(): number {
		return this.#costLimitRows() || Number.MAX_SAFE_INTEGER
	}

	get info(): Session['info'] {
		return this.#session.info
	}

	get console(): Session['console'] {
		return this.#session.console
	}

	/** Calls the driver on this connection. @throws DriverError; ProtocolError of the gate */
	readonly call: Session['call'] = (method, params, options) => {
		this.#requireStillAllowed()
		return attributing(this.#session.call(method, params, { ...options, costLimitRows: this.#limit }))
	}

	/** Logs what the reader of an encoded answer found wrong with it. @returns the error for the caller */
	readonly wrongAnswer: Session['wrongAnswer'] = (method, fault) => this.#session.wrongAnswer(method, fault)

	/** Reads rows of a table, for `decodeAnswer('openGrid', …)`. @throws like {@link call} */
	async readRows(query: GridQuery, range: FirstRows, signal: AbortSignal): Promise<Encoded<GridPage>> {
		this.#requireStillAllowed()
		const options = { signal, costLimitRows: this.#limit }
		const { grid, page } = await attributing(this.#session.openGrid(query, range, options))
		// Fails only if the connection is closed, which closes the grid too.
		void this.#session.call('closeGrid', { grid }).catch(() => {})
		return page
	}

	/** Closes an export, also after the client has lost its permission. */
	async closeExport(handle: number): Promise<void> {
		await this.#session.call('closeExport', { export: handle }).catch(() => {})
	}
}
