import { randomUUID } from 'node:crypto'
import { toolGroupSchema } from '@roundhouse/kit/manifest'
import { type ToolGroup, toolGroups } from '@roundhouse/kit/tool-groups'
import { z } from 'zod'
import { Emitter } from '../../../base/emitter.ts'
import { defineErrors } from '../../../base/errors.ts'
import { JsonStore } from '../../../base/json-store.ts'
import type { Caller } from '../protocol/caller.ts'
import { type Clock, systemClock } from '../protocol/clock.ts'
import { defaultGroups } from './groups.ts'
import { coreScopes, isScope, type Level, levelNames, levels, type Scope } from './scopes.ts'
import { newToken, tokenDigest } from './token-format.ts'
import { expiryOf } from './token-lifetime.ts'

export const tokenErrors = defineErrors('token', {
	unknown: 'There is no token {id}. `roundhouse token list` shows them.',
	scope_invalid: `There is no scope "{scope}". Scopes are ${coreScopes.join(', ')}.`,
	scope_missing: `A token needs a level (${levelNames.join(', ')}) or at least one scope.`,
	lifetime_invalid: '"{text}" is not a valid lifetime. Use 30d, 12h, 15m, 90s or never.',
})

const tokenSchema = z.object({
	id: z.string(),
	name: z.string().min(1),
	/** SHA-256 of the token. The token itself is shown once and never stored. */
	digest: z.string().length(64),
	scopes: z.array(z.custom<Scope>(value => typeof value === 'string' && isScope(value))),
	/** Tool groups of the token; `null` for all that its scopes allow, for tokens from before groups existed. */
	groups: z.array(toolGroupSchema).nullable().default(null),
	/** Ids of the allowed connections; `null` for all. */
	connections: z.array(z.string()).nullable(),
	createdAt: z.iso.datetime(),
	expiresAt: z.iso.datetime().nullable(),
	revokedAt: z.iso.datetime().nullable(),
	lastUsedAt: z.iso.datetime().nullable(),
})
type StoredToken = z.infer<typeof tokenSchema>
/** A token without its digest, for lists. */
export type TokenInfo = Readonly<Omit<StoredToken, 'digest'>>

const fileSchema = z.object({
	version: z.literal(1),
	tokens: z.array(tokenSchema),
	/** Settings of clients without their own token, which use the bridge. */
	bridge: z.object({ groups: z.array(toolGroupSchema) }).default({ groups: [...defaultGroups] }),
})
type TokensFile = z.infer<typeof fileSchema>

/** Stands for the token of all bridges, which is renewed every hour. */
export const bridgeId = 'bridge'

export interface TokenDraft {
	readonly name: string
	/** `custom` has no scopes by itself: they are given one by one. */
	readonly level: Level | 'custom'
	/** Scopes in addition to those of the level. */
	readonly scopes?: readonly string[] | undefined
	/** Tool groups. Default: {@link defaultGroups}. */
	readonly groups?: readonly ToolGroup[] | undefined
	/** Ids of the allowed connections. Default: all. */
	readonly connections?: readonly string[] | undefined
	/** `30d`, `12h`, `15m`, `90s` or `never`. Default: `never`. */
	readonly expires?: string | undefined
}

/** A new token with its text, which is never available again. */
export interface NewToken extends TokenInfo {
	readonly token: string
}

export type Authentication =
	| { readonly status: 'accepted'; readonly caller: Caller }
	| { readonly status: 'expired' }
	| { readonly status: 'unknown' }

interface Entry {
	readonly token: StoredToken
	readonly caller: Caller
}

const lastUseIntervalMs = 60_000

const withChange =
	(id: string, change: Partial<StoredToken>) =>
	(file: TokensFile): TokensFile => ({
		...file,
		tokens: file.tokens.map(token => (token.id === id ? { ...token, ...change } : token)),
	})

/** The access tokens, in `tokens.json`. */
export class Tokens {
	readonly #store: JsonStore<TokensFile>
	readonly #clock: Clock
	readonly #ephemeral = new Map<string, { readonly stored: StoredToken; readonly grantee: string }>()
	readonly #created = new Emitter<TokenInfo>()
	readonly #revoked = new Emitter<string>()
	/** Fires when a stored token is created, not for ephemeral tokens. */
	readonly onCreated = this.#created.on
	/** Fires with the id of a revoked token. */
	readonly onRevoked = this.#revoked.on
	readonly #lastUse = new Map<string, number>()
	#byDigest: ReadonlyMap<string, Entry> = new Map()
	/** By the id of the token, or by {@link bridgeId}. */
	#callers: ReadonlyMap<string, Caller> = new Map()
	#live: ReadonlySet<string> = new Set()

	private constructor(store: JsonStore<TokensFile>, clock: Clock) {
		this.#store = store
		this.#clock = clock
		this.#index()
		store.onChange(() => this.#index())
	}

	static async open(path: string, clock: Clock = systemClock): Promise<Tokens> {
		const empty: TokensFile = { version: 1, tokens: [], bridge: { groups: [...defaultGroups] } }
		return new Tokens(await JsonStore.open(path, fileSchema, empty), clock)
	}

	list(): readonly TokenInfo[] {
		return this.#store.value.tokens.map(infoOf)
	}

	/** @throws HostError `token/scope_invalid`, `token/lifetime_invalid` */
	async create(draft: TokenDraft): Promise<NewToken> {
		const { token, stored } = this.#make(draft)
		await this.#store.update(file => ({ ...file, tokens: [...file.tokens, stored] }))
		this.#created.fire(infoOf(stored))
		return { ...infoOf(stored), token }
	}

	/** Creates a token that is never stored and ends with this process, for the bridge (docs/mcp.md, "The bridge"). */
	createEphemeral(draft: TokenDraft, grantee: string): NewToken {
		const { token, stored } = this.#make(draft)
		this.#ephemeral.set(stored.id, { stored, grantee })
		this.#index()
		return { ...infoOf(stored), token }
	}

	/** The tool groups of clients without their own token. */
	get bridgeGroups(): readonly ToolGroup[] {
		return this.#store.value.bridge.groups
	}

	/**
	 * Sets the tool groups of a token or of the bridge. They apply from its next request. @throws HostError
	 * `token/unknown`
	 */
	async setGroups(id: string, wanted: readonly ToolGroup[]): Promise<void> {
		const groups = toolGroups.filter(group => wanted.includes(group))
		if (id !== bridgeId) this.#requireKnown(id)
		await this.#store.update(file =>
			id === bridgeId ? { ...file, bridge: { groups } } : withChange(id, { groups })(file),
		)
	}

	/** Returns the tool groups of a token or of the bridge. @throws HostError `token/unknown` */
	groupsOf(id: string): readonly ToolGroup[] {
		const { groups } = this.callerOf(id)
		return toolGroups.filter(group => groups?.has(group) ?? true)
	}

	/** Returns the caller of a token or of the bridge. @throws HostError `token/unknown` */
	callerOf(id: string): Caller {
		const caller = this.#callers.get(id)
		if (!caller) throw tokenErrors.make('unknown', { id })
		return caller
	}

	/** Revokes a token and cancels its requests in flight. @throws HostError `token/unknown` */
	async revoke(id: string): Promise<void> {
		const isEphemeral = this.#ephemeral.delete(id)
		if (isEphemeral) this.#index()
		// The token is refused from here on, even if the write fails.
		const written = isEphemeral ? undefined : this.#revokeStored(id)
		this.#revoked.fire(id)
		await written
	}

	/** Finds a token by its digest (token-format.ts), so that the duration does not depend on the stored tokens. */
	authenticate(digest: string): Authentication {
		const entry = this.#byDigest.get(digest)
		if (!entry || entry.token.revokedAt !== null) return { status: 'unknown' }
		if (this.#hasExpired(entry.caller)) return { status: 'expired' }
		this.#noteUse(entry.token.id, this.#clock.now())
		return { status: 'accepted', caller: entry.caller }
	}

	/** Resolves when the times of last use are written. */
	flush(): Promise<void> {
		return this.#store.flush()
	}

	/** Returns the current status of a caller that was accepted before. */
	statusOf(caller: Caller): Authentication['status'] {
		if (caller.tokenId === undefined || !this.#live.has(caller.tokenId)) return 'unknown'
		return this.#hasExpired(caller) ? 'expired' : 'accepted'
	}

	/** Whether the token exists and is not revoked. */
	isLive(id: string): boolean {
		return this.#live.has(id)
	}

	#hasExpired({ expiresAt }: Caller): boolean {
		return expiresAt !== undefined && expiresAt <= this.#clock.now()
	}

	#make(draft: TokenDraft): { token: string; stored: StoredToken } {
		for (const scope of draft.scopes ?? []) if (!isScope(scope)) throw tokenErrors.make('scope_invalid', { scope })
		const expires = draft.expires ?? 'never'
		const expiresAt = expiryOf(expires, this.#clock.now())
		if (expiresAt === undefined) throw tokenErrors.make('lifetime_invalid', { text: expires })
		const token = newToken()
		const scopes = new Set<Scope>([
			...(draft.level === 'custom' ? [] : levels[draft.level]),
			...(draft.scopes ?? []).filter(isScope),
		])
		const stored: StoredToken = {
			id: randomUUID(),
			name: draft.name,
			digest: tokenDigest(token),
			scopes: [...scopes],
			groups: [...(draft.groups ?? defaultGroups)],
			connections: draft.connections ? [...draft.connections] : null,
			createdAt: new Date(this.#clock.now()).toISOString(),
			expiresAt,
			revokedAt: null,
			lastUsedAt: null,
		}
		return { token, stored }
	}

	#revokeStored(id: string): Promise<unknown> {
		this.#requireKnown(id)
		return this.#store.narrow(withChange(id, { revokedAt: new Date(this.#clock.now()).toISOString() }))
	}

	#requireKnown(id: string): void {
		if (!this.#store.value.tokens.some(token => token.id === id)) throw tokenErrors.make('unknown', { id })
	}

	/** Stores the time of last use, at most once a minute. A lost write only makes that time less exact. */
	#noteUse(id: string, now: number): void {
		if (this.#ephemeral.has(id) || now - (this.#lastUse.get(id) ?? 0) < lastUseIntervalMs) return
		this.#lastUse.set(id, now)
		this.#store.update(withChange(id, { lastUsedAt: new Date(now).toISOString() })).catch(() => {})
	}

	#index(): void {
		const stored = this.#store.value.tokens.map(token => ({ token, caller: callerOf(token, token.id) }))
		const groups = [...this.bridgeGroups]
		const ephemeral = [...this.#ephemeral.values()].map(({ stored: token, grantee }) => ({
			token,
			caller: callerOf({ ...token, groups }, grantee),
		}))
		const entries = [...stored, ...ephemeral]
		this.#callers = new Map(entries.map(({ caller }) => [caller.grantee, caller]))
		this.#byDigest = new Map(entries.map(entry => [entry.token.digest, entry]))
		this.#live = new Set(entries.filter(({ token }) => token.revokedAt === null).map(({ token }) => token.id))
	}
}

function callerOf(token: StoredToken, grantee: string): Caller {
	return {
		key: token.id,
		tokenId: token.id,
		grantee,
		name: token.name,
		scopes: new Set(token.scopes),
		groups: token.groups === null ? undefined : new Set(token.groups),
		connections: token.connections === null ? undefined : new Set(token.connections),
		expiresAt: token.expiresAt === null ? undefined : Date.parse(token.expiresAt),
	}
}

function infoOf({ digest: _, ...info }: StoredToken): TokenInfo {
	return info
}
