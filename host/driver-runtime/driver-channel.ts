import type { Duplex } from 'node:stream'
import { encodeFrame, FrameReader, frameLimits } from '@roundhouse/kit/wire/frames'
import { driverMessageSchema } from '@roundhouse/kit/wire/message-schema'
import type { DriverMessage, HostMessage } from '@roundhouse/kit/wire/messages'
import { type CallTrace, traceOf } from '../../base/call-trace.ts'
import { TokenBucket } from '../../base/token-bucket.ts'

/** Upper limit of bytes buffered for a driver that does not read. */
const maxUnreadBytes = 256 * 1024 * 1024
/** Rate limit of unsolicited messages: beats, logs, progress. The kit's own runtime stays far below it. */
const unsolicitedMessages = { burst: 10_000, perSecond: 2000 }
/** Rate limit of their bytes. The longest message that the kit's runtime sends has 5 kB. */
const unsolicitedBytes = { burst: 512 * 1024, perSecond: 128 * 1024 }

export interface ChannelEvents {
	message(message: DriverMessage, attached: Uint8Array): void
	/** The driver broke the protocol. `reason` continues the sentence "The driver was lost:". No event follows. */
	fault(reason: string): void
	/** The pipe is closed. The process may still run. */
	closed(): void
}

/**
 * The host's end of the pipe to a driver process. The other end is untrusted: each frame is measured before it is
 * buffered, and checked against the wire's schema before it is delivered. A driver that floods or does not read is
 * reported as faulty.
 */
export class DriverChannel {
	readonly #pipe: Duplex
	readonly #events: ChannelEvents
	readonly #trace: CallTrace | undefined
	readonly #unsolicited = new TokenBucket(unsolicitedMessages.burst, unsolicitedMessages.perSecond)
	readonly #unsolicitedBytes = new TokenBucket(unsolicitedBytes.burst, unsolicitedBytes.perSecond)
	#isFaulty = false

	/** @param driverId the name of the other end in a trace */
	constructor(pipe: Duplex, driverId: string, events: ChannelEvents) {
		this.#pipe = pipe
		this.#events = events
		this.#trace = traceOf({ caller: 'host', callee: driverId })
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
		// An error also closes the pipe, and `closed` reports that.
		pipe.on('error', () => {}).once('close', () => events.closed())
	}

	send(message: HostMessage): void {
		if (this.#isFaulty || this.#pipe.destroyed) return
		let size = 0
		for (const piece of encodeFrame(message)) {
			this.#pipe.write(piece)
			size += piece.length
		}
		if (message.kind === 'call') this.#trace?.call(message.id, message.method, size)
		else if (message.kind === 'cancel') this.#trace?.about(message.id, message.kind, size)
		if (this.#pipe.writableLength > maxUnreadBytes) this.#fault('it does not read what it is sent')
	}

	#receive(frame: unknown, attached: Uint8Array, jsonBytes: number): void {
		if (this.#isFaulty) return
		const parsed = driverMessageSchema.safeParse(frame)
		if (!parsed.success) return this.#fault('it broke the protocol')
		const { kind } = parsed.data
		const isSolicited = kind === 'result' || kind === 'bytes' || kind === 'error' || kind === 'taken'
		const isFlood =
			!isSolicited && !(this.#unsolicited.take() && this.#unsolicitedBytes.take(jsonBytes + attached.length))
		if (isFlood) return this.#fault('it floods the host with messages')
		this.#traceReceived(parsed.data, jsonBytes + attached.length)
		this.#events.message(parsed.data, attached)
	}

	#traceReceived(message: DriverMessage, size: number): void {
		if (message.kind === 'progress') this.#trace?.meanwhile(message.id, message.kind, size)
		else if (message.kind === 'result' || message.kind === 'bytes' || message.kind === 'error')
			this.#trace?.answer(message.id, message.kind, size)
	}

	#fault(reason: string): void {
		if (this.#isFaulty) return
		this.#isFaulty = true
		this.#events.fault(reason)
	}
}
