import { defineErrors } from '../../base/errors.ts'
import { isLoopbackHost } from '../../base/loopback.ts'
import { printable } from '../protocol/printable.ts'

export const pairingErrors = defineErrors('pairing', {
	link_invalid: 'This pairing link cannot be used: {reason}.',
	too_many: 'Too many programs ask to be paired. Answer those that wait first.',
	unknown: 'This request to be paired was answered already, or waited too long. Start again from the program.',
	code_invalid: 'This code is unknown, was used, or has ended. Start again from the program.',
	verifier_wrong: 'The verifier does not belong to this code. Attempts left: {left}.',
})

/** What a program asks for by opening `roundhouse://pair?client=…&challenge=…&redirect=…`. */
export interface PairingRequest {
	/** How the program calls itself, which proves nothing. */
	readonly client: string
	/** base64url of the SHA-256 of a verifier that the program keeps to itself. */
	readonly challenge: string
	/** Where the person's answer is sent; without one the person carries the code over. */
	readonly redirect: string | undefined
}

const longestLink = 4096
const longestName = 80
const challengePattern = /^[A-Za-z0-9_-]{43}$/

/** @throws HostError `pairing/link_invalid` */
export function parsePairingLink(text: string): PairingRequest {
	const url = text.length <= longestLink ? URL.parse(text) : null
	const isOurs = url?.protocol === 'roundhouse:' && url.host === 'pair' && /^\/?$/.test(url.pathname)
	if (!url || !isOurs) throw refuse('it is not a roundhouse://pair link')
	const client = only(url, 'client')?.trim()
	if (!client || client.length > longestName) throw refuse(`\`client\` is a name of 1 to ${longestName} characters`)
	if (printable(client) !== client) throw refuse('`client` holds characters that do not show as they are')
	const challenge = only(url, 'challenge')
	if (challenge === undefined || !challengePattern.test(challenge)) {
		throw refuse('`challenge` is the SHA-256 of the verifier in base64url, 43 characters')
	}
	const redirect = only(url, 'redirect')
	return { client, challenge, redirect: redirect === undefined ? undefined : checkedRedirect(redirect) }
}

/** A parameter that may stand once: of two, the person might be shown the one and the program given the other. */
function only(url: URL, name: string): string | undefined {
	const values = url.searchParams.getAll(name)
	if (values.length > 1) throw refuse(`\`${name}\` stands more than once`)
	return values[0]
}

/** Schemes that a system or a browser handles itself, so that none of them leads back to a program that wants to be paired. */
const systemScheme =
	/^(?:https?|wss?|ftps?|sftp|ssh|telnet|smb|nfs|file|data|blob|javascript|vbscript|about|mailto|tel|sms|facetime|intent|shell|help|view-source|search|search-ms|ms-.*|x-apple.*|roundhouse):$/

/**
 * The answer goes to a program on this machine: to a loopback address, or to a scheme of its own (RFC 8252). Anything
 * else would hand the code to whoever owns the address.
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
