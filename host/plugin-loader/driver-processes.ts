import type { Settings } from '@roundhouse/kit/manifest'
import type { Log } from '../base/log.ts'
import type { DriverProcess, DriverProgram } from '../driver-runtime/driver-process.ts'
import { type Grants, hasGrants, markOf } from '../driver-runtime/grants.ts'
import { RunningDrivers } from '../driver-runtime/running-drivers.ts'

/** A driver's sample: what reaches it, and the ports that it serves. */
export interface RunningSample {
	readonly settings: Settings
	readonly url: string
	readonly ports: readonly number[]
	/** Settles with the reason when its process has ended. */
	readonly ended: Promise<string>
}

const keyOf = (id: string, grants: Grants) => (hasGrants(grants) ? `${id} ${markOf(grants)}` : id)
const sampleKey = (id: string) => `${id} (sample)`

/** The processes of each driver: its own, one for each set of grants, and its sample's. */
export class DriverProcesses {
	readonly #running: RunningDrivers
	readonly #programOf: (id: string) => Promise<DriverProgram>
	readonly #samples = new Map<string, Promise<RunningSample & { readonly process: DriverProcess }>>()

	constructor(programOf: (id: string) => Promise<DriverProgram>, log: Log) {
		this.#programOf = programOf
		this.#running = new RunningDrivers(log)
	}

	get(id: string, grants: Grants): Promise<DriverProcess> {
		return this.#running.get(keyOf(id, grants), async () => ({ ...(await this.#programOf(id)), grants }))
	}

	/** Takes a process without grants that was started elsewhere. */
	adopt(id: string, started: DriverProcess): Promise<void> {
		return this.#running.adopt(id, started)
	}

	/** Ends a process that was started for its grants, once nobody uses them. */
	async endGranted(id: string, grants: Grants): Promise<void> {
		if (hasGrants(grants)) await this.#running.stop(keyOf(id, grants))
	}

	/** The sample, started at the first call. */
	async sample(id: string): Promise<RunningSample> {
		const running = await this.#samples.get(id)?.catch(() => undefined)
		if (running?.process.isAlive) return running
		const starting = (async () => {
			const process = await this.#running.get(sampleKey(id), () => this.#programOf(id))
			const { settings, url } = await process.call('startSample', {})
			return { settings, url, ports: process.ports, ended: process.exited, process }
		})()
		this.#samples.set(id, starting)
		return starting
	}

	/** All of one driver. */
	async stop(id: string): Promise<void> {
		await Promise.all([this.#running.stop(id), this.#running.stopEach(`${id} `)])
	}

	/** For good. */
	stopAll(): Promise<void> {
		return this.#running.stopAll()
	}
}
