import { isJsonObject, type JsonObject, stringifyJson } from '@roundhouse/kit/json'
import { notification } from './answer.ts'
import { idKey, type Message } from './message.ts'

/** The answer if the client fails, or is gone: no consent. */
const cancelled: JsonObject = { action: 'cancel' }

/** Requests of the bridge to a legacy client, for questions of the host. */
export class ClientQuestions {
	readonly #write: (line: string) => void
	/** Aborts when the client sends nothing any more. */
	readonly #ended: AbortSignal
	readonly #open = new Map<string, (answer: JsonObject) => void>()
	#last = 0

	constructor(write: (line: string) => void, ended: AbortSignal) {
		this.#write = write
		this.#ended = ended
	}

	/** @returns the client's result; `cancel` if it answers with an error @throws the signal's reason */
	async ask(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
		if (this.#ended.aborted) return cancelled
		const id = ++this.#last
		const { promise, resolve, reject } = Promise.withResolvers<JsonObject>()
		const withdraw = () => {
			this.#write(notification('notifications/cancelled', { requestId: id }))
			if (signal.aborted) reject(signal.reason)
			else resolve(cancelled)
		}
		const over = AbortSignal.any([signal, this.#ended])
		this.#open.set(idKey(id), resolve)
		this.#write(stringifyJson({ jsonrpc: '2.0', id, method, params }))
		over.addEventListener('abort', withdraw, { once: true })
		try {
			return await promise
		} finally {
			over.removeEventListener('abort', withdraw)
			this.#open.delete(idKey(id))
		}
	}

	/** Takes an answer of the client. An answer to a withdrawn question is ignored. */
	settle({ id, json }: Message): void {
		const result = json?.result
		this.#open.get(idKey(id ?? null))?.(isJsonObject(result) ? result : cancelled)
	}
}
