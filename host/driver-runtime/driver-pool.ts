import { setTimeout as sleep } from 'node:timers/promises'
import { DriverError } from '@roundhouse/kit'
import type { Settings } from '@roundhouse/kit/manifest'
import type { Log } from '../../base/log.ts'
import { DriverProcess, type DriverProgram } from './driver-process.ts'
import { type FileGrants, grantsKey, hasGrants, noGrants } from './file-grants.ts'

/** Crashes within {@link crashWindowMs} after which a restart is no longer immediate. */
const freeRestarts = 2
const crashWindowMs = 60_000
const maxBackOffMs = 15_000

/** A driver's sample: the settings that connect to it, its URL, and the ports that it listens on. */
export interface RunningSample {
	readonly settings: Settings
	readonly url: string
	readonly ports: readonly number[]
	/** Settles with the reason when its process has ended. */
	readonly ended: Promise<string>
}

/** Who uses a process: connections with the same grants, or one connection alone. */
export interface Sharing {
	readonly grants: FileGrants
	/** The connection that shares its process with no other. */
	readonly owner?: string | undefined
}

/** Shared by connections without files. */
export const shared: Sharing = { grants: noGrants }

/** One process that a driver has or had: for connections, or for its sample. */
class Slot {
	readonly key: string
	readonly driverId: string
	readonly sharing: Sharing | 'sample'
	process: Promise<DriverProcess> | undefined
	/** Aborts a start that is under way. */
	starting: AbortController | undefined
	sample: Promise<RunningSample> | undefined
	/** Connections that use the process. */
	users = 0
	#crashes: number[] = []

	constructor(key: string, driverId: string, sharing: Sharing | 'sample') {
		this.key = key
		this.driverId = driverId
		this.sharing = sharing
	}

	get name(): string {
		return this.sharing === 'sample' ? `${this.driverId} (sample)` : this.driverId
	}

	crashed(): void {
		this.#crashes = [...this.#recentCrashes(), Date.now()]
	}

	/** Delay before the next start, exponential in the number of recent crashes. */
	get backOffMs(): number {
		const extra = this.#recentCrashes().length - freeRestarts
		return extra <= 0 ? 0 : Math.min(500 * 2 ** extra, maxBackOffMs)
	}

	#recentCrashes(): number[] {
		return this.#crashes.filter(time => Date.now() - time < crashWindowMs)
	}
}

/**
 * The running driver processes: for each driver one without grants, one for each set of grants and for each connection
 * that shares none, and one for its sample.
 * Starts a process at the first use and again after it was lost, with back-off if it keeps crashing. Ends the process
 * of connections with the last of them.
 */
export class DriverPool {
	readonly #programOf: (id: string) => Promise<DriverProgram>
	readonly #log: Log
	readonly #slots = new Map<string, Slot>()
	#isClosed = false

	/** @param programOf returns the checked program of a driver; it is asked before each start */
	constructor(programOf: (id: string) => Promise<DriverProgram>, log: Log) {
		this.#programOf = programOf
		this.#log = log
	}

	/** Returns the running process, or starts one. Callers at the same time share the start. */
	get(id: string, sharing: Sharing): Promise<DriverProcess> {
		return this.#running(this.#slot(id, sharing))
	}

	/** Takes over a process without grants that was started elsewhere, unless another one runs by then. */
	async adopt(id: string, started: DriverProcess): Promise<void> {
		const slot = this.#slot(id, shared)
		if (this.#isClosed || slot.process) return started.stop()
		slot.process = Promise.resolve(this.#watched(slot, started))
	}

	/**
	 * Counts a connection as a user of a process. The last release ends the process, so that no
	 * socket outlives the connections it was opened for. If calls without a connection still run, the process ends after
	 * them.
	 * @returns a function that releases the lease; later calls do nothing
	 */
	lease(id: string, sharing: Sharing): () => Promise<void> {
		const slot = this.#slot(id, sharing)
		slot.users++
		let isHeld = true
		return async () => {
			if (!isHeld) return
			isHeld = false
			if (--slot.users === 0) await this.#endUnused(slot)
		}
	}

	/** Returns the sample, started at the first call, in a process that outlives those of connections. */
	async sample(id: string): Promise<RunningSample> {
		const slot = this.#slot(id, 'sample')
		const process = await this.#running(slot)
		// A start clears the sample of the previous process.
		if (slot.sample) return slot.sample
		const starting = process
			.startSample()
			.then(({ settings, url }) => ({ settings, url, ports: process.network.ports, ended: process.exited }))
		slot.sample = starting
		starting.catch(() => {
			if (slot.sample === starting) slot.sample = undefined
		})
		return starting
	}

	/** Ends the processes that connections of a driver use. Its sample keeps running. */
	async endConnections(id: string): Promise<void> {
		await this.#stopWhere(slot => slot.driverId === id && slot.sharing !== 'sample')
	}

	/** Ends all processes of a driver, also those that are starting. */
	async stop(id: string): Promise<void> {
		await this.#stopWhere(slot => slot.driverId === id)
	}

	/** Ends all processes. Later starts are refused. */
	async stopAll(): Promise<void> {
		this.#isClosed = true
		await this.#stopWhere(() => true)
	}

	#slot(id: string, sharing: Sharing | 'sample'): Slot {
		const key = JSON.stringify([id, ...(sharing === 'sample' ? ['sample'] : partsOf(sharing))])
		const slot = this.#slots.get(key) ?? new Slot(key, id, sharing)
		this.#slots.set(key, slot)
		return slot
	}

	async #running(slot: Slot): Promise<DriverProcess> {
		const running = await slot.process?.catch(() => undefined)
		if (running?.isAlive) return running
		// Another caller may have started it while this one waited. Each caller retries a failed start once.
		const next = slot.process
		if (next && (await next.catch(() => undefined)) !== running) return this.#running(slot)
		const starting = this.#start(slot)
		slot.process = starting
		slot.sample = undefined
		starting.catch(() => {
			if (slot.process === starting) slot.process = undefined
		})
		return starting
	}

	async #start(slot: Slot): Promise<DriverProcess> {
		if (this.#isClosed) throw new DriverError('not_connected', 'Roundhouse is stopping.')
		const { driverId, sharing, name } = slot
		const abort = new AbortController()
		slot.starting = abort
		const { signal } = abort
		try {
			const program = await this.#programOf(driverId)
			// The author of a driver has just changed it.
			if (!program.development) await sleep(slot.backOffMs, undefined, { signal })
			const granted = sharing === 'sample' ? program : { ...program, grants: sharing.grants }
			return this.#watched(slot, await DriverProcess.start(granted, this.#log, { signal }))
		} catch (error) {
			// An aborted start is no fault of the program.
			if (signal.aborted) throw new DriverError('not_connected', `The driver ${name} did not start: it was stopped.`)
			throw error
		} finally {
			if (slot.starting === abort) slot.starting = undefined
		}
	}

	#watched(slot: Slot, driver: DriverProcess): DriverProcess {
		void driver.exited.then(reason => {
			// A stop clears the slot before it ends the process.
			if (!slot.process) return
			slot.crashed()
			this.#log.warn(`driver ${slot.name} was lost: ${reason}`)
		})
		return driver
	}

	async #endUnused(slot: Slot): Promise<void> {
		const { process } = slot
		const driver = await process?.catch(() => undefined)
		const end = async () => {
			if (slot.process !== process || slot.users > 0) return
			// No other connection will use it.
			if (slot.sharing !== 'sample' && slot.sharing.owner !== undefined) this.#slots.delete(slot.key)
			await this.#stop(slot)
		}
		if (!driver || driver.isIdle) return end()
		void driver.idle().then(end)
	}

	async #stopWhere(matches: (slot: Slot) => boolean): Promise<void> {
		await Promise.all([...this.#slots.values()].filter(matches).map(slot => this.#stop(slot)))
	}

	async #stop(slot: Slot): Promise<void> {
		slot.starting?.abort()
		const { process } = slot
		slot.process = undefined
		slot.sample = undefined
		await (await process?.catch(() => undefined))?.stop()
	}
}

const partsOf = ({ grants, owner = '' }: Sharing) => [hasGrants(grants) && grantsKey(grants), owner]
