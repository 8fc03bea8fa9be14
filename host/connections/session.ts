import type { ServerInfo } from '@roundhouse/kit'
import type { ConnectionMethod, ConnectionParams, ParamsOf, ResultOf } from '@roundhouse/kit/wire/methods'
import type { CallOptions } from '../driver-runtime/driver-calls.ts'
import type { DriverProcess } from '../driver-runtime/driver-process.ts'
import type { SavedConnection } from './saved-connections.ts'

/** A connection that is open in its driver's process. Shared by the window and the AI clients. */
export class Session {
	readonly saved: SavedConnection
	readonly info: ServerInfo
	readonly #driver: DriverProcess
	/** The connection's number in that process. */
	readonly #connection: number

	constructor(saved: SavedConnection, info: ServerInfo, driver: DriverProcess, connection: number) {
		this.saved = saved
		this.info = info
		this.#driver = driver
		this.#connection = connection
	}

	/** `false` once its driver's process has ended. */
	get isAlive(): boolean {
		return this.#driver.isAlive
	}

	/** Calls the driver on this connection, or on what is open in it. @throws DriverError */
	call<M extends ConnectionMethod>(
		method: M,
		params: ConnectionParams<M>,
		options?: CallOptions,
	): Promise<ResultOf<M>> {
		// Omit and the added member make ParamsOf<M> again, which TypeScript cannot see through M.
		return this.#driver.call(method, { ...params, connection: this.#connection } as unknown as ParamsOf<M>, options)
	}
}
