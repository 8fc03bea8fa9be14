import type { ServerResponse } from 'node:http'
import type { Clock } from '../protocol/clock.ts'
import type { FrameStream } from '../protocol/reply.ts'

/**
 * A response as server-sent events: unnamed frames, and a comment now and then, so that neither side takes a silent
 * stream for a dead one (contract, "Progress streaming"; the 30 second idle timeout).
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

	end(text: string): void {
		this.#stopKeepAlive()
		if (!this.#response.writableEnded) this.#response.end(frame(text))
	}
}

/** JSON text holds no line break, so one `data:` line is enough. */
function frame(text: string): string {
	return `data: ${text}\n\n`
}
