import { ReportedError } from '../../driver-runtime/reported-error.ts'
import { attributed } from '../protocol/attributed.ts'

/** Returns an error that the driver's process reported as one that names the speaker. Any other error is unchanged. */
export const attributedIfReported = (error: unknown): unknown =>
	error instanceof ReportedError ? attributed(error, error.driver) : error

/** Waits for work of a driver. @throws DriverError that names the speaker */
export async function attributing<T>(work: Promise<T>): Promise<T> {
	try {
		return await work
	} catch (error) {
		throw attributedIfReported(error)
	}
}
