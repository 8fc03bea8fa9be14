/**
 * What can go wrong in a driver, as the contract's tool error codes (contract, "Tool error result").
 * The list is the registry: the host refuses a code that is not in it.
 */
export const driverErrorCodes = {
	invalid_argument: 'An argument is malformed or does not fit the table.',
	not_connected: 'The connection is not open, or was lost.',
	not_found: 'The named table, row or resource does not exist.',
	denied: "The user's policy or the engine refused.",
	timeout: 'The time limit ran out; the engine was told to stop.',
	unsupported: 'This engine or version cannot do that.',
	query_failed: 'The engine answered with an error.',
	user_cancelled: 'The user stopped the call.',
	internal_failure: 'A fault of the driver.',
} as const

export type DriverErrorCode = keyof typeof driverErrorCodes

/**
 * The only error that crosses from a driver to the host with its message; any other becomes `internal_failure`.
 * Messages are for people: what happened, then what to do. Never put a secret in one; the host redacts all the same.
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
 * Recognises a driver error by its shape: a driver bundles its own copy of the kit, so `instanceof` would not see it.
 */
export function isDriverError(error: unknown): error is DriverError {
	return error instanceof Error && error.name === 'DriverError' && isDriverErrorCode((error as DriverError).code)
}
