import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { protocolErrors } from '../wire/protocol-errors.ts'
import { errorOf } from './answer.ts'
import { findHost, type Host, type StartHost } from './find-host.ts'
import { post } from './post.ts'
import { NotConnectedError } from './proven-socket.ts'

export interface HostLinkOptions {
	readonly supportPath: string
	/** Starts the host in the background if it does not run. @throws Error with the reason for the user */
	readonly startHost: StartHost
}

/** A request for the host. */
export interface Outgoing {
	readonly body: string
	readonly headers: Readonly<Record<string, string>>
	readonly signal: AbortSignal
	readonly onNotification: (line: string) => void
}

/** The host was lost after it got the request. It may have run the request, in part or in full. */
export class HostLostError extends Error {
	override readonly name = 'HostLostError'
}

const unreachable = ({ message }: Error) => `Roundhouse cannot be reached: ${message}`

/** How long a request is retried that the host does not run now. The client decides about longer waits. */
const retryTimeoutMs = 5_000
/** How often a request is sent to a host that then cannot be connected to, or does not know the token. */
const maxAttempts = 5

/** The connection to the host: finds or starts it, and finds the next one when it was restarted. */
export class HostLink {
	readonly #options: HostLinkOptions
	/** Distinguishes this bridge from others, which use the same token. */
	readonly #bridgeId = randomUUID()
	#host: Promise<Host> | undefined

	constructor(options: HostLinkOptions) {
		this.#options = options
	}

	/**
	 * Sends a request until a host has run or refused it: again if the host was restarted before it ran the request, or is
	 * at its rate limit.
	 * @returns the answer @throws HostLostError; Error if no host can be reached
	 */
	async send(outgoing: Outgoing): Promise<string> {
		const end = performance.now() + retryTimeoutMs
		for (let attempt = 1; ; attempt++) {
			const connecting = this.#connect()
			const host = await connecting.catch(error => {
				throw new Error(unreachable(error), { cause: error })
			})
			const mayRetry = attempt < maxAttempts
			const answer = await post({ host, bridgeId: this.#bridgeId, ...outgoing }).catch(error => {
				outgoing.signal.throwIfAborted()
				this.#forget(connecting)
				if (!(error instanceof NotConnectedError)) throw new HostLostError(unreachable(error), { cause: error })
				if (!mayRetry) throw new Error(unreachable(error), { cause: error })
				return undefined
			})
			if (answer === undefined) continue
			const refusal = refusalOf(answer)
			if (refusal?.isLost) this.#forget(connecting)
			if (refusal?.wasCutOff) throw new HostLostError(refusal.message)
			const waitMs = refusal?.waitMs ?? Number.POSITIVE_INFINITY
			if (!mayRetry || performance.now() + waitMs > end) return answer
			await sleep(waitMs, undefined, { signal: outgoing.signal })
		}
	}

	#connect(): Promise<Host> {
		this.#host ??= findHost(this.#options.supportPath, this.#options.startHost)
		const host = this.#host
		host.catch(() => this.#forget(host))
		return host
	}

	/** Looks for the host again at the next request, unless another request has done that already. */
	#forget(host: Promise<Host>): void {
		if (this.#host === host) this.#host = undefined
	}
}

interface Refusal {
	readonly message: string
	/** Whether this host does not serve this bridge any more. */
	readonly isLost: boolean
	/** Whether it had begun to run the request. */
	readonly wasCutOff: boolean
	/** The wait before a retry. */
	readonly waitMs: number
}

const { unauthenticated, token_expired, unavailable, rate_limited, request_cancelled } = protocolErrors

/** Reads an answer that says that another attempt can succeed. */
function refusalOf(answer: string): Refusal | undefined {
	const error = errorOf(answer)
	if (!error) return undefined
	const { code, message, retryAfterSeconds } = error
	// A restarted host has another token.
	if (code === unauthenticated.code || code === token_expired.code)
		return { message, isLost: true, wasCutOff: false, waitMs: 0 }
	if (retryAfterSeconds === undefined) return undefined
	const isLost = code === unavailable.code || code === request_cancelled.code
	if (!isLost && code !== rate_limited.code) return undefined
	return { message, isLost, wasCutOff: code === request_cancelled.code, waitMs: retryAfterSeconds * 1000 }
}
