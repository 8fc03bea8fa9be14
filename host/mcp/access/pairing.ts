import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { Emitter } from '../../../base/emitter.ts'
import { type Clock, type Expiry, expiryIn, hasExpired, systemClock } from '../protocol/clock.ts'
import { type PairingRequest, pairingErrors, parsePairingLink } from './pairing-link.ts'
import { expiryOf } from './token-lifetime.ts'
import { type NewToken, type TokenDraft, type Tokens, tokenErrors } from './tokens.ts'

/** A pairing request that waits for the user's answer. */
export interface PendingPairing extends Omit<PairingRequest, 'challenge'> {
	readonly id: string
	/** ISO 8601. The program must start again after this time. */
	readonly expiresAt: string
}

/** The permissions that the user gives the program. */
export type PairingGrant = Omit<TokenDraft, 'name'> & {
	/** The token's name. Default: the name of the program. */
	readonly name?: string
}

/** An approval: the code and its destination. Without a redirect the user copies the code into the program. */
export interface PairingAnswer {
	readonly code: string
	readonly expiresAt: string
	readonly redirect: string | undefined
}

interface PendingEntry {
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
const maxWrongVerifiers = 3
/** Upper limit of waiting requests, because any web page can open pairing links. */
const maxPending = 5

/**
 * Gives an external program a token that only this program can fetch (docs/mcp.md, "Pairing"). The program sends the
 * hash of a verifier, and the user chooses its permissions. The resulting code is useless without the verifier, so
 * another program that reads the link or intercepts the redirect gets no token. The token is created when it is
 * fetched, so that an abandoned approval leaves nothing behind.
 *
 * Independent of windows and HTTP. The state is in memory only: a restart ends all open requests.
 */
export class Pairing {
	readonly #tokens: Pick<Tokens, 'create'>
	readonly #clock: Clock
	readonly #pending = new Map<string, PendingEntry>()
	/** By the digest of the code. */
	readonly #approved = new Map<string, Approved>()
	readonly #changed = new Emitter()
	/** Fires when a request arrives or is answered. */
	readonly onChange = this.#changed.on

	constructor(tokens: Pick<Tokens, 'create'>, clock: Clock = systemClock) {
		this.#tokens = tokens
		this.#clock = clock
	}

	/** @throws HostError `pairing/link_invalid` */
	parseLink(url: string): PairingRequest {
		return parsePairingLink(url)
	}

	/** Shows the request to the user. A repeated request is shown once. @throws HostError `pairing/too_many` */
	begin(request: PairingRequest): PendingPairing {
		this.#removeExpired()
		const known = [...this.#pending].find(([, asked]) => asked.request.challenge === request.challenge)
		if (known) return pendingOf(...known)
		if (this.#pending.size >= maxPending) throw pairingErrors.make('too_many')
		const id = randomUUID()
		const asked = { request, expiry: expiryIn(this.#clock, lifetimeMs) }
		this.#pending.set(id, asked)
		this.#changed.fire()
		return pendingOf(id, asked)
	}

	/** Returns the requests that wait for an answer, oldest first. */
	pending(): readonly PendingPairing[] {
		this.#removeExpired()
		return [...this.#pending].map(entry => pendingOf(...entry))
	}

	/** Approves a request. @throws HostError `pairing/unknown`, `token/lifetime_invalid` */
	approve(id: string, grant: PairingGrant): PairingAnswer {
		const { expires = 'never' } = grant
		if (expiryOf(expires, this.#clock.now()) === undefined)
			throw tokenErrors.make('lifetime_invalid', { text: expires })
		const { challenge, client, redirect } = this.#remove(id)
		const code = randomBytes(32).toString('base64url')
		const expiry = expiryIn(this.#clock, lifetimeMs)
		const draft = { ...grant, name: grant.name ?? client }
		this.#approved.set(digestOf(code), { challenge, draft, expiry, wrongVerifiers: 0 })
		return { code, expiresAt: new Date(expiry.at).toISOString(), redirect: withCode(redirect, code) }
	}

	/**
	 * Refuses a request. The program is not notified, because the user has not agreed to call the address in the link.
	 * @throws HostError `pairing/unknown`
	 */
	refuse(id: string): void {
		this.#remove(id)
	}

	/**
	 * Creates the token of an approved program, which must present the verifier.
	 * @throws HostError `pairing/code_invalid`, `pairing/verifier_wrong`; `token/scope_invalid`
	 */
	exchange(code: string, verifier: string): Promise<NewToken> {
		this.#removeExpired()
		const key = digestOf(code)
		const approved = this.#approved.get(key)
		if (!approved) throw pairingErrors.make('code_invalid')
		if (!verifies(verifier, approved.challenge)) {
			const left = maxWrongVerifiers - ++approved.wrongVerifiers
			if (left === 0) this.#approved.delete(key)
			throw pairingErrors.make('verifier_wrong', { left })
		}
		// Deleted before the first `await`, so that only one of two concurrent calls gets the token.
		this.#approved.delete(key)
		return this.#tokens.create(approved.draft)
	}

	#remove(id: string): PairingRequest {
		this.#removeExpired()
		const asked = this.#pending.get(id)
		if (!asked) throw pairingErrors.make('unknown')
		this.#pending.delete(id)
		this.#changed.fire()
		return asked.request
	}

	#removeExpired(): void {
		for (const open of [this.#pending, this.#approved]) {
			for (const [key, { expiry }] of open) if (hasExpired(this.#clock, expiry)) open.delete(key)
		}
	}
}

function pendingOf(id: string, { request: { client, redirect }, expiry }: PendingEntry): PendingPairing {
	return { id, client, redirect, expiresAt: new Date(expiry.at).toISOString() }
}

function digestOf(code: string): string {
	return createHash('sha256').update(code).digest('base64url')
}

/** Checks a verifier by method "S256" of RFC 7636, which also sets the minimum length. */
function verifies(verifier: string, challenge: string): boolean {
	if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false
	return timingSafeEqual(Buffer.from(digestOf(verifier)), Buffer.from(challenge))
}

function withCode(redirect: string | undefined, code: string): string | undefined {
	if (redirect === undefined) return undefined
	const url = new URL(redirect)
	url.searchParams.set('code', code)
	return url.href
}
