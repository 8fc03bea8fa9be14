import type { IncomingMessage } from 'node:http'
import type { Credentials } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { bridgeHeader } from '../wire/headers.ts'

/**
 * Whether a header was sent more than once. node:http uses the first, a proxy may have used the last. So duplicates of
 * headers that decide about access are rejected.
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

/** Returns the credentials of a request. */
export function credentialsOf(request: IncomingMessage): Credentials {
	const bridgeId = request.headers[bridgeHeader]
	return {
		// Duplicates count as an invalid header.
		authorization: isRepeated(request, 'authorization') ? '' : request.headers.authorization,
		connection: request.socket,
		address: request.socket.remoteAddress ?? '',
		bridgeId: typeof bridgeId === 'string' ? bridgeId : undefined,
	}
}

const json = /^(?:application\/json|[a-z0-9!#$&^_.-]+\/[a-z0-9!#$&^_.+-]+\+json)\s*(?:;|$)/i

/**
 * Contract, "Required headers": `application/json` or any `+json` type. A missing header is an error like that of other
 * required headers.
 * @throws ProtocolError `header_mismatch`
 */
export function checkContentType(contentType: string | undefined): void {
	if (contentType !== undefined && json.test(contentType)) return
	throw new ProtocolError('header_mismatch', 'The header Content-Type is `application/json` or a `+json` type.')
}
