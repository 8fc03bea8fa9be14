import { DriverError } from '@roundhouse/kit'
import { AnswerTooLarge, ExchangeFailure, UnreadableEncoding } from './exchange.ts'

/** No usable answer arrived. `wasSent` says whether the engine may have received the request. */
export class ConnectionLost extends DriverError {
	readonly wasSent: boolean

	constructor(detail: string, wasSent: boolean, options?: ErrorOptions) {
		super('not_connected', `Connection failed: ${detail}`, options)
		this.wasSent = wasSent
	}
}

/** The time limit was exceeded. The socket was closed, so the engine stops what it can stop. */
export class RequestTimedOut extends DriverError {
	readonly wasSent: boolean

	constructor(message: string, wasSent: boolean) {
		super('timeout', message)
		this.wasSent = wasSent
	}
}

/** The answer exceeded the driver's limit. A smaller request may succeed. */
export class OversizedAnswer extends DriverError {
	constructor(message: string) {
		super('query_failed', message)
	}
}

/** The user cancelled the call. A pending write may still have been done. */
export class Cancelled extends DriverError {
	readonly wasSent: boolean

	constructor(wasSent: boolean) {
		super('user_cancelled', 'The request was cancelled.')
		this.wasSent = wasSent
	}
}

/**
 * Returns whether a request with this error may have reached the engine. Other kinds of errors are answers of the
 * engine.
 */
export function mayHaveBeenSent(error: unknown): boolean {
	const isLost = error instanceof ConnectionLost || error instanceof RequestTimedOut || error instanceof Cancelled
	return isLost && error.wasSent
}

const skipRemedy = 'use SSL mode Required (skip verify) or the skip-TLS-verification switch'
const unknownAuthority = `the certificate is self-signed or signed by an authority that is not trusted here; enter its CA certificate, or ${skipRemedy}`
const noTls = 'the server does not answer in TLS; if it speaks plain HTTP, choose SSL mode Disabled'
const wantsClientCertificate =
	'the server requires a client certificate; enter a client certificate and key that it accepts'

const brokenOff =
	'the connection was closed before an answer arrived; the node or a proxy in between may have restarted'
const closedEarly =
	'the connection was closed before an answer arrived; check that the SSL mode matches the cluster, and whether it requires a client certificate'
const brokenCompression = 'the compressed answer is damaged; a proxy in between may have changed it'

/** What failed and what to do, by the codes of Node, OpenSSL and undici. */
const details: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'no server is listening there; check host and port, and that the cluster is running',
	ENOTFOUND: 'the host name is unknown; check its spelling',
	EAI_AGAIN: 'the host name could not be resolved; check the network',
	EHOSTUNREACH: 'the host cannot be reached; check the network',
	ENETUNREACH: 'the network cannot be reached; check the network',
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
	ERR_TLS_CERT_ALTNAME_INVALID:
		'the certificate is for another host name; use a name in the certificate, or SSL mode Verify CA',
	ERR_SSL_WRONG_VERSION_NUMBER: noTls,
	ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
	ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: wantsClientCertificate,
	ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: wantsClientCertificate,
	ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: wantsClientCertificate,
	ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: wantsClientCertificate,
	ERR_OSSL_BAD_DECRYPT: 'the client key cannot be opened; check its passphrase',
	ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED: 'the client key needs its passphrase',
	// Sometimes a wrong passphrase opens the key to data that only seems valid.
	ERR_OSSL_UNSUPPORTED: 'the client key cannot be read; check its passphrase, and that the file is PEM',
	ERR_OSSL_PEM_NO_START_LINE: 'a certificate or key file is not PEM',
	Z_DATA_ERROR: brokenCompression,
	Z_BUF_ERROR: brokenCompression,
	ERR_OSSL_X509_KEY_VALUES_MISMATCH: 'the client key does not belong to the client certificate',
}

const tooLarge = 'the answer is larger than 128 MiB; request fewer rows or fields'

/** Returns whether an answer was aborted because of its size. */
export function isTooLarge({ cause }: ExchangeFailure): boolean {
	return cause instanceof AnswerTooLarge || rootOf(cause).code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE'
}

/**
 * Describes a failed exchange for the user.
 *
 * @param hasAnswered whether the node has answered before, so that its connection settings are right
 */
export function describeFailure(error: unknown, { hasAnswered = false } = {}): string {
	if (error instanceof ExchangeFailure && isTooLarge(error)) return tooLarge
	const cause = error instanceof ExchangeFailure ? error.cause : error
	if (cause instanceof UnreadableEncoding) {
		return `the answer is compressed as ${cause.encoding}, which was not requested and is not supported`
	}
	const { code, message } = rootOf(cause)
	const known = details[code]
	if (known === undefined) return message
	return `${known === closedEarly && hasAnswered ? brokenOff : known} (${code})`
}

/** Unwraps errors of Undici and Node: an AggregateError for several addresses of a name, a cause for a socket. */
function rootOf(cause: unknown): { readonly code: string; readonly message: string } {
	if (cause instanceof AggregateError && cause.errors.length > 0) return rootOf(cause.errors.at(-1))
	if (!(cause instanceof Error)) return { code: '', message: String(cause) }
	const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
	const inner = cause.cause instanceof Error ? rootOf(cause.cause) : undefined
	return inner !== undefined && details[inner.code] !== undefined ? inner : { code, message: cause.message }
}
