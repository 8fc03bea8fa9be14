import type { IncomingMessage } from 'node:http'

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
