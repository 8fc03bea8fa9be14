import { type JsonLimits, JsonShape } from './json-shape.ts'

/**
 * The frames that host and driver process exchange over their pipe: two lengths, a message as JSON text, and attached
 * bytes. Each length is an unsigned 32-bit big-endian number of bytes. The host reads data of untrusted code, so it
 * stores nothing of a frame before its lengths are checked against the limits.
 */

/** Limits of a frame in bytes, by part. */
export interface FrameLimits {
	readonly jsonBytes: number
	readonly attachedBytes: number
}

/** Limits of the host for a driver's frames. A driver splits longer data. */
export const frameLimits: FrameLimits = { jsonBytes: 8 * 1024 * 1024, attachedBytes: 64 * 1024 * 1024 }

const headBytes = 8

/** Returns a frame in pieces for writing, so that attached bytes are not copied. */
export function encodeFrame(message: object, attached?: Uint8Array): readonly Uint8Array[] {
	const json = Buffer.from(JSON.stringify(message), 'utf8')
	const head = Buffer.allocUnsafe(headBytes)
	head.writeUInt32BE(json.length, 0)
	head.writeUInt32BE(attached?.length ?? 0, 4)
	return attached?.length ? [Buffer.concat([head, json]), attached] : [Buffer.concat([head, json])]
}

/** `jsonBytes` is the size of the message as text. */
type OnFrame = (message: unknown, attached: Uint8Array, jsonBytes: number) => void

/** Assembles frames from the chunks of a stream. */
export class FrameReader {
	readonly #limits: FrameLimits
	readonly #onFrame: OnFrame
	readonly #head = Buffer.alloc(headBytes)
	/** The part being filled: the head, or the received start of the body that a head announced. */
	#part: Buffer = this.#head
	#filled = 0
	#wanted = headBytes

	constructor(limits: FrameLimits, onFrame: OnFrame) {
		this.#limits = limits
		this.#onFrame = onFrame
	}

	/**
	 * @throws RangeError for a frame beyond the limits; SyntaxError for a message that is not JSON, nested too deep, or
	 * has too many parts
	 */
	push(chunk: Uint8Array): void {
		for (let at = 0; at < chunk.length; ) {
			const piece = chunk.subarray(at, at + this.#wanted - this.#filled)
			this.#part = withRoom(this.#part, this.#filled + piece.length, this.#wanted)
			this.#part.set(piece, this.#filled)
			this.#filled += piece.length
			at += piece.length
			if (this.#filled === this.#wanted) this.#next()
		}
	}

	#next(): void {
		this.#filled = 0
		const [jsonBytes, attachedBytes] = [this.#head.readUInt32BE(0), this.#head.readUInt32BE(4)]
		if (this.#part === this.#head) {
			if (jsonBytes === 0 || jsonBytes > this.#limits.jsonBytes || attachedBytes > this.#limits.attachedBytes) {
				throw new RangeError(`a frame of ${jsonBytes} and ${attachedBytes} bytes`)
			}
			this.#wanted = jsonBytes + attachedBytes
			this.#part = empty
			return
		}
		const body = this.#part.subarray(0, this.#wanted)
		this.#part = this.#head
		this.#wanted = headBytes
		if (isCostly(body.subarray(0, jsonBytes))) throw new SyntaxError('a message nested too deep, or of too many parts')
		this.#onFrame(JSON.parse(body.toString('utf8', 0, jsonBytes)), body.subarray(jsonBytes), jsonBytes)
	}
}

const empty = Buffer.alloc(0)

/** Allocates memory for received bytes only. Otherwise a head of eight bytes could allocate megabytes. */
function withRoom(part: Buffer, filled: number, wanted: number): Buffer {
	if (filled <= part.length) return part
	const grown = Buffer.allocUnsafe(Math.min(wanted, Math.max(filled, 2 * part.length)))
	part.copy(grown)
	return grown
}

/** Above the depth and the number of parts of any valid message. */
const messageLimits: JsonLimits = { depth: 100, parts: 1_000_000 }

function isCostly(json: Uint8Array): boolean {
	const shape = new JsonShape(messageLimits)
	shape.push(json)
	return shape.excess !== undefined
}
