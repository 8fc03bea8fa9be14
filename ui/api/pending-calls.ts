import type { HostMethod, Progress } from '../../host/api/api.ts'
import { readAnswer } from './driver-answers.ts'

interface Waiting {
	readonly method: HostMethod
	resolve(value: unknown): void
	reject(error: Error): void
	onProgress: ((progress: Progress) => void) | undefined
}

/** The calls that wait for their answers, each by its id. */
export class PendingCalls {
	readonly #waiting = new Map<number, Waiting>()
	/** For answers in several pieces. */
	readonly #pieces = new Map<number, Pieces>()
	#last = 0

	/** Registers a call. @returns its id, and a promise of its answer */
	add(
		method: HostMethod,
		onProgress: Waiting['onProgress'],
	): { readonly id: number; readonly answer: Promise<unknown> } {
		const id = ++this.#last
		const { promise, resolve, reject } = Promise.withResolvers<unknown>()
		this.#waiting.set(id, { method, resolve, reject, onProgress })
		return { id, answer: promise }
	}

	resolve(id: number, result: unknown): void {
		this.#take(id)?.resolve(result)
	}

	reject(id: number, error: Error): void {
		this.#take(id)?.reject(error)
	}

	progress(id: number, progress: Progress): void {
		this.#waiting.get(id)?.onProgress?.(progress)
	}

	/** Reads a binary message: an answer that the driver encoded, or a piece of one. */
	receive(data: ArrayBuffer): void {
		const whole = piecesOf(data, this.#pieces)
		if (!whole) return
		const call = this.#take(whole.id)
		try {
			call?.resolve(readAnswer(call.method, whole.bytes))
		} catch (error) {
			call?.reject(error as Error)
		}
	}

	rejectAll(error: Error): void {
		for (const call of this.#waiting.values()) call.reject(error)
		this.#waiting.clear()
		this.#pieces.clear()
	}

	#take(id: number): Waiting | undefined {
		const call = this.#waiting.get(id)
		this.#waiting.delete(id)
		return call
	}
}

/** Set beside the id of a call if more pieces of its answer follow (host/api/api-caller.ts). */
const moreFollows = 0x8000_0000

/** An answer that arrives in several messages, as far as it has arrived. */
interface Pieces {
	readonly bytes: Uint8Array
	filled: number
}

/** Adds a binary message. @returns the answer, once it is complete */
function piecesOf(
	data: ArrayBuffer,
	known: Map<number, Pieces>,
): { readonly id: number; readonly bytes: Uint8Array } | undefined {
	const view = new DataView(data)
	const head = view.getUint32(0, true)
	const isMore = head >= moreFollows
	const id = head % moreFollows
	const piece = new Uint8Array(data, isMore ? 8 : 4)
	const pieces = known.get(id)
	if (!pieces && !isMore) return { id, bytes: piece }
	const whole = pieces ?? { bytes: new Uint8Array(piece.length + view.getUint32(4, true)), filled: 0 }
	whole.bytes.set(piece, whole.filled)
	whole.filled += piece.length
	if (isMore) known.set(id, whole)
	else known.delete(id)
	return isMore ? undefined : { id, bytes: whole.bytes }
}
