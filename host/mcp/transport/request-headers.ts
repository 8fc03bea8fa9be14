import type { IncomingMessage } from 'node:http'
import type { Credentials } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { bridgeHeader } from '../wire/headers.ts'

/**
 * Whether a header was sent more than once. node:http keeps the first; another reader on the way may have kept the
 * last, so for the headers that decide who may pass, two are as bad as a wrong one.
 */
export function isRepeated(request: IncomingMessage, name: string): boolean {
	let count = 0
	const { rawHeaders } = request
	for (let index = 0; index < rawHeaders.length; index += 2) {
		const raw = rawHeaders[index]
		if (raw?.length === name.length && raw.toLowerCase() === name) count++
	}
	return count > 1
}

/** What a request shows of its sender. */
export function credentialsOf(request: IncomingMessage): Credentials {
	const bridgeId = request.headers[bridgeHeader]
	return {
		// Two of them count as one that holds no token.
		authorization: isRepeated(request, 'authorization') ? '' : request.headers.authorization,
		address: request.socket.remoteAddress ?? '',
		bridgeId: typeof bridgeId === 'string' ? bridgeId : undefined,
	}
}

const json = /^(?:application\/json|[a-z0-9!#$&^_.-]+\/[a-z0-9!#$&^_.+-]+\+json)\s*(?:;|$)/i

/**
 * Contract, "Required headers": `application/json` or any `+json` type. Its absence counts as any other required
 * header's does.
 * @throws ProtocolError `header_mismatch`
 */
export function checkContentType(contentType: string | undefined): void {
	if (contentType !== undefined && json.test(contentType)) return
	throw new ProtocolError('header_mismatch', 'The header Content-Type is `application/json` or a `+json` type.')
}
