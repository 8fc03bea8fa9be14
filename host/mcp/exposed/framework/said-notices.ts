import { createHash } from 'node:crypto'
import type { Json, JsonObject } from '@roundhouse/kit'
import type { Caller } from '../../protocol/caller.ts'
import { type Clock, type Expiry, expiryIn, hasExpired } from '../../protocol/clock.ts'

/** How long a caller is taken to remember a notice, and how many notices are remembered for all callers. */
const [sessionMs, mostRemembered] = [60 * 60_000, 2_000]
/** A notice up to this length is repeated: a reference to it would be no shorter. */
const shortLength = 80
const beginningLength = 40

/**
 * Says a long notice in full once a session, and then only its beginning, because drivers repeat notices in each answer.
 * The protocol has no sessions: a session is a caller on a connection, from its first notice on, for an hour. A bridge
 * process is a caller, and so is a token over HTTP.
 *
 * A notice is never left out, because it can say that this answer is incomplete.
 */
export class SaidNotices {
	readonly #clock: Clock
	readonly #said = new Map<string, Expiry>()

	constructor(clock: Clock) {
		this.#clock = clock
	}

	/** Returns the answer with the notices of `notices` and `notice` that were said before shortened. */
	shortened(answer: JsonObject, { key }: Caller, connectionId: string): JsonObject {
		const { notices, notice } = answer
		if (notices === undefined && notice === undefined) return answer
		const say = (text: Json) => (typeof text === 'string' ? this.#say(text, `${key}\n${connectionId}`) : text)
		return {
			...answer,
			...(Array.isArray(notices) && { notices: notices.map(text => say(text)) }),
			...(notice !== undefined && { notice: say(notice) }),
		}
	}

	#say(notice: string, listener: string): string {
		if (notice.length <= shortLength) return notice
		const key = createHash('sha256').update(`${listener}\n${notice}`).digest('base64url')
		const until = this.#said.get(key)
		if (until && !hasExpired(this.#clock, until)) {
			return `${notice.slice(0, beginningLength).toWellFormed()}… (in full in an answer before)`
		}
		this.#said.delete(key)
		this.#said.set(key, expiryIn(this.#clock, sessionMs))
		const [oldest] = this.#said.keys()
		if (this.#said.size > mostRemembered && oldest !== undefined) this.#said.delete(oldest)
		return notice
	}
}
