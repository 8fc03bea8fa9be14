import type { IncomingMessage } from 'node:http'
import { BodyShape } from '../protocol/body-shape.ts'
import type { ProtocolError } from '../protocol/errors.ts'

export interface BodyReader {
	/** The body is here; where there is a `fault`, its shape says already why it is not to be parsed. */
	done(body: Buffer, fault: ProtocolError | undefined): void
	/** Called once, as soon as the body is known to be too large; what follows is thrown away unread. */
	tooLarge(): void
}

/** Reads a body and counts while it reads, so that a body without a length cannot fill the memory either. */
export function readBody(request: IncomingMessage, limitBytes: number, reader: BodyReader): void {
	if (Number(request.headers['content-length'] ?? 0) > limitBytes) {
		request.resume()
		return reader.tooLarge()
	}
	const shape = new BodyShape()
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
		shape.push(chunk)
		if (shape.excess) chunks = []
		else chunks.push(chunk)
	}
	const onEnd = () => reader.done(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks), shape.end())
	request.on('data', onData).on('end', onEnd)
	// A sender that breaks off has nobody left to answer; node:http cleans up.
	request.on('error', () => {})
}
