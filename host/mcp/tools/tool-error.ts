import { type DriverError, isDriverError, type JsonObject } from '@roundhouse/kit'
import { HostError, messageOf } from '../../base/errors.ts'
import { redact } from '../../base/redaction.ts'
import { ProtocolError } from '../protocol/errors.ts'

/**
 * Contract, "Tool error result": a failure of the database is a result whose text starts with one code. Its text is
 * redacted here, whatever the engine echoed.
 */
export function toolError(error: unknown, onFault: (error: unknown) => void): JsonObject {
	if (error instanceof ProtocolError) throw error
	const { code, message } = describe(error, onFault)
	return { content: [{ type: 'text', text: `${code}: ${redact(message)}` }], isError: true }
}

function describe(error: unknown, onFault: (error: unknown) => void): Pick<DriverError, 'code' | 'message'> {
	if (isDriverError(error)) return error
	if (error instanceof HostError) return { code: codeOf(error), message: messageOf(error) }
	onFault(error)
	return { code: 'internal_failure', message: 'An unexpected fault of Roundhouse. Its log has the details.' }
}

/** Errors of the host that a model can do something about, by their boundary. */
function codeOf({ code }: HostError): DriverError['code'] {
	if (code === 'connection/unknown') return 'not_found'
	return /^(connection|plugin|driver|registry|secret)\//.test(code) ? 'not_connected' : 'internal_failure'
}
