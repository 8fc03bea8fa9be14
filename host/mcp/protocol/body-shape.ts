import { type JsonLimits, JsonShape } from '@roundhouse/kit/wire/json-shape'
import { ProtocolError } from './errors.ts'

const limits: JsonLimits = {
	/** Deeper bodies are refused, so that no recursion below has to fear for its stack. */
	depth: 256,
	/** What costs the parser its time, which the length of a text does not. In JSON of so many parts there are fewer texts. */
	parts: 50_000,
	texts: 100_000,
	/** Each number is looked at by several readers. */
	digits: 500_000,
}

/** What a body would be to the parser, known while it comes (docs/mcp.md, "Readings"). */
export class BodyShape {
	readonly #shape = new JsonShape(limits)

	push(chunk: Buffer): void {
		this.#shape.push(chunk)
	}

	/** Known to be too much, before it is whole. */
	get excess(): ProtocolError | undefined {
		const { excess } = this.#shape
		if (excess === undefined) return undefined
		return new ProtocolError(
			'invalid_request',
			excess === 'depth'
				? `The body nests deeper than ${limits.depth} levels.`
				: 'The body has too many parts: send less at once.',
		)
	}

	/** Why the whole body is not parsed, if so: it is too much, or ends in the middle, which the parser would find out late. */
	end(): ProtocolError | undefined {
		return this.excess ?? (this.#shape.isOpen ? new ProtocolError('parse_error') : undefined)
	}
}
