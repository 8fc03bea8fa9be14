import type { Caller, Credentials } from '../protocol/caller.ts'
import { ProtocolError, retryAfter } from '../protocol/errors.ts'
import type { Lockouts } from './lockouts.ts'
import { levels } from './scopes.ts'
import { tokenDigest } from './token-format.ts'
import type { Tokens } from './tokens.ts'

export interface AuthenticationOptions {
	readonly realm: string
	readonly isRequired: () => boolean
	readonly isBridgeToken: (tokenId: string) => boolean
}

/** Identifies callers (contract, "Authentication" 1 to 4), and counts failed attempts. */
export class Authenticator {
	readonly #tokens: Tokens
	readonly #lockouts: Lockouts
	readonly #options: AuthenticationOptions
	/** By connection, what its last request sent, because a client sends the same header with each request. */
	readonly #digests = new WeakMap<object, { readonly authorization: string; readonly digest: string | undefined }>()

	constructor(tokens: Tokens, lockouts: Lockouts, options: AuthenticationOptions) {
		this.#tokens = tokens
		this.#lockouts = lockouts
		this.#options = options
	}

	/** @throws ProtocolError `unauthenticated`, `token_expired`, `rate_limited` */
	identify({ authorization, connection, address, bridgeId }: Credentials): Caller {
		if (authorization === undefined) {
			this.confirm(anonymous)
			return { ...anonymous, groups: new Set(this.#tokens.bridgeGroups) }
		}
		const digest = this.#digestOf(authorization, connection)
		const suspect = digest ?? address
		this.#refuseLocked(suspect)
		const found = digest === undefined ? ({ status: 'unknown' } as const) : this.#tokens.authenticate(digest)
		if (found.status !== 'accepted') {
			this.#lockouts.fail(suspect)
			throw refusals[found.status]()
		}
		this.#lockouts.succeed(suspect)
		const { caller } = found
		const isBridge =
			bridgeId !== undefined && caller.tokenId !== undefined && this.#options.isBridgeToken(caller.tokenId)
		return isBridge ? { ...caller, isBridge, key: `${caller.key} ${bridgeId.slice(0, 64)}` } : caller
	}

	/**
	 * Checks an accepted caller again. Called after each wait, because the token may have expired or been revoked
	 * meanwhile.
	 * @throws ProtocolError `unauthenticated`, `token_expired`
	 */
	confirm(caller: Caller): void {
		if (caller.tokenId === undefined) {
			if (!this.#options.isRequired()) return
			throw new ProtocolError('unauthenticated', undefined, {
				headers: { 'WWW-Authenticate': `Bearer realm="${this.#options.realm}"` },
			})
		}
		const status = this.#tokens.statusOf(caller)
		if (status !== 'accepted') throw refusals[status]()
	}

	#digestOf(authorization: string, connection: object): string | undefined {
		const known = this.#digests.get(connection)
		if (known?.authorization === authorization) return known.digest
		const token = /^Bearer +([^\s]+)$/i.exec(authorization)?.[1]
		const digest = token === undefined ? undefined : tokenDigest(token)
		this.#digests.set(connection, { authorization, digest })
		return digest
	}

	#refuseLocked(suspect: string): void {
		const remainingMs = this.#lockouts.remainingMs(suspect)
		if (remainingMs === 0) return
		const seconds = Math.ceil(remainingMs / 1000)
		const message = 'Too many failed authentications. Check the token, then wait.'
		throw new ProtocolError('rate_limited', message, retryAfter(seconds))
	}
}

/** The caller of requests without a token while authentication is off. It can only read, and cannot get more scopes. */
const anonymous: Caller = {
	key: 'anonymous',
	tokenId: undefined,
	grantee: 'anonymous',
	name: 'Anonymous',
	scopes: new Set(levels['read-only']),
	groups: undefined,
	connections: undefined,
	expiresAt: undefined,
}

const refusals = {
	unknown: () =>
		new ProtocolError('unauthenticated', 'This access token is unknown or was revoked.', {
			headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
		}),
	expired: () =>
		new ProtocolError('token_expired', undefined, {
			headers: { 'WWW-Authenticate': 'Bearer error="invalid_token", error_description="token expired"' },
		}),
}
