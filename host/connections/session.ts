import { isDriverError, type ServerInfo } from '@roundhouse/kit'
import type { Settings } from '@roundhouse/kit/manifest'
import type { ConnectionMethod, ConnectionParams, ParamsOf, ResultOf } from '@roundhouse/kit/wire/methods'
import type { CallOptions } from '../driver-runtime/driver-calls.ts'
import type { Reaching } from '../driver-runtime/driver-network.ts'
import type { DriverProcess } from '../driver-runtime/driver-process.ts'

/** What a driver can answer from memory says nothing about the engine behind it. */
const asksEngine: ReadonlySet<ConnectionMethod> = new Set([
	'listTables',
	'describeTable',
	'gridPage',
	'countRows',
	'aggregate',
	'explain',
	'readRow',
	'runConsole',
	'readFacts',
])

/** A connection that is open in its driver's process. Shared by the window and the AI clients. */
export class Session {
	readonly info: ServerInfo
	readonly #driver: DriverProcess
	/** The connection's number in that process. */
	readonly #connection: number
	/** What its sockets are asked for with. */
	readonly #reach: number
	readonly #letGo: () => Promise<void>
	#trouble: string | undefined
	/** Told when the engine no longer answers, with the reason, and when it does again. */
	onTrouble: (reason: string | undefined) => void = () => {}

	private constructor(
		info: ServerInfo,
		driver: DriverProcess,
		connection: number,
		reach: number,
		letGo: () => Promise<void>,
	) {
		this.info = info
		this.#driver = driver
		this.#connection = connection
		this.#reach = reach
		this.#letGo = letGo
		void driver.exited.then(letGo)
	}

	/**
	 * Opens a connection with its settings in a driver's process, which reaches for it what `reaching` lets it. `letGo` is called once it is
	 * closed or lost. @throws DriverError
	 */
	static async open(
		driver: DriverProcess,
		opening: { readonly settings: Settings; readonly isReadOnly: boolean },
		reaching: Reaching,
		letGo: () => Promise<void>,
		options: CallOptions,
	): Promise<Session> {
		const reach = driver.openReach(reaching)
		try {
			const { connection, info } = await driver.call('connect', { ...opening, reach }, options)
			return new Session(info, driver, connection, reach, letGo)
		} catch (error) {
			driver.closeReach(reach)
			throw error
		}
	}

	/** Settles, with the reason, when its driver's process has ended. */
	get lost(): Promise<string> {
		return this.#driver.exited
	}

	/** `false` once its driver's process has ended. */
	get isAlive(): boolean {
		return this.#driver.isAlive
	}

	/** Calls the driver on this connection, or on what is open in it. @throws DriverError */
	async call<M extends ConnectionMethod>(
		method: M,
		params: ConnectionParams<M>,
		options?: CallOptions,
	): Promise<ResultOf<M>> {
		// Omit and the added member make ParamsOf<M> again, which TypeScript cannot see through M.
		const whole = { ...params, connection: this.#connection } as unknown as ParamsOf<M>
		try {
			const result = await this.#driver.call(method, whole, options)
			if (this.#trouble !== undefined && asksEngine.has(method)) this.#tell(undefined)
			return result
		} catch (error) {
			if (isDriverError(error) && error.code === 'not_connected' && this.isAlive) this.#tell(error.message)
			throw error
		}
	}

	#tell(trouble: string | undefined): void {
		if (trouble === this.#trouble) return
		this.#trouble = trouble
		this.onTrouble(trouble)
	}

	/** What a driver will not close goes with its process; it reaches nothing more for this connection. */
	async close(): Promise<void> {
		await this.call('disconnect', {}).catch(() => {})
		this.#driver.closeReach(this.#reach)
		await this.#letGo()
	}
}
