import {
	type Encoded,
	type GridOpening,
	type GridPage,
	type GridQuery,
	isDriverError,
	type ServerInfo,
} from '@roundhouse/kit'
import type { ConsoleManifest, Settings } from '@roundhouse/kit/manifest'
import type { ConnectionMethod, ConnectionParams, ParamsOf, ResultOf } from '@roundhouse/kit/wire/methods'
import type { CallOptions } from '../driver-runtime/driver-calls.ts'
import type { Dialer } from '../driver-runtime/driver-network.ts'
import type { DriverProcess } from '../driver-runtime/driver-process.ts'

/** Methods that query the engine. Answers from the driver's memory do not show that the engine is reachable. */
const engineMethods: ReadonlySet<ConnectionMethod> = new Set([
	'listTables',
	'describeTable',
	'openGrid',
	'gridPage',
	'countRows',
	'aggregate',
	'groupSimilar',
	'explain',
	'readRow',
	'runConsole',
	'readFacts',
	'listObjects',
	'readObject',
])

/** What the console of a driver can do, by its manifest. */
export type ConsoleAbilities = Pick<ConsoleManifest, 'takesParameters' | 'canPlan' | 'canRehearse' | 'withholdsColumns'>

interface SessionOpening {
	readonly settings: Settings
	readonly isReadOnly: boolean
	readonly console: ConsoleAbilities
	/** The process opens sockets through it. */
	readonly dialer: Dialer
	/** Called when the session is closed or lost. */
	readonly release: () => Promise<void>
}

interface SessionParts extends Pick<SessionOpening, 'release' | 'console'> {
	readonly info: ServerInfo
	readonly driver: DriverProcess
	readonly connection: number
	readonly reach: number
}

/** Rows `offset` to `offset + limit`. */
export interface RowRange {
	readonly offset: number
	readonly limit: number
}

/** The first rows of a grid, which may begin behind a row of an earlier grid. */
export interface FirstRows extends RowRange, Pick<GridOpening, 'givesPositions' | 'after' | 'without'> {}

/** An open connection in its driver's process, shared by the window and the AI clients. */
export class Session {
	static #lastGrid = 0
	readonly info: ServerInfo
	readonly console: ConsoleAbilities
	readonly #driver: DriverProcess
	/** The connection's number in that process. */
	readonly #connection: number
	/** The number of its dialer in the driver's network. */
	readonly #reach: number
	readonly #release: () => Promise<void>
	#trouble: string | undefined
	/** Called with a reason when the engine stops answering, and with `undefined` when it answers again. */
	onTrouble: (reason: string | undefined) => void = () => {}

	private constructor({ info, console, driver, connection, reach, release }: SessionParts) {
		this.info = info
		this.console = console
		this.#driver = driver
		this.#connection = connection
		this.#reach = reach
		this.#release = release
		void driver.exited.then(release)
	}

	/** Opens a connection in a driver's process. @throws DriverError */
	static async open(
		driver: DriverProcess,
		{ dialer, release, console, ...opening }: SessionOpening,
		options: CallOptions,
	): Promise<Session> {
		const reach = driver.network.addDialer(dialer)
		try {
			const { connection, info } = await driver.call('connect', { ...opening, reach }, options)
			return new Session({ info, console, driver, connection, reach, release })
		} catch (error) {
			driver.network.removeDialer(reach)
			throw error
		}
	}

	/** Resolves with the reason when the driver's process has ended. */
	get lost(): Promise<string> {
		return this.#driver.exited
	}

	/** Whether the driver's process still runs. */
	get isAlive(): boolean {
		return this.#driver.isAlive
	}

	/** Calls a method of the driver on this connection. @throws DriverError */
	async call<M extends ConnectionMethod>(
		method: M,
		params: ConnectionParams<M>,
		options?: CallOptions,
	): Promise<ResultOf<M>> {
		// The result has the type ParamsOf<M>, which TypeScript cannot infer for a generic M.
		const whole = { ...params, connection: this.#connection } as unknown as ParamsOf<M>
		try {
			const result = await this.#driver.call(method, whole, options)
			if (this.#trouble !== undefined && engineMethods.has(method)) this.#setTrouble(undefined)
			return result
		} catch (error) {
			if (isDriverError(error) && error.code === 'not_connected' && this.isAlive) this.#setTrouble(error.message)
			throw error
		}
	}

	/** Logs what the reader of an encoded answer found wrong with it. @returns the error for the caller */
	get wrongAnswer(): DriverProcess['wrongAnswer'] {
		return this.#driver.wrongAnswer
	}

	/**
	 * Opens a grid and reads its first rows, in one call of the driver.
	 * @returns those rows, and the number for `gridPage` and `closeGrid`
	 * @throws DriverError; then nothing is open
	 */
	async openGrid(
		query: GridQuery,
		range: FirstRows,
		options?: CallOptions,
	): Promise<{ readonly grid: number; readonly page: Encoded<GridPage> }> {
		const grid = ++Session.#lastGrid
		return { grid, page: await this.call('openGrid', { grid, query, ...range }, options) }
	}

	#setTrouble(trouble: string | undefined): void {
		if (trouble === this.#trouble) return
		this.#trouble = trouble
		this.onTrouble(trouble)
	}

	/** Closes the connection and its dialer. Sockets that the driver does not close end with its process. */
	async close(): Promise<void> {
		await this.call('disconnect', {}).catch(() => {})
		this.#driver.network.removeDialer(this.#reach)
		await this.#release()
	}
}
