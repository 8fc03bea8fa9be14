import type { IncomingMessage } from 'node:http'
import { BodyShape, harmlessBytes } from '../protocol/body-shape.ts'
import type { ProtocolError } from '../protocol/errors.ts'

export interface BodyReader {
	/** Called with the complete body. `fault` is the reason why it must not be parsed. */
	done(body: Buffer, fault: ProtocolError | undefined): void
	/** Called once, as soon as the body exceeds the limit. The rest is discarded. */
	tooLarge(): void
}

/** Reads a body up to a limit, also if it has no Content-Length. */
export function readBody(request: IncomingMessage, limitBytes: number, reader: BodyReader): void {
	const length = Number(request.headers['content-length'] ?? Number.NaN)
	if (length > limitBytes) {
		request.resume()
		return reader.tooLarge()
	}
	const shape = length <= harmlessBytes ? undefined : new BodyShape()
	let chunks: Buffer[] = []
	let size = 0
	const onData = (chunk: Buffer) => {
		size += chunk.length
		if (size > limitBytes) {
			chunks = []
			request.off('data', onData).off('end', onEnd)
			request.resume()
			return reader.tooLarge()
		}
		shape?.push(chunk)
		if (shape?.excess) chunks = []
		else chunks.push(chunk)
	}
	const onEnd = () => reader.done(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks), shape?.end())
	request.on('data', onData).on('end', onEnd)
	// The client has disconnected, so there is no answer to send. node:http cleans up.
	request.on('error', () => {})
}
