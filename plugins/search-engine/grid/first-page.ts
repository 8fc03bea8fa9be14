import { stringifyJson } from '@roundhouse/kit'
import type { EngineRequest } from '../transport/engine-request.ts'
import type { Reply } from '../transport/reply.ts'
import type { Transport } from '../transport/transport.ts'

/**
 * The search of a first page, sent while the mapping that it depends on is read. Its answer is used only if the mapping
 * leads to exactly the same search. Otherwise it is discarded.
 */
export class FirstPage {
	readonly #abort = new AbortController()
	readonly #wanted: string
	#reply: Promise<Reply> | undefined
	#isOver = false

	constructor(transport: Transport, request: EngineRequest) {
		this.#wanted = textOf(request)
		this.#reply = transport.send(request, this.#abort.signal)
		// The caller that takes the answer gets its error. Until then, no code handles it.
		this.#reply.catch(() => {})
	}

	/** Returns the answer, once, if this is the search that was sent. */
	take(request: EngineRequest, signal: AbortSignal): Promise<Reply> | undefined {
		const reply = this.#reply
		this.#reply = undefined
		if (reply === undefined) return undefined
		if (textOf(request) !== this.#wanted) {
			this.drop()
			return undefined
		}
		const stop = () => this.#abort.abort(signal.reason)
		if (signal.aborted) stop()
		signal.addEventListener('abort', stop, { once: true })
		return reply.finally(() => {
			this.#isOver = true
			signal.removeEventListener('abort', stop)
		})
	}

	/**
	 * Aborts the search unless it has settled. Every grid calls this when it is closed, and an abort after settling costs
	 * a tenth of a page.
	 */
	drop() {
		if (!this.#isOver) this.#abort.abort()
	}
}

function textOf({ path, search = '', body }: EngineRequest): string {
	return `${path}?${search}\n${stringifyJson(body ?? null)}`
}
