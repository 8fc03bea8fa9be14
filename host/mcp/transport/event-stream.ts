import type { ServerResponse } from 'node:http'
import type { Clock } from '../protocol/clock.ts'
import type { FrameStream } from '../protocol/reply.ts'

/**
 * A response as server-sent events: unnamed frames, and periodic comments, so that neither side closes an idle stream
 * (contract, "Progress streaming"; the idle timeout of 30 seconds).
 */
export class EventStream implements FrameStream {
	readonly #response: ServerResponse
	#stopKeepAlive: () => void

	constructor(response: ServerResponse, clock: Clock, keepAliveMs: number) {
		this.#response = response
		const beat = () => {
			this.#response.write(': keep-alive\n\n')
			this.#stopKeepAlive = clock.after(keepAliveMs, beat)
		}
		this.#stopKeepAlive = clock.after(keepAliveMs, beat)
		response.once('close', () => this.#stopKeepAlive())
		response.flushHeaders()
	}

	send(text: string): void {
		if (!this.#response.writableEnded) this.#response.write(frame(text))
	}

	deliver(text: string): Promise<void> {
		const { promise, resolve } = Promise.withResolvers<void>()
		if (this.#response.writableEnded) resolve()
		else this.#response.write(frame(text), () => resolve())
		return promise
	}

	end(text: string): void {
		this.#stopKeepAlive()
		if (!this.#response.writableEnded) this.#response.end(frame(text))
	}
}

/** Returns a frame. One `data:` line suffices, because JSON text contains no line break. */
function frame(text: string): string {
	return `data: ${text}\n\n`
}
