import type { Manifest } from '@roundhouse/kit/manifest'
import { Emitter } from '../../../base/emitter.ts'
import type { Log } from '../../../base/log.ts'
import type { DriverHost } from '../../../host/connections/sessions.ts'
import { DriverPool, type Sharing, shared } from '../../../host/driver-runtime/driver-pool.ts'
import type { DriverProcess } from '../../../host/driver-runtime/driver-process.ts'
import type { DriverDirectory } from '../../../host/mcp/index.ts'
import type { BuiltDriver } from './build-driver.ts'

/** Installed drivers without a plugin loader. Each runs in a real process that starts on demand. */
export class TestDrivers implements DriverDirectory, DriverHost, AsyncDisposable {
	readonly #drivers: readonly BuiltDriver[]
	readonly #processes: DriverPool
	readonly #changed = new Emitter()
	readonly onChange = this.#changed.on
	#isEmpty = false

	constructor(drivers: readonly BuiltDriver[], log: Log) {
		this.#drivers = drivers
		this.#processes = new DriverPool(async id => this.#driver(id).program, log)
	}

	installed(): readonly Manifest[] {
		return this.#isEmpty ? [] : this.#drivers.map(({ manifest }) => manifest)
	}

	/** Simulates that the user removed every driver. */
	uninstallAll(): void {
		this.#isEmpty = true
		this.#changed.fire()
	}

	async ensure(driverId: string): Promise<Manifest> {
		return this.#driver(driverId).manifest
	}

	process(driverId: string, sharing: Sharing = shared): Promise<DriverProcess> {
		return this.#processes.get(driverId, sharing)
	}

	lease = () => async () => {}

	sample(): Promise<never> {
		throw new Error('The drivers of these tests have no sample.')
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#processes.stopAll()
	}

	#driver(driverId: string): BuiltDriver {
		const driver = this.#drivers.find(({ manifest }) => manifest.id === driverId)
		if (!driver) throw new Error(`There is no driver ${driverId}.`)
		return driver
	}
}
