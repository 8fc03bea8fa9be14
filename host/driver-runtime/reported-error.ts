import { DriverError } from '@roundhouse/kit'

/** An error that the driver's process reported, in contrast to one that the host found. */
export class ReportedError extends DriverError {
	/** What messages call the driver. */
	readonly driver: string

	constructor(driver: string, ...error: ConstructorParameters<typeof DriverError>) {
		super(...error)
		this.driver = driver
	}
}
