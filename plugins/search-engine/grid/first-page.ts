import { stringifyJson } from '@roundhouse/kit'
import type { Reply } from '../transport/reply.ts'
import type { EngineRequest, Transport } from '../transport/transport.ts'

/**
 * The search of a first page, sent while the mapping is read that it depends on. It counts only where the mapping leads
 * to the very same search; else it is dropped, and nobody has seen it.
 */
export class FirstPage {
	readonly #abort = new AbortController()
	readonly #wanted: string
	#reply: Promise<Reply> | undefined
	#isOver = false

	constructor(transport: Transport, request: EngineRequest) {
		this.#wanted = textOf(request)
		this.#reply = transport.send(request, this.#abort.signal)
		// Whoever takes it is told; until then nobody is.
		this.#reply.catch(() => {})
	}

	/** The answer, once, where this is the search that was sent. */
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

	/** Every grid does this when it is closed, and an abort of what is over costs as much as a tenth of its page. */
	drop() {
		if (!this.#isOver) this.#abort.abort()
	}
}

function textOf({ path, search = '', body }: EngineRequest): string {
	return `${path}?${search}\n${stringifyJson(body ?? null)}`
}
