import type { Duplex } from 'node:stream'
import { encodeFrame, FrameReader, frameLimits } from '@roundhouse/kit/wire/frames'
import { driverMessageSchema } from '@roundhouse/kit/wire/message-schema'
import type { DriverMessage, HostMessage } from '@roundhouse/kit/wire/messages'
import { TokenBucket } from '../base/token-bucket.ts'

/** Most bytes that may wait for a driver that does not read. */
const mostUnread = 256 * 1024 * 1024
/** Messages that nobody asked for: beats, logs, progress. The kit's own runtime stays far below. */
const unasked = { burst: 10_000, perSecond: 2000 }
/** And their bytes: the longest that the kit's runtime sends has 5 kB. */
const unaskedBytes = { burst: 512 * 1024, perSecond: 128 * 1024 }

export interface ChannelEvents {
	message(message: DriverMessage, attached: Uint8Array): void
	/** The driver said what no driver may say; `reason` goes on from "The driver was lost:". Nothing follows. */
	fault(reason: string): void
	/** The pipe is gone: the process ends, or goes on without it. */
	closed(): void
}

/**
 * The host's end of the pipe to a driver process. The other end is a stranger's: each frame is measured before it is
 * kept and checked against the wire's schema before anyone sees it, and whoever floods or does not read is reported.
 */
export class DriverChannel {
	readonly #pipe: Duplex
	readonly #events: ChannelEvents
	readonly #unasked = new TokenBucket(unasked.burst, unasked.perSecond)
	readonly #unaskedBytes = new TokenBucket(unaskedBytes.burst, unaskedBytes.perSecond)
	#isFaulty = false

	constructor(pipe: Duplex, events: ChannelEvents) {
		this.#pipe = pipe
		this.#events = events
		const reader = new FrameReader(frameLimits, (frame, attached, jsonBytes) =>
			this.#receive(frame, attached, jsonBytes),
		)
		pipe.on('data', (chunk: Buffer) => {
			if (this.#isFaulty) return
			try {
				reader.push(chunk)
			} catch (error) {
				this.#fault(error instanceof RangeError ? `it sent ${error.message}` : 'it broke the protocol')
			}
		})
		// Whatever breaks the pipe closes it.
		pipe.on('error', () => {}).once('close', () => events.closed())
	}

	send(message: HostMessage): void {
		if (this.#isFaulty || this.#pipe.destroyed) return
		for (const piece of encodeFrame(message)) this.#pipe.write(piece)
		if (this.#pipe.writableLength > mostUnread) this.#fault('it does not read what it is sent')
	}

	#receive(frame: unknown, attached: Uint8Array, jsonBytes: number): void {
		if (this.#isFaulty) return
		const parsed = driverMessageSchema.safeParse(frame)
		if (!parsed.success) return this.#fault('it broke the protocol')
		const { kind } = parsed.data
		const isAsked = kind === 'result' || kind === 'bytes' || kind === 'error'
		const isFlood = !isAsked && !(this.#unasked.take() && this.#unaskedBytes.take(jsonBytes + attached.length))
		if (isFlood) return this.#fault('it floods the host with messages')
		this.#events.message(parsed.data, attached)
	}

	#fault(reason: string): void {
		if (this.#isFaulty) return
		this.#isFaulty = true
		this.#events.fault(reason)
	}
}
