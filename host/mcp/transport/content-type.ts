import { ProtocolError } from '../protocol/errors.ts'

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
