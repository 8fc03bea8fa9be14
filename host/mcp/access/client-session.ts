import type { Session } from '../../connections/session.ts'

/**
 * An open connection in the hands of an AI client. Between what it asked for and each call of the driver somebody may have
 * waited: for a person, an engine, a log. So before each call it is looked at again whether the client may still make it.
 */
export class ClientSession {
	readonly #session: Session
	readonly #requireStillAllowed: () => void
	readonly #costLimitRows: () => number

	/** `costLimitRows`: how large a table may be for what is expensive; 0 for any. */
	constructor(session: Session, requireStillAllowed: () => void, costLimitRows: () => number) {
		this.#session = session
		this.#requireStillAllowed = requireStillAllowed
		this.#costLimitRows = costLimitRows
	}

	get info(): Session['info'] {
		return this.#session.info
	}

	/** Calls the driver on this connection. @throws DriverError; ProtocolError as the gate */
	readonly call: Session['call'] = (method, params, options) => {
		this.#requireStillAllowed()
		return this.#session.call(method, params, { ...options, costLimitRows: this.#costLimitRows() || undefined })
	}

	/** What is open is closed, whatever the client may do by now. */
	async closeGrid(grid: number): Promise<void> {
		// A grid that cannot be closed went with its connection.
		await this.#session.call('closeGrid', { grid }).catch(() => {})
	}

	/** The same for an export. */
	async closeExport(handle: number): Promise<void> {
		await this.#session.call('closeExport', { export: handle }).catch(() => {})
	}
}
