import { type DriverError, type Fault, isDriverError } from '@roundhouse/kit'
import { HostError, messageOf } from '../../../../base/errors.ts'
import { attributedIfReported } from '../../access/attributing.ts'
import { quote } from '../../protocol/attributed.ts'
import { ProtocolError, type ProtocolErrorName } from '../../protocol/errors.ts'
import { driverText, outgoingText } from '../../protocol/outgoing-text.ts'

type OnFault = (error: unknown) => void

/** Converts an error that is not a protocol error to a code of the contract and a redacted text. */
export function driverFailure(error: unknown, onFault: OnFault): Pick<DriverError, 'code' | 'message'> {
	const said = attributedIfReported(error)
	if (isDriverError(said)) return { code: said.code, message: wordsOf(said) }
	if (error instanceof HostError) return { code: codeOf(error), message: outgoingText(messageOf(error)) }
	onFault(error)
	return { code: 'internal_failure', message: 'An unexpected error occurred in Roundhouse. Its log has the details.' }
}

/** Returns the redacted message with what else is known: the engine's hint and its code, in one line. */
function wordsOf({ message, hint, engineCode }: Fault): string {
	const parts = [
		driverText(message),
		hint && `Its hint: ${driverText(hint)}`,
		engineCode && !message.includes(engineCode) && `Engine code: ${plainCode(engineCode)}.`,
	]
	return parts.filter(part => part).join(' ')
}

/** A code that could be read as a sentence is quoted. */
const plainCode = (code: string) => (/^[\w.:-]{1,100}$/.test(code) ? driverText(code) : quote(code, longestCode))

const longestCode = 100

/** Converts an error to a protocol error, because resources and prompts have no tool errors. */
export function asProtocolError(error: unknown, onFault: OnFault): ProtocolError {
	if (error instanceof ProtocolError) return error
	const { code, message } = driverFailure(error, onFault)
	return new ProtocolError(protocolNames[code], message)
}

const protocolNames: Readonly<Record<DriverError['code'], ProtocolErrorName>> = {
	invalid_argument: 'invalid_params',
	not_found: 'invalid_params',
	denied: 'forbidden',
	timeout: 'request_timeout',
	user_cancelled: 'request_cancelled',
	internal_failure: 'internal_error',
	not_connected: 'unavailable',
	unsupported: 'unavailable',
	query_failed: 'unavailable',
}

const ownCodes: Readonly<Record<string, DriverError['code']>> = {
	'connection/unknown': 'not_found',
	'export/no_folder': 'denied',
	'export/folder_invalid': 'denied',
	'export/name_invalid': 'invalid_argument',
	'export/name_taken': 'invalid_argument',
	'export/changed': 'not_found',
	'export/hidden_since': 'denied',
	'undo/gone': 'not_found',
	'undo/moved': 'denied',
	'undo/not_marked': 'query_failed',
	'undo/outdated': 'query_failed',
	'undo/unreadable': 'query_failed',
}

/** Maps errors of the host to codes, by their code or by their boundary. */
function codeOf({ code }: HostError): DriverError['code'] {
	const known = ownCodes[code]
	if (known !== undefined) return known
	return /^(connection|plugin|driver|registry|secret)\//.test(code) ? 'not_connected' : 'internal_failure'
}
