import type { Manifest } from '@roundhouse/kit/manifest'
import type { DriverProcess } from '../../../driver-runtime/driver-process.ts'

/** What the endpoint needs to know of the drivers. */
export interface InstalledDrivers {
	/** The manifests of the installed drivers that are switched on. */
	installed(): readonly Manifest[]
	/** Calls back when that list changes, until what it returns is disposed. */
	onChange(hear: () => void): Disposable
	/** The driver's running process, started if need be. */
	process(driverId: string): Promise<DriverProcess>
}
