import type { Manifest } from '@roundhouse/kit/manifest'
import type { DriverProcess } from '../../../driver-runtime/driver-process.ts'

/** The installed drivers, as the endpoint uses them. */
export interface DriverDirectory {
	/** Returns the manifests of the installed drivers that are switched on. */
	installed(): readonly Manifest[]
	/** Subscribes a listener to changes of that list. Dispose the returned value to unsubscribe. */
	onChange(listener: () => void): Disposable
	/** Returns the driver's process. Starts it if it does not run. */
	process(driverId: string): Promise<DriverProcess>
}
