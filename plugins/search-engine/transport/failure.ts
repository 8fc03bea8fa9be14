import { DriverError } from '@roundhouse/kit'
import { AnswerTooLarge, ExchangeFailure, UnreadableEncoding } from './exchange.ts'

/** No usable answer came. `wasSent` says whether the engine may have had the request. */
export class ConnectionLost extends DriverError {
	readonly wasSent: boolean

	constructor(detail: string, wasSent: boolean, options?: ErrorOptions) {
		super('not_connected', `Connection failed: ${detail}`, options)
		this.wasSent = wasSent
	}
}

/** The time limit ran out; the socket was closed, so the engine stops what it can stop. */
export class RequestTimedOut extends DriverError {
	readonly wasSent: boolean

	constructor(message: string, wasSent: boolean) {
		super('timeout', message)
		this.wasSent = wasSent
	}
}

/** The answer was larger than the driver takes; less may be asked for. */
export class OversizedAnswer extends DriverError {
	constructor(message: string) {
		super('query_failed', message)
	}
}

/** The person stopped the call. A write that was under way may still have been done. */
export class Cancelled extends DriverError {
	readonly wasSent: boolean

	constructor(wasSent: boolean) {
		super('user_cancelled', 'The request was stopped.')
		this.wasSent = wasSent
	}
}

/** Whether a request that failed like this may have reached the engine. Errors of other kinds came as an answer. */
export function mayHaveBeenSent(error: unknown): boolean {
	const isLost = error instanceof ConnectionLost || error instanceof RequestTimedOut || error instanceof Cancelled
	return isLost && error.wasSent
}

const skipRemedy = 'use SSL mode Required (skip verify) or the skip-TLS-verification switch'
const unknownAuthority = `the certificate is self-signed or signed by an authority that is not trusted here; give its CA certificate, or ${skipRemedy}`
const noTls = 'the server does not answer in TLS; if it speaks plain HTTP, choose SSL mode Disabled'
const wantsClientCertificate =
	'the server asks for a client certificate that it accepts; give client certificate and key'

const brokenOff =
	'the connection was closed before an answer came; the node, or something on the way to it, may have restarted'
const closedEarly =
	'the connection was closed before an answer came; check that the SSL mode is the one the cluster uses, and whether it asks for a client certificate'
const brokenCompression = 'the compressed answer is broken; a proxy on the way may have changed it'

/** By the codes of Node, OpenSSL and undici: what failed, and what to do. */
const details: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing listens there; check host and port, and that the cluster runs',
	ENOTFOUND: 'the host name is not known; check its spelling',
	EAI_AGAIN: 'the host name could not be looked up; check the network',
	EHOSTUNREACH: 'the host cannot be reached; check the network',
	ENETUNREACH: 'the network cannot be reached; check it',
	ETIMEDOUT: 'no answer in time; check host, port and firewall',
	UND_ERR_CONNECT_TIMEOUT: 'no answer in time; check host, port and firewall, or raise the connect timeout',
	ECONNRESET: closedEarly,
	EPIPE: closedEarly,
	UND_ERR_SOCKET: closedEarly,
	HPE_INVALID_CONSTANT: 'the answer is not HTTP; check the port and the SSL mode',
	DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
	SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
	UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
	CERT_SIGNATURE_FAILURE: unknownAuthority,
	CERT_HAS_EXPIRED: `the certificate has expired; renew it, or ${skipRemedy}`,
	CERT_NOT_YET_VALID: `the certificate is not valid yet; check the clocks, or ${skipRemedy}`,
	ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name; use a name it holds, or SSL mode Verify CA',
	ERR_SSL_WRONG_VERSION_NUMBER: noTls,
	ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
	ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: wantsClientCertificate,
	ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: wantsClientCertificate,
	ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: wantsClientCertificate,
	ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: wantsClientCertificate,
	ERR_OSSL_BAD_DECRYPT: 'the client key cannot be opened; check its passphrase',
	ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED: 'the client key needs its passphrase',
	// A wrong passphrase now and then opens the key to something that only looks whole.
	ERR_OSSL_UNSUPPORTED: 'the client key cannot be read; check its passphrase, and that the file is PEM',
	ERR_OSSL_PEM_NO_START_LINE: 'a certificate or key file is not PEM',
	Z_DATA_ERROR: brokenCompression,
	Z_BUF_ERROR: brokenCompression,
	ERR_OSSL_X509_KEY_VALUES_MISMATCH: 'the client key does not belong to the client certificate',
}

const tooLarge = 'the answer is larger than 128 MiB; ask for fewer rows or fields'

/** Whether an answer was given up because of its size. */
export function isTooLarge({ cause }: ExchangeFailure): boolean {
	return cause instanceof AnswerTooLarge || rootOf(cause).code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE'
}

/**
 * Puts a failed exchange into words.
 *
 * @param hasAnswered the node has answered before, so its form of the connection is not in question
 */
export function describeFailure(error: unknown, { hasAnswered = false } = {}): string {
	if (error instanceof ExchangeFailure && isTooLarge(error)) return tooLarge
	const cause = error instanceof ExchangeFailure ? error.cause : error
	if (cause instanceof UnreadableEncoding) {
		return `the answer is compressed as ${cause.encoding}, which was not asked for and is not read`
	}
	const { code, message } = rootOf(cause)
	const known = details[code]
	if (known === undefined) return message
	return `${known === closedEarly && hasAnswered ? brokenOff : known} (${code})`
}

/** Undici and Node wrap: an AggregateError for several addresses of a name, a cause for a socket. */
function rootOf(cause: unknown): { readonly code: string; readonly message: string } {
	if (cause instanceof AggregateError && cause.errors.length > 0) return rootOf(cause.errors.at(-1))
	if (!(cause instanceof Error)) return { code: '', message: String(cause) }
	const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
	const inner = cause.cause instanceof Error ? rootOf(cause.cause) : undefined
	return inner !== undefined && details[inner.code] !== undefined ? inner : { code, message: cause.message }
}
