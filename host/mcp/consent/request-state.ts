import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { isExactNumber, type Json, type JsonObject, parseJson, stringifyJson } from '@roundhouse/kit'
import { CompactSign, compactVerify } from 'jose'
import { z } from 'zod'
import { type Clock, type Expiry, expiryIn, hasExpired } from '../protocol/clock.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { McpCall } from '../protocol/method.ts'
import type { StateFile } from './state-file.ts'

/** Contract, "Limits": `requestState` lifetime. */
const lifetimeMs = 5 * 60_000

/** The call that a state is bound to. It is invalid for any other call. */
export interface StateBinding {
	readonly callerKey: string
	readonly method: string
	readonly params: JsonObject
	/** Identity of the connection of the call (connection-identity.ts), if it is known. */
	readonly connection?: string | undefined
}

export function bindingOf({
	call,
	params,
	connection,
}: {
	readonly call: McpCall
	readonly params: JsonObject
	readonly connection?: string | undefined
}): StateBinding {
	return { callerKey: call.caller.key, method: call.method, params, connection }
}

/** `consent`: the endpoint asked whether a statement may run. `driver`: a driver asked, with its own state. */
export interface StateContent {
	readonly purpose: 'consent' | 'driver'
	/** The driver's state, or a digest of the statement in question. */
	readonly state?: Json
	/** The user approved this call before the driver asked, so the next round does not ask again. */
	readonly isConsented?: boolean
}

/** A returned state, with the identity of the connection at its creation. */
export interface ReturnedState extends StateContent {
	readonly connection: string | undefined
}

/** Members that differ between the rounds of one call, so the digest ignores them. */
const volatile: ReadonlySet<string> = new Set(['_meta', 'requestState', 'inputResponses'])

const claimsSchema = z.object({
	purpose: z.enum(['consent', 'driver']),
	state: z.custom<Json>(() => true).optional(),
	isConsented: z.boolean().optional(),
	id: z.string(),
	caller: z.string(),
	method: z.string(),
	connection: z.string().optional(),
	digest: z.string(),
	expiry: z.object({ at: z.number(), atElapsed: z.number() }),
})
type Claims = z.infer<typeof claimsSchema>

/**
 * Signs the state of a call between its rounds, because the modern era has no sessions (contract, "`input_required`
 * result": signed, bound to the token, the method and a digest of the parameters, 5 minutes).
 *
 * The client stores the state and may be hostile: it could alter it, keep it, or replay one consent for two executions.
 * So the key is a secret of this machine, and each state is valid once. A repeated call asks again.
 */
export class RequestStates {
	readonly #clock: Clock
	#file: StateFile | undefined
	#key: Promise<Buffer> | undefined
	/**
	 * Ids of used states, until they expire. By the monotonic clock, because a machine's clock that is set forward and
	 * back would allow a second use.
	 */
	readonly #used = new Map<string, Expiry>()
	/** Writes follow each other, so that a later one is not replaced by an earlier one. */
	#written: Promise<void> = Promise.resolve()

	/** @param file where states outlive the host. Without it, the key exists only in this process. */
	constructor(clock: Clock, file?: StateFile) {
		this.#clock = clock
		this.#file = file
	}

	async sign(binding: StateBinding, content: StateContent): Promise<string> {
		const claims = {
			...content,
			id: randomUUID(),
			caller: binding.callerKey,
			method: binding.method,
			...(binding.connection !== undefined && { connection: binding.connection }),
			digest: paramsDigest(binding.params),
			expiry: { ...expiryIn(this.#clock, lifetimeMs) },
		} satisfies Claims
		return new CompactSign(new TextEncoder().encode(stringifyJson(claims)))
			.setProtectedHeader({ alg: 'HS256' })
			.sign(await this.#signingKey())
	}

	/** Verifies a state and marks it as used. @throws ProtocolError `invalid_params` */
	async open(text: string, binding: StateBinding): Promise<ReturnedState> {
		const claims = await this.#verify(text)
		const isBound =
			claims?.caller === binding.callerKey &&
			claims.method === binding.method &&
			claims.digest === paramsDigest(binding.params)
		if (!claims || !isBound) throw refused('does not belong to this call. Send the call again without it')
		const { id, expiry, purpose, state, isConsented, connection } = claims
		if (!this.#isValid(expiry)) throw refused('has expired')
		for (const [usedId, until] of this.#used) {
			if (until.atElapsed <= this.#clock.elapsed()) this.#used.delete(usedId)
		}
		if (this.#used.has(id)) throw refused('was used already')
		this.#used.set(id, expiry)
		// Before anything runs: another host must know it.
		await this.#write(await this.#signingKey())
		return { purpose, connection, ...(state !== undefined && { state }), isConsented: isConsented === true }
	}

	/** A state with a later start than now is from before a restart of the machine, whose monotonic clock began again. */
	#isValid(expiry: Expiry): boolean {
		return !hasExpired(this.#clock, expiry) && expiry.atElapsed - lifetimeMs <= this.#clock.elapsed()
	}

	#signingKey(): Promise<Buffer> {
		this.#key ??= this.#readKey()
		return this.#key
	}

	async #readKey(): Promise<Buffer> {
		const fresh = randomBytes(32)
		try {
			const kept = await this.#file?.read()
			for (const { id, expiry } of kept?.used ?? []) this.#used.set(id, expiry)
			if (kept) return Buffer.from(kept.signingKey, 'base64')
			await this.#write(fresh)
		} catch {
			// A locked store of secrets, or a full disk: the states of this host end with it.
			this.#file = undefined
		}
		return fresh
	}

	async #write(signingKey: Buffer): Promise<void> {
		const file = this.#file
		if (!file) return
		const write = () =>
			file.write({
				signingKey: signingKey.toString('base64'),
				used: [...this.#used].map(([id, expiry]) => ({ id, expiry })),
			})
		this.#written = this.#written.then(write, write)
		await this.#written
	}

	async #verify(text: string): Promise<Claims | undefined> {
		try {
			const { payload } = await compactVerify(text, await this.#signingKey(), { algorithms: ['HS256'] })
			return claimsSchema.parse(parseJson(new TextDecoder().decode(payload)))
		} catch {
			// Not signed on this machine, or malformed.
			return undefined
		}
	}
}

function refused(reason: string): ProtocolError {
	return new ProtocolError('invalid_params', `\`requestState\` ${reason}.`)
}

/** Returns a digest of the params of a call in canonical JSON, independent of the order of keys. */
function paramsDigest(params: JsonObject): string {
	const lasting = Object.fromEntries(Object.entries(params).filter(([key]) => !volatile.has(key)))
	return createHash('sha256').update(canonical(lasting)).digest('base64url')
}

function canonical(value: Json): string {
	if (typeof value !== 'object' || value === null || isExactNumber(value)) return JSON.stringify(value)
	if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
	const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
	return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`
}
