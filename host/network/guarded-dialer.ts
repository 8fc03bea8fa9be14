import type { Socket } from 'node:net'
import type { Address, TcpAddress } from '@roundhouse/kit'
import { raced } from '../../base/on-abort.ts'
import { TokenBucket } from '../../base/token-bucket.ts'
import { canonicalHost, isSameAddress, labelBehind } from './address.ts'
import { type DialOptions, type DialPolicy, dial } from './dial.ts'
import { networkErrors } from './errors.ts'
import { NameLookups } from './name-lookups.ts'
import { dialUnixSocket } from './unix-socket.ts'

/** The user's answer for an address that the connection's form does not name. */
export type AddressDecision = 'allowed' | 'refused' | 'unattended'

/** Rate limit of one connection's questions. Each one interrupts the user and adds a line to the log. */
const questions = { burst: 64, perSecond: 1 / 30 }

/** Upper limit of addresses that are noted once. */
const mostRemembered = 1000

export interface GuardedDialerOptions {
	/** The driver's display name. */
	readonly driver: string
	/** Addresses that are allowed without a question. */
	readonly named: readonly TcpAddress[]
	/** Paths of Unix sockets that are allowed. The user is asked for no other. */
	readonly socketPaths: readonly string[]
	/** Returns the user's earlier answer. */
	remembered(address: TcpAddress): AddressDecision | undefined
	/** Asks the user and stores the answer. */
	ask(address: TcpAddress, signal: AbortSignal): Promise<AddressDecision>
	/** Called once for each address and outcome, as far as `mostRemembered` allows. */
	note(label: string, isReached: boolean): void
	/** Called when the connection is closed. */
	closed?(): void
	/** The tunnel that the addresses are behind. */
	readonly behind?: string | undefined
	readonly policy: DialPolicy
}

/** Opens sockets for one connection, to addresses that its form names or that the user has allowed. */
export class GuardedDialer {
	readonly #options: GuardedDialerOptions
	readonly #asking = new Map<string, Promise<AddressDecision>>()
	readonly #noted = new Set<string>()
	readonly #questions = new TokenBucket(questions.burst, questions.perSecond)
	readonly #closing = new AbortController()
	readonly #names = new NameLookups()

	constructor(options: GuardedDialerOptions) {
		this.#options = options
	}

	/**
	 * Opens a socket if the address is allowed. @throws the errors of {@link dial} and {@link dialUnixSocket}; HostError
	 * `network/not_allowed`, `network/nobody_to_ask`, `network/too_many_questions`
	 */
	dial(asked: Address, options: DialOptions): Promise<Socket> {
		return 'path' in asked ? this.#dialUnixSocket(asked.path, options) : this.#dialTcp(asked, options)
	}

	async #dialUnixSocket(path: string, options: DialOptions): Promise<Socket> {
		try {
			if (this.#options.policy.tunnel) throw networkErrors.make('ssh_socket')
			if (!this.#options.socketPaths.includes(path)) {
				throw networkErrors.make('socket_refused', { path, reason: 'the connection does not name it' })
			}
			const socket = await dialUnixSocket(path, options)
			this.#note(path, true)
			return socket
		} catch (error) {
			if (networkErrors.is(error, 'socket_refused')) this.#note(path, false)
			throw error
		}
	}

	async #dialTcp(asked: TcpAddress, options: DialOptions): Promise<Socket> {
		const host = canonicalHost(asked.host)
		if (host === undefined) throw Object.assign(new Error('This is not a host name.'), { code: 'ENOTFOUND' })
		const address = { host, port: asked.port }
		const values = { driver: this.#options.driver, address: this.#label(address) }
		const answer = await raced(options.signal, this.#answer(address)).catch(error => {
			if (networkErrors.is(error, 'too_many_questions')) this.#note(values.address, false)
			throw error
		})
		if (answer !== 'allowed') this.#note(values.address, false)
		if (answer === 'unattended') throw networkErrors.make('nobody_to_ask', values)
		if (answer === 'refused') throw networkErrors.make('not_allowed', values)
		try {
			const socket = await dial(address, this.#options.policy, { ...options, names: this.#names })
			this.#note(values.address, true)
			return socket
		} catch (error) {
			if (networkErrors.is(error, 'forbidden')) this.#note(values.address, false)
			throw error
		}
	}

	/** Withdraws open questions. */
	close(): void {
		this.#closing.abort(new Error('The connection was closed.'))
		this.#options.closed?.()
	}

	/**
	 * Returns the answer for an address. Concurrent calls share a question, which outlives the abort of a single call.
	 */
	async #answer(address: TcpAddress): Promise<AddressDecision> {
		const { named, remembered, ask } = this.#options
		if (named.some(one => isSameAddress(one, address))) return 'allowed'
		const known = remembered(address)
		if (known) return known
		const label = this.#label(address)
		const asked = this.#asking.get(label)
		if (asked) return asked
		const { driver } = this.#options
		if (!this.#questions.take()) throw networkErrors.make('too_many_questions', { driver, address: label })
		const asking = ask(address, this.#closing.signal).finally(() => this.#asking.delete(label))
		this.#asking.set(label, asking)
		return asking
	}

	#label(address: TcpAddress): string {
		return labelBehind(address, this.#options.behind)
	}

	#note(label: string, isReached: boolean): void {
		const key = `${label} ${isReached}`
		if (this.#noted.has(key)) return
		// The driver chooses the addresses, so only some are remembered.
		if (this.#noted.size < mostRemembered) this.#noted.add(key)
		this.#options.note(label, isReached)
	}
}
