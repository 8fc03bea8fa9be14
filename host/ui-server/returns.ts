import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const mostAtOnce = 32

/**
 * How a window that was open comes back to a host that was started again. Each proves to the other that it knows a key
 * that only hosts of this support directory and their windows had, the host first: whoever took its port meanwhile learns
 * nothing that it could use, neither there nor with the host. The port is part of both proofs, and a challenge is
 * answered once.
 */
export class Returns {
	readonly #key: string
	readonly #port: number
	readonly #challenges = new Set<string>()

	constructor(key: string, port: number) {
		this.#key = key
		this.#port = port
	}

	/** What a window is shown before it proves anything. */
	greet(nonce: string): { readonly challenge: string; readonly proof: string } {
		const challenge = randomBytes(32).toString('base64url')
		this.#challenges.add(challenge)
		const [oldest] = this.#challenges
		if (oldest !== undefined && this.#challenges.size > mostAtOnce) this.#challenges.delete(oldest)
		return { challenge, proof: this.#sign(`host ${this.#port} ${nonce} ${challenge}`) }
	}

	/** Whether it is a window of ours that answers; from here on the challenge is worth nothing. */
	admits(challenge: string, answer: string): boolean {
		if (!this.#challenges.delete(challenge)) return false
		const expected = Buffer.from(this.#sign(`window ${this.#port} ${challenge}`))
		const given = Buffer.from(answer)
		return given.length === expected.length && timingSafeEqual(given, expected)
	}

	#sign(text: string): string {
		return createHmac('sha256', this.#key).update(text).digest('base64url')
	}
}
