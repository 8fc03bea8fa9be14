import { defineErrors } from '../../../base/errors.ts'
import { isLoopbackHost } from '../../../base/loopback.ts'
import { printable } from '../protocol/printable.ts'

export const pairingErrors = defineErrors('pairing', {
	link_invalid: 'This pairing link cannot be used: {reason}.',
	too_many: 'Too many programs wait to be paired. Answer the waiting requests first.',
	unknown: 'This pairing request was already answered, or it has expired. Start again from the program.',
	code_invalid: 'This code is unknown, was already used, or has expired. Start again from the program.',
	verifier_wrong: 'The verifier does not belong to this code. Attempts left: {left}.',
})

/** The request of a program that opens `roundhouse://pair?client=…&challenge=…&redirect=…`. */
export interface PairingRequest {
	/** The name that the program claims. It is not verified. */
	readonly client: string
	/** base64url of the SHA-256 of a verifier that only the program knows. */
	readonly challenge: string
	/** Address for the code; without one the user copies the code into the program. */
	readonly redirect: string | undefined
}

const maxLinkLength = 4096
const maxNameLength = 80
const challengePattern = /^[A-Za-z0-9_-]{43}$/

/** @throws HostError `pairing/link_invalid` */
export function parsePairingLink(text: string): PairingRequest {
	const url = text.length <= maxLinkLength ? URL.parse(text) : null
	const isPairingLink = url?.protocol === 'roundhouse:' && url.host === 'pair' && /^\/?$/.test(url.pathname)
	if (!url || !isPairingLink) throw refuse('it is not a roundhouse://pair link')
	const client = only(url, 'client')?.trim()
	if (!client || client.length > maxNameLength) throw refuse(`\`client\` is a name of 1 to ${maxNameLength} characters`)
	if (printable(client) !== client) throw refuse('`client` contains invisible characters')
	const challenge = only(url, 'challenge')
	if (challenge === undefined || !challengePattern.test(challenge)) {
		throw refuse('`challenge` is the SHA-256 of the verifier in base64url, 43 characters')
	}
	const redirect = only(url, 'redirect')
	return { client, challenge, redirect: redirect === undefined ? undefined : checkedRedirect(redirect) }
}

/**
 * Returns a parameter that may occur only once: otherwise the user could be shown one value while the other is used.
 */
function only(url: URL, name: string): string | undefined {
	const values = url.searchParams.getAll(name)
	if (values.length > 1) throw refuse(`\`${name}\` occurs more than once`)
	return values[0]
}

/** Schemes that a system or a browser handles itself, so they cannot lead back to the program. */
const systemScheme =
	/^(?:https?|wss?|ftps?|sftp|ssh|telnet|smb|nfs|file|data|blob|javascript|vbscript|about|mailto|tel|sms|facetime|intent|shell|help|view-source|search|search-ms|ms-.*|x-apple.*|chrome|chrome-.*|edge|brave|opera|vivaldi|devtools|moz-.*|resource|filesystem|jar|res|roundhouse):$/

/**
 * Returns the redirect if it leads to a program on this machine: a loopback address or a private scheme (RFC 8252). Any
 * other address would send the code to a third party.
 */
function checkedRedirect(text: string): string {
	const url = URL.parse(text)
	if (!url) throw refuse('`redirect` is not an address')
	if (url.username !== '' || url.password !== '' || url.hash !== '') throw refuse('`redirect` is not a plain address')
	const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
	if (isWeb ? !isLoopbackHost(url.hostname) : systemScheme.test(url.protocol)) {
		throw refuse('`redirect` leads neither to this machine nor to a scheme of the program')
	}
	return url.href
}

function refuse(reason: string) {
	return pairingErrors.make('link_invalid', { reason })
}
