import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Json } from '@roundhouse/kit'
import { ProtocolError } from './errors.ts'

/** Contract, "Limits": items on a page of the four list methods. */
const pageSize = 50

export interface Page<T> {
	readonly items: readonly T[]
	readonly nextCursor?: string
}

/**
 * Cursors of the list methods: opaque, and bound to the method that issued them (contract, "Pagination"). They are
 * signed, so that forged cursors are rejected.
 */
export class Cursors {
	readonly #key = randomBytes(32)

	/** @throws ProtocolError `invalid_params` for a cursor that this method did not issue */
	page<T>(method: string, items: readonly T[], cursor: Json | undefined): Page<T> {
		const start = cursor === undefined ? 0 : this.#read(method, cursor)
		const end = start + pageSize
		return {
			items: items.slice(start, end),
			...(end < items.length && { nextCursor: this.#issue(method, end) }),
		}
	}

	#issue(method: string, offset: number): string {
		const text = String(offset)
		return Buffer.concat([this.#sign(method, text), Buffer.from(text)]).toString('base64url')
	}

	#read(method: string, cursor: Json): number {
		const isShort = typeof cursor === 'string' && cursor.length <= maxCursorLength
		const bytes = Buffer.from(isShort ? cursor : '', 'base64url')
		const text = bytes.subarray(signatureBytes).toString('latin1')
		const signature = bytes.subarray(0, signatureBytes)
		const isValid = signature.length === signatureBytes && timingSafeEqual(signature, this.#sign(method, text))
		if (!isValid) throw new ProtocolError('invalid_params', 'This cursor was not issued by this method.')
		return Number(text)
	}

	#sign(method: string, text: string): Buffer {
		return createHmac('sha256', this.#key).update(`${method} ${text}`).digest().subarray(0, signatureBytes)
	}
}

const signatureBytes = 16
/** Issued cursors have a third of this length. */
const maxCursorLength = 100
