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

/** One of the codes of {@link driverErrorCodes}. */
export type DriverErrorCode = keyof typeof driverErrorCodes

/** What is known about a failure beside its message. */
export interface FaultDetails {
	/** Offset in the text of the statement at which the engine found the error, in UTF-16 units. */
	readonly at?: number
	/** What the engine suggests to do, as one or two sentences. */
	readonly hint?: string
	/** The engine's own code or type of the error, for example `42P01`. */
	readonly engineCode?: string
}

/** Why a statement cannot be run, or was rejected. */
export interface Fault extends FaultDetails {
	readonly code: DriverErrorCode
	readonly message: string
}

/**
 * The only error whose message reaches the host. Any other becomes `internal_failure`. Messages are for users: what
 * happened, then what to do. Never include a secret; the host redacts messages anyway.
 */
export class DriverError extends Error implements Fault {
	override readonly name = 'DriverError'
	/** What failed: one of {@link driverErrorCodes}. */
	readonly code: DriverErrorCode
	readonly at?: number
	readonly hint?: string
	readonly engineCode?: string

	constructor(code: DriverErrorCode, message: string, options: ErrorOptions & FaultDetails = {}) {
		super(message, options)
		this.code = code
		Object.assign(this, detailsOf(options))
	}
}

/** Returns a driver error, or a fault, as plain data. */
export function faultOf(error: Fault): Fault {
	return { code: error.code, message: error.message, ...detailsOf(error) }
}

function detailsOf({ at, hint, engineCode }: FaultDetails): FaultDetails {
	return {
		...(at !== undefined && { at }),
		...(hint !== undefined && { hint }),
		...(engineCode !== undefined && { engineCode }),
	}
}

/** Returns whether a value is one of the codes. */
export function isDriverErrorCode(code: unknown): code is DriverErrorCode {
	return typeof code === 'string' && Object.hasOwn(driverErrorCodes, code)
}

/**
 * Recognizes a driver error by its shape. A driver bundles a separate copy of the kit, so `instanceof` would not work.
 */
export function isDriverError(error: unknown): error is DriverError {
	return error instanceof Error && error.name === 'DriverError' && isDriverErrorCode((error as DriverError).code)
}
