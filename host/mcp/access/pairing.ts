import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { Emitter } from '../../base/emitter.ts'
import { type Clock, type Expiry, expiryIn, hasExpired, systemClock } from '../protocol/clock.ts'
import { type PairingRequest, pairingErrors, parsePairingLink } from './pairing-link.ts'
import { expiryOf } from './token-lifetime.ts'
import { type NewToken, type TokenDraft, type Tokens, tokenErrors } from './tokens.ts'

/** A program that waits for the person's answer. */
export interface PendingPairing extends Omit<PairingRequest, 'challenge'> {
	readonly id: string
	/** ISO 8601; who waits longer has to ask again. */
	readonly expiresAt: string
}

/** What the person lets the program have. */
export type PairingGrant = Omit<TokenDraft, 'name'> & {
	/** The token's name; the program's own unless the person chose another. */
	readonly name?: string
}

/** A yes: the code, and where to take it; without a redirect the person copies it into the program. */
export interface PairingAnswer {
	readonly code: string
	readonly expiresAt: string
	readonly redirect: string | undefined
}

interface Asked {
	readonly request: PairingRequest
	readonly expiry: Expiry
}

interface Approved {
	readonly challenge: string
	readonly draft: TokenDraft
	readonly expiry: Expiry
	wrongVerifiers: number
}

const lifetimeMs = 5 * 60_000
const mostWrongVerifiers = 3
/** Any web page can open links; the person must not drown in questions. */
const mostPending = 5

/**
 * Gives an external program a token that only it can fetch (docs/mcp.md, "Pairing"). The program shows the hash of a
 * verifier, the person says what it may do, and the code that comes of it is worth nothing without the verifier. So
 * whoever reads the link, or catches the redirect, has neither half that counts. The token is made when it is fetched:
 * an answer that nobody comes for leaves nothing behind.
 *
 * Knows neither windows nor HTTP. Held in memory alone: a restart ends all that is open.
 */
export class Pairing {
	readonly #tokens: Pick<Tokens, 'create'>
	readonly #clock: Clock
	readonly #asked = new Map<string, Asked>()
	/** By the digest of the code. */
	readonly #approved = new Map<string, Approved>()
	readonly #changed = new Emitter()
	/** Tells when a request comes or is answered. */
	readonly onChange = this.#changed.on

	constructor(tokens: Pick<Tokens, 'create'>, clock: Clock = systemClock) {
		this.#tokens = tokens
		this.#clock = clock
	}

	/** @throws HostError `pairing/link_invalid` */
	parseLink(url: string): PairingRequest {
		return parsePairingLink(url)
	}

	/** Puts the request before the person; the same one twice is one. @throws HostError `pairing/too_many` */
	begin(request: PairingRequest): PendingPairing {
		this.#forgetOld()
		const known = [...this.#asked].find(([, asked]) => asked.request.challenge === request.challenge)
		if (known) return pendingOf(...known)
		if (this.#asked.size >= mostPending) throw pairingErrors.make('too_many')
		const id = randomUUID()
		const asked = { request, expiry: expiryIn(this.#clock, lifetimeMs) }
		this.#asked.set(id, asked)
		this.#changed.fire()
		return pendingOf(id, asked)
	}

	/** Those that wait for an answer, the oldest first. */
	pending(): readonly PendingPairing[] {
		this.#forgetOld()
		return [...this.#asked].map(entry => pendingOf(...entry))
	}

	/** The person says yes. @throws HostError `pairing/unknown`, `token/lifetime_invalid` */
	approve(id: string, grant: PairingGrant): PairingAnswer {
		const { expires = 'never' } = grant
		if (expiryOf(expires, this.#clock.now()) === undefined)
			throw tokenErrors.make('lifetime_invalid', { text: expires })
		const { challenge, client, redirect } = this.#take(id)
		const code = randomBytes(32).toString('base64url')
		const expiry = expiryIn(this.#clock, lifetimeMs)
		const draft = { ...grant, name: grant.name ?? client }
		this.#approved.set(digestOf(code), { challenge, draft, expiry, wrongVerifiers: 0 })
		return { code, expiresAt: new Date(expiry.at).toISOString(), redirect: withCode(redirect, code) }
	}

	/**
	 * The person says no. The program is not told: an address that only a link has named, and nobody agreed to, is not
	 * called for any reason. @throws HostError `pairing/unknown`
	 */
	refuse(id: string): void {
		this.#take(id)
	}

	/**
	 * The program fetches its token with what only it knows.
	 * @throws HostError `pairing/code_invalid`, `pairing/verifier_wrong`; `token/scope_invalid`
	 */
	exchange(code: string, verifier: string): Promise<NewToken> {
		this.#forgetOld()
		const key = digestOf(code)
		const approved = this.#approved.get(key)
		if (!approved) throw pairingErrors.make('code_invalid')
		if (!fits(verifier, approved.challenge)) {
			const left = mostWrongVerifiers - ++approved.wrongVerifiers
			if (left === 0) this.#approved.delete(key)
			throw pairingErrors.make('verifier_wrong', { left })
		}
		// Gone before anything is awaited: of two that come at once one gets the token.
		this.#approved.delete(key)
		return this.#tokens.create(approved.draft)
	}

	#take(id: string): PairingRequest {
		this.#forgetOld()
		const asked = this.#asked.get(id)
		if (!asked) throw pairingErrors.make('unknown')
		this.#asked.delete(id)
		this.#changed.fire()
		return asked.request
	}

	#forgetOld(): void {
		for (const open of [this.#asked, this.#approved]) {
			for (const [key, { expiry }] of open) if (hasExpired(this.#clock, expiry)) open.delete(key)
		}
	}
}

function pendingOf(id: string, { request: { client, redirect }, expiry }: Asked): PendingPairing {
	return { id, client, redirect, expiresAt: new Date(expiry.at).toISOString() }
}

function digestOf(code: string): string {
	return createHash('sha256').update(code).digest('base64url')
}

/** As RFC 7636 has it, "S256"; a verifier shorter than that would be a password. */
function fits(verifier: string, challenge: string): boolean {
	if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false
	return timingSafeEqual(Buffer.from(digestOf(verifier)), Buffer.from(challenge))
}

function withCode(redirect: string | undefined, code: string): string | undefined {
	if (redirect === undefined) return undefined
	const url = new URL(redirect)
	url.searchParams.set('code', code)
	return url.href
}
