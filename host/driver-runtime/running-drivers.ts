import { setTimeout as sleep } from 'node:timers/promises'
import { DriverError } from '@roundhouse/kit'
import type { Log } from '../base/log.ts'
import { DriverProcess, type DriverProgram } from './driver-process.ts'

/** A driver that crashed this often within a minute waits before it is started again. */
const freeRestarts = 2
const memoryMs = 60_000
const longestWaitMs = 15_000

/** One process a driver, started at the first call and again after it was lost, with back-off when it keeps crashing. */
export class RunningDrivers {
	readonly #log: Log
	readonly #processes = new Map<string, Promise<DriverProcess>>()
	readonly #crashes = new Map<string, number[]>()
	/** Ends a start that is under way. */
	readonly #starting = new Map<string, AbortController>()
	#isClosed = false

	constructor(log: Log) {
		this.#log = log
	}

	/** The running process under `key`, or a new one of the program that `prepare` gives. */
	async get(key: string, prepare: () => Promise<DriverProgram>): Promise<DriverProcess> {
		const running = await this.#processes.get(key)?.catch(() => undefined)
		if (running?.isAlive) return running
		// Someone else may have started it while this call waited.
		const next = this.#processes.get(key)
		if (next && (await next.catch(() => undefined)) !== running) return this.get(key, prepare)
		const starting = this.#start(key, prepare)
		this.#processes.set(key, starting)
		starting.catch(() => this.#processes.get(key) === starting && this.#processes.delete(key))
		return starting
	}

	/** Takes a process that was started elsewhere; where another was started under `key` meanwhile, that one stays. */
	async adopt(key: string, driver: DriverProcess): Promise<void> {
		if (this.#isClosed || this.#processes.has(key)) return driver.stop()
		this.#processes.set(key, Promise.resolve(this.#watched(key, driver)))
	}

	/** All whose key begins so. */
	async stopEach(prefix: string): Promise<void> {
		const keys = [...this.#processes.keys()].filter(key => key.startsWith(prefix))
		await Promise.all(keys.map(key => this.stop(key)))
	}

	/** Also one that is only starting, however long that would take. */
	async stop(key: string): Promise<void> {
		this.#starting.get(key)?.abort()
		const running = this.#processes.get(key)
		this.#processes.delete(key)
		await (await running?.catch(() => undefined))?.stop()
	}

	/** For good: nothing is started any more. */
	async stopAll(): Promise<void> {
		this.#isClosed = true
		await Promise.all([...this.#processes.keys()].map(key => this.stop(key)))
	}

	async #start(key: string, prepare: () => Promise<DriverProgram>): Promise<DriverProcess> {
		if (this.#isClosed) throw new DriverError('not_connected', 'Roundhouse is stopping.')
		const abort = new AbortController()
		this.#starting.set(key, abort)
		const { signal } = abort
		try {
			const program = await prepare()
			await sleep(this.#waitMs(key), undefined, { signal })
			return this.#watched(key, await DriverProcess.start(program, this.#log, signal))
		} catch (error) {
			// Nothing is wrong with a program that somebody stopped.
			if (signal.aborted) throw new DriverError('not_connected', `The driver ${key} did not start: it was stopped.`)
			throw error
		} finally {
			if (this.#starting.get(key) === abort) this.#starting.delete(key)
		}
	}

	#watched(key: string, driver: DriverProcess): DriverProcess {
		void driver.exited.then(reason => {
			// Whoever stops a process takes it out of the map first.
			if (this.#processes.get(key) === undefined) return
			this.#crashes.set(key, [...this.#recentCrashes(key), Date.now()])
			this.#log.warn(`driver ${key} was lost: ${reason}`)
		})
		return driver
	}

	#waitMs(key: string): number {
		const extra = this.#recentCrashes(key).length - freeRestarts
		return extra <= 0 ? 0 : Math.min(500 * 2 ** extra, longestWaitMs)
	}

	#recentCrashes(key: string): number[] {
		return (this.#crashes.get(key) ?? []).filter(time => Date.now() - time < memoryMs)
	}
}
