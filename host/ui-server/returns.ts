import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** A window answers at once; it gives up after three seconds (`ui/api/return.ts`). */
const lifetimeMs = 60_000

/**
 * Lets a window return to a host that was restarted. Host and window each prove that they know a key of this support
 * directory, the host first: a program that took the port meanwhile learns nothing that it could use. The port is part of
 * both proofs.
 *
 * A challenge is signed by this host and carries its own end, so the host stores nothing for a question, and questions of
 * others cannot push one out. A challenge is good once: the host remembers the answered ones until they expire. Only a
 * program with the key adds to those.
 */
export class Returns {
	readonly #key: string
	readonly #port: number
	readonly #now: () => number
	/** New at each start: the next host must not accept a challenge that this one has seen answered. */
	readonly #challengeKey = randomBytes(32)
	/** Each answered challenge, with the time when it expires. */
	readonly #answered = new Map<string, number>()

	constructor(key: string, port: number, now: () => number = Date.now) {
		this.#key = key
		this.#port = port
		this.#now = now
	}

	/** Returns what a window gets before it proves anything. */
	greet(nonce: string): { readonly challenge: string; readonly proof: string } {
		const content = `${this.#now() + lifetimeMs}.${randomBytes(32).toString('base64url')}`
		const challenge = `${content}.${sign(this.#challengeKey, content)}`
		return { challenge, proof: sign(this.#key, `host ${this.#port} ${nonce} ${challenge}`) }
	}

	/** Returns whether the answer is that of a window with the key. If it is, the challenge is used up. */
	admits(challenge: string, answer: string): boolean {
		const expiresAt = this.#expiryOf(challenge)
		if (expiresAt === undefined || expiresAt < this.#now() || this.#answered.has(challenge)) return false
		if (!isEqual(answer, sign(this.#key, `window ${this.#port} ${challenge}`))) return false
		for (const [former, end] of this.#answered) if (end < this.#now()) this.#answered.delete(former)
		this.#answered.set(challenge, expiresAt)
		return true
	}

	/** Returns the time at which a challenge of this host expires; `undefined` if another made it. */
	#expiryOf(challenge: string): number | undefined {
		const [expiresAt = '', random = ''] = challenge.split('.')
		const content = `${expiresAt}.${random}`
		// Compared as a whole: another spelling of the same parts would be a new challenge.
		return isEqual(challenge, `${content}.${sign(this.#challengeKey, content)}`) ? Number(expiresAt) : undefined
	}
}

function sign(key: string | Buffer, text: string): string {
	return createHmac('sha256', key).update(text).digest('base64url')
}

function isEqual(given: string, expected: string): boolean {
	const [left, right] = [Buffer.from(given), Buffer.from(expected)]
	return left.length === right.length && timingSafeEqual(left, right)
}
