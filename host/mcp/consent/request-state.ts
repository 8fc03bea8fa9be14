import { randomBytes, randomUUID } from 'node:crypto'
import { type Json, type JsonObject, parseJson, stringifyJson } from '@roundhouse/kit'
import { CompactSign, compactVerify } from 'jose'
import { z } from 'zod'
import { type Clock, expiryIn, hasExpired } from '../protocol/clock.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { McpCall } from '../protocol/method.ts'
import { paramsDigest } from './params-digest.ts'

/** Contract, "Limits": `requestState` lifetime. */
const lifetimeMs = 5 * 60_000

/** What a state belongs to; it is worth nothing anywhere else. */
export interface StateBinding {
	readonly callerKey: string
	readonly method: string
	readonly params: JsonObject
	/** The connection that the call is for, once that is known: the parameters may leave it out. */
	readonly connectionId?: string | undefined
}

export function bindingOf({
	call,
	params,
	connectionId,
}: {
	readonly call: McpCall
	readonly params: JsonObject
	readonly connectionId?: string | undefined
}): StateBinding {
	return { callerKey: call.caller.key, method: call.method, params, connectionId }
}

/** `consent`: the endpoint asked whether a statement may run. `driver`: a driver asked, with a state of its own. */
export interface StateContent {
	readonly purpose: 'consent' | 'driver'
	/** The driver's own; or a digest of the statement that was asked about. */
	readonly state?: Json
	/** The user agreed to this call before the driver asked: it is not asked for again in the next round. */
	readonly isConsented?: boolean
}

/** A state that came back, and the connection it was given for. */
export interface ReturnedState extends StateContent {
	readonly connectionId: string | undefined
}

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
 * Signs what a call must remember between its rounds, because the modern era keeps no sessions (contract,
 * "`input_required` result": signed, bound to the token, the method and a digest of the parameters, 5 minutes).
 *
 * The client holds the state and may be hostile: it could alter it, keep it, or play one consent for two executions.
 * So the key lives only in this process, and each state works once; who repeats a call must be asked again.
 */
export class RequestStates {
	readonly #key = randomBytes(32)
	readonly #clock: Clock
	/**
	 * Ids of the states that were used, until they would have expired anyway: by the monotonic clock, because a
	 * machine's clock that is set forward and back would make a state good for another use.
	 */
	readonly #used = new Map<string, number>()

	constructor(clock: Clock) {
		this.#clock = clock
	}

	sign(binding: StateBinding, content: StateContent): Promise<string> {
		const claims = {
			...content,
			id: randomUUID(),
			caller: binding.callerKey,
			method: binding.method,
			...(binding.connectionId !== undefined && { connection: binding.connectionId }),
			digest: paramsDigest(binding.params),
			expiry: { ...expiryIn(this.#clock, lifetimeMs) },
		} satisfies Claims
		return new CompactSign(new TextEncoder().encode(stringifyJson(claims)))
			.setProtectedHeader({ alg: 'HS256' })
			.sign(this.#key)
	}

	/** Opens a state and uses it up. @throws ProtocolError `invalid_params` */
	async open(text: string, binding: StateBinding): Promise<ReturnedState> {
		const claims = await this.#verify(text)
		const isBound =
			claims?.caller === binding.callerKey &&
			claims.method === binding.method &&
			claims.digest === paramsDigest(binding.params)
		if (!claims || !isBound) throw refused('does not belong to this call. Send the call again without it')
		const { id, expiry, purpose, state, isConsented, connection: connectionId } = claims
		if (hasExpired(this.#clock, expiry)) throw refused('has expired')
		for (const [usedId, until] of this.#used) if (until <= this.#clock.elapsed()) this.#used.delete(usedId)
		if (this.#used.has(id)) throw refused('was used already')
		this.#used.set(id, expiry.atElapsed)
		return { purpose, connectionId, ...(state !== undefined && { state }), isConsented: isConsented === true }
	}

	async #verify(text: string): Promise<Claims | undefined> {
		try {
			const { payload } = await compactVerify(text, this.#key, { algorithms: ['HS256'] })
			return claimsSchema.parse(parseJson(new TextDecoder().decode(payload)))
		} catch {
			// Whatever is wrong with it, it is not ours.
			return undefined
		}
	}
}

function refused(reason: string): ProtocolError {
	return new ProtocolError('invalid_params', `\`requestState\` ${reason}.`)
}
