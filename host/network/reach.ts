import type { Socket } from 'node:net'
import type { Address } from '@roundhouse/kit'
import { settledOr } from '../base/settled-or.ts'
import { TokenBucket } from '../base/token-bucket.ts'
import { canonicalHost, isSameAddress, labelOf } from './address.ts'
import { type DialOptions, dial, type Ways } from './dial.ts'
import { networkErrors } from './errors.ts'

/** A person's word on an address that the connection's form does not name. */
export type ReachAnswer = 'allowed' | 'refused' | 'nobody'

/** Questions that one connection may ask at once and in the long run: each is for a person, and a line in the log. */
const questions = { burst: 64, perSecond: 1 / 30 }

export interface ReachOptions {
	/** The driver, as the person knows it. */
	readonly driver: string
	/** What is reached without a question. */
	readonly named: readonly Address[]
	/** What the person said before. */
	remembered(address: Address): ReachAnswer | undefined
	/** Asks, and remembers a yes or a no. */
	ask(address: Address, signal: AbortSignal): Promise<ReachAnswer>
	/** Told once for each address. */
	note(address: Address, isReached: boolean): void
	readonly ways: Ways
}

/** What one connection may reach: what its form names, and what a person has allowed. */
export class Reach {
	readonly #options: ReachOptions
	readonly #asking = new Map<string, Promise<ReachAnswer>>()
	readonly #noted = new Set<string>()
	readonly #questions = new TokenBucket(questions.burst, questions.perSecond)
	readonly #closing = new AbortController()

	constructor(options: ReachOptions) {
		this.#options = options
	}

	/** Opens a connection where that is allowed. @throws as {@link dial}; HostError `network/not_allowed`, `network/nobody_to_ask`, `network/too_many_questions` */
	async dial(asked: Address, options: DialOptions): Promise<Socket> {
		const host = canonicalHost(asked.host)
		if (host === undefined) throw Object.assign(new Error('This is no host name.'), { code: 'ENOTFOUND' })
		const address = { host, port: asked.port }
		const answer = await settledOr(this.#answer(address), options.signal)
		const values = { driver: this.#options.driver, address: labelOf(address) }
		if (answer !== 'allowed') this.#note(address, false)
		if (answer === 'nobody') throw networkErrors.make('nobody_to_ask', values)
		if (answer === 'refused') throw networkErrors.make('not_allowed', values)
		try {
			const socket = await dial(address, this.#options.ways, options)
			this.#note(address, true)
			return socket
		} catch (error) {
			if (networkErrors.is(error, 'forbidden')) this.#note(address, false)
			throw error
		}
	}

	/** Takes back what is still asked. */
	close(): void {
		this.#closing.abort(new Error('The connection was closed.'))
	}

	/** Sockets that are asked for at once share a question, which outlasts the one that came first. */
	async #answer(address: Address): Promise<ReachAnswer> {
		const { named, remembered, ask } = this.#options
		if (named.some(one => isSameAddress(one, address))) return 'allowed'
		const known = remembered(address)
		if (known) return known
		const label = labelOf(address)
		const asked = this.#asking.get(label)
		if (asked) return asked
		const { driver } = this.#options
		if (!this.#questions.take()) throw networkErrors.make('too_many_questions', { driver, address: label })
		const asking = ask(address, this.#closing.signal).finally(() => this.#asking.delete(label))
		this.#asking.set(label, asking)
		return asking
	}

	#note(address: Address, isReached: boolean): void {
		const mark = `${labelOf(address)} ${isReached}`
		if (this.#noted.has(mark)) return
		this.#noted.add(mark)
		this.#options.note(address, isReached)
	}
}
