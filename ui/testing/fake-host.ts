import type { HostEvents, HostMethod, ParamsOf, ResultOf } from '../../host/api/api.ts'
import type { CallOptions, HostConnection } from '../api/client.ts'

/** The answers of a fake host. A wrong answer does not compile, because its type is that of the host API. */
export type Answers = {
	readonly [M in HostMethod]?: (params: ParamsOf<M>, call: CallOptions) => ResultOf<M> | Promise<ResultOf<M>>
}

/** A call that the window made. */
export interface RecordedCall {
	readonly method: HostMethod
	readonly params: unknown
}

/** An error of the host, as the window's connection rejects with it. */
class FakeHostError extends Error {
	readonly code: string

	constructor(message: string, code = 'driver/query_failed') {
		super(message)
		this.code = code
	}
}

/**
 * A host in memory for component tests. It answers from functions, records the calls, and can delay or fail a method,
 * emit events, and be lost and found again. A method without an answer rejects and is reported by name.
 */
export class FakeHost implements HostConnection {
	readonly calls: RecordedCall[] = []
	/** Methods that were called without an answer. A test that expects none asserts that this is empty. */
	readonly unanswered = new Set<HostMethod>()
	#answers: Answers
	readonly #holds = new Map<HostMethod, Promise<void>>()
	readonly #events = new EventTarget()

	constructor(answers: Answers) {
		this.#answers = answers
	}

	/** Replaces answers from the next call on. */
	answer(answers: Answers): void {
		this.#answers = { ...this.#answers, ...answers }
	}

	/** Makes a method fail until it gets another answer. */
	fail(method: HostMethod, message: string, code?: string): void {
		this.answer({
			[method]: () => {
				throw new FakeHostError(message, code)
			},
		})
	}

	/** Delays a method until the returned function is called. */
	hold(method: HostMethod): () => void {
		const { promise, resolve } = Promise.withResolvers<void>()
		this.#holds.set(method, promise)
		return () => {
			this.#holds.delete(method)
			resolve()
		}
	}

	/** Returns the parameters of all calls of a method, the first call first. */
	callsOf<M extends HostMethod>(method: M): readonly ParamsOf<M>[] {
		// `call` records the parameters under their own method.
		return this.calls.filter(call => call.method === method).map(({ params }) => params as ParamsOf<M>)
	}

	emit<E extends keyof HostEvents>(event: E, data: HostEvents[E]): void {
		this.#events.dispatchEvent(new CustomEvent(event, { detail: data }))
	}

	/** Loses the connection to the host. */
	lose(): void {
		this.#events.dispatchEvent(new Event('lost'))
	}

	reconnect(): void {
		this.#events.dispatchEvent(new Event('reconnected'))
	}

	async call<M extends HostMethod>(method: M, params: ParamsOf<M>, call: CallOptions = {}): Promise<ResultOf<M>> {
		// The host reads JSON: what it gets and what it answers is a copy.
		const sent = structuredClone(params)
		this.calls.push({ method, params: sent })
		const held = this.#holds.get(method)
		await (call.signal ? Promise.race([held, rejectionOf(call.signal)]) : held)
		call.signal?.throwIfAborted()
		const answer = this.#answers[method]
		if (!answer) {
			this.unanswered.add(method)
			throw new FakeHostError(`The fake host has no answer for ${method}.`, 'fake/unanswered')
		}
		return structuredClone(await answer(sent, call))
	}

	on<E extends keyof HostEvents>(event: E, listener: (data: HostEvents[E]) => void): () => void {
		// `emit` gives each event its own data.
		return this.#subscribe(event, received => listener((received as CustomEvent<HostEvents[E]>).detail))
	}

	onLost(listener: () => void): () => void {
		return this.#subscribe('lost', listener)
	}

	onReconnected(listener: () => void): () => void {
		return this.#subscribe('reconnected', listener)
	}

	onMoved(): void {
		// A component test stays on its page.
	}

	#subscribe(event: string, listener: (received: Event) => void): () => void {
		this.#events.addEventListener(event, listener)
		return () => this.#events.removeEventListener(event, listener)
	}
}

/** Rejects when the caller aborts; never settles otherwise. */
function rejectionOf(signal: AbortSignal): Promise<never> {
	return new Promise((_, reject) => {
		if (signal.aborted) reject(signal.reason)
		signal.addEventListener('abort', () => reject(signal.reason), { once: true })
	})
}
