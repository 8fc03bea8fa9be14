import { setTimeout as sleep } from 'node:timers/promises'
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

	async stop(key: string): Promise<void> {
		const running = this.#processes.get(key)
		this.#processes.delete(key)
		await (await running?.catch(() => undefined))?.stop()
	}

	async stopAll(): Promise<void> {
		await Promise.all([...this.#processes.keys()].map(key => this.stop(key)))
	}

	async #start(key: string, prepare: () => Promise<DriverProgram>): Promise<DriverProcess> {
		const program = await prepare()
		await sleep(this.#waitMs(key))
		const process = await DriverProcess.start(program, this.#log)
		void process.exited.then(reason => {
			// Whoever stops a process takes it out of the map first.
			if (this.#processes.get(key) === undefined) return
			this.#crashes.set(key, [...this.#recentCrashes(key), Date.now()])
			this.#log.warn(`driver ${key} was lost: ${reason}`)
		})
		return process
	}

	#waitMs(key: string): number {
		const extra = this.#recentCrashes(key).length - freeRestarts
		return extra <= 0 ? 0 : Math.min(500 * 2 ** extra, longestWaitMs)
	}

	#recentCrashes(key: string): number[] {
		return (this.#crashes.get(key) ?? []).filter(time => Date.now() - time < memoryMs)
	}
}
