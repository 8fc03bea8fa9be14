/**
 * Errors of a driver, as the contract's tool error codes (contract, "Tool error result"). This list is the registry:
 * the host rejects any other code.
 */
export const driverErrorCodes = {
	invalid_argument: 'An argument is malformed or does not fit the table.',
	not_connected: 'The connection is not open, or was lost.',
	not_found: 'The named table, row or resource does not exist.',
	denied: "The user's policy or the engine refused.",
	timeout: 'The time limit was exceeded. The engine was asked to stop.',
	unsupported: 'This engine or version cannot do that.',
	query_failed: 'The engine answered with an error.',
	user_cancelled: 'The user stopped the call.',
	internal_failure: 'An error in the driver.',
} as const

export type DriverErrorCode = keyof typeof driverErrorCodes

/**
 * The only error whose message reaches the host. Any other becomes `internal_failure`. Messages are for users: what
 * happened, then what to do. Never include a secret; the host redacts messages anyway.
 */
export class DriverError extends Error {
	override readonly name = 'DriverError'
	readonly code: DriverErrorCode

	constructor(code: DriverErrorCode, message: string, options?: ErrorOptions) {
		super(message, options)
		this.code = code
	}
}

export function isDriverErrorCode(code: unknown): code is DriverErrorCode {
	return typeof code === 'string' && Object.hasOwn(driverErrorCodes, code)
}

/**
 * Recognizes a driver error by its shape. A driver bundles a separate copy of the kit, so `instanceof` would not work.
 */
export function isDriverError(error: unknown): error is DriverError {
	return error instanceof Error && error.name === 'DriverError' && isDriverErrorCode((error as DriverError).code)
}
