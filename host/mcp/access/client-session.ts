import type { Session } from '../../connections/session.ts'

/**
 * An open connection in the hands of an AI client. Between what it asked for and each call of the driver somebody may have
 * waited: for a person, an engine, a log. So before each call it is looked at again whether the client may still make it.
 */
export class ClientSession {
	readonly #session: Session
	readonly #requireStillAllowed: () => void

	constructor(session: Session, requireStillAllowed: () => void) {
		this.#session = session
		this.#requireStillAllowed = requireStillAllowed
	}

	get info(): Session['info'] {
		return this.#session.info
	}

	/** Calls the driver on this connection. @throws DriverError; ProtocolError as the gate */
	readonly call: Session['call'] = (method, params, options) => {
		this.#requireStillAllowed()
		return this.#session.call(method, params, options)
	}

	/** What is open is closed, whatever the client may do by now. */
	async closeGrid(grid: number): Promise<void> {
		// A grid that cannot be closed went with its connection.
		await this.#session.call('closeGrid', { grid }).catch(() => {})
	}
}
