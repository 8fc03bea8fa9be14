import { type JsonLimits, JsonShape } from '@roundhouse/kit/wire/json-shape'
import { ProtocolError } from './errors.ts'

const limits: JsonLimits = {
	/** Prevents a stack overflow in recursive code. */
	depth: 256,
	/** Limits the time of the parser, which depends on the number of parts and not on the length of texts. */
	parts: 50_000,
	texts: 100_000,
	/** Several readers parse each number. */
	digits: 500_000,
}

/**
 * A complete text of at most this length exceeds no limit: each level needs two brackets. If it is truncated, the parser
 * detects it early. Most requests are shorter.
 */
export const harmlessBytes = 2 * limits.depth

/** Measures the parse cost of a body while it arrives (docs/mcp.md, "Readings"). */
export class BodyShape {
	readonly #shape = new JsonShape(limits)

	push(chunk: Buffer): void {
		this.#shape.push(chunk)
	}

	/** The error if a limit is exceeded, possibly before the body is complete. */
	get excess(): ProtocolError | undefined {
		const { excess } = this.#shape
		if (excess === undefined) return undefined
		return new ProtocolError(
			'invalid_request',
			excess === 'depth'
				? `The body nests deeper than ${limits.depth} levels.`
				: 'The body has too many parts. Send less in one request.',
		)
	}

	/**
	 * Returns why the complete body must not be parsed: it exceeds a limit, or it is truncated, which the parser would
	 * detect late.
	 */
	end(): ProtocolError | undefined {
		return this.excess ?? (this.#shape.isOpen ? new ProtocolError('parse_error') : undefined)
	}
}
