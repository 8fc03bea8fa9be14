import type { IncomingMessage } from 'node:http'

export interface BodyReader {
	done(body: Buffer): void
	/** Called once, as soon as the body is known to be too large; what follows is thrown away unread. */
	tooLarge(): void
}

/** Reads a body and counts while it reads, so that a body without a length cannot fill the memory either. */
export function readBody(request: IncomingMessage, limitBytes: number, reader: BodyReader): void {
	if (Number(request.headers['content-length'] ?? 0) > limitBytes) {
		request.resume()
		return reader.tooLarge()
	}
	const chunks: Buffer[] = []
	let size = 0
	const onData = (chunk: Buffer) => {
		size += chunk.length
		if (size <= limitBytes) return void chunks.push(chunk)
		chunks.length = 0
		request.off('data', onData).off('end', onEnd)
		request.resume()
		reader.tooLarge()
	}
	const onEnd = () => reader.done(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
	request.on('data', onData).on('end', onEnd)
	// A sender that breaks off has nobody left to answer; node:http cleans up.
	request.on('error', () => {})
}
