import type { JsonObject } from '@roundhouse/kit'
import { ProtocolError } from '../../protocol/errors.ts'
import { driverFailure } from '../framework/driver-failure.ts'

/**
 * Contract, "Tool error result": a failure of the database is a result whose text starts with one code. Errors of the
 * protocol stay what they are.
 */
export function toolError(error: unknown, onFault: (error: unknown) => void): JsonObject {
	if (error instanceof ProtocolError) throw error
	const { code, message } = driverFailure(error, onFault)
	return { content: [{ type: 'text', text: `${code}: ${message}` }], isError: true }
}
