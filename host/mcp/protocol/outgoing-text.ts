import { type RedactionPatterns, redact, secretsRevision } from '../../../base/redaction.ts'
import { currentConnection } from './current-call.ts'
import { printable } from './printable.ts'

/**
 * Redacts a text for an AI client. Removes secrets, like in all texts of the host, but not those of
 * other connections than the call's. Also removes addresses of servers
 * and names of home folders, which only the user in the window may see.
 */
export const outgoingText = remembering((text, connectionId) => redact(text, patterns, connectionId))

/** Redacts a text of a driver or an engine like {@link outgoingText}, and puts it on one line. */
export const driverText = remembering((text, connectionId) => printable(redact(text, patterns, connectionId)))

/**
 * Returns a change of texts for the connection of the call that is being handled, which remembers the short texts that
 * it leaves as they are: names of tools and clients occur in every call.
 */
function remembering(change: (text: string, connectionId: string | undefined) => string): (text: string) => string {
	const kept = new Map<string | undefined, Map<string, string>>()
	let count = 0
	let revision = secretsRevision()
	return text => {
		if (revision !== secretsRevision() || count >= mostKept) {
			kept.clear()
			count = 0
			revision = secretsRevision()
		}
		const connectionId = currentConnection()
		const unchanged = kept.get(connectionId)
		const known = unchanged?.get(text)
		if (known !== undefined) return known
		const changed = change(text, connectionId)
		if (changed === text && text.length <= maxKeptLength) {
			kept.set(connectionId, (unchanged ?? new Map<string, string>()).set(text, text))
			count++
		}
		return changed
	}
}

const [mostKept, maxKeptLength] = [1000, 200]

/**
 * Returns input of a client for a quote in a message. Redacts before it truncates, so that no part of a secret is left.
 */
export function quotedInput(text: string, maxLength = 100): string {
	return outgoingText(text).slice(0, maxLength)
}

const address = '[address]'

const patterns: RedactionPatterns = [
	[/(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?(?![\w.]*\d)/g, address],
	// IPv6 in brackets; whole; shortened.
	[/\[(?=[0-9a-f.]{0,39}:[0-9a-f.]{0,39}:)[0-9a-f:.]{2,45}(?:%\w{1,32})?\](?::\d{1,5})?/gi, address],
	[/(?<![\w:])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![\w:])/gi, address],
	[
		/(?<![\w:])(?=:{0,2}[0-9a-f])(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?(?![\w:])/gi,
		address,
	],
	// Home folders of Linux, macOS and Windows.
	[/(?:\/home|\/Users)\/[^/\s:'"]+/g, '~'],
	[/\b[A-Z]:\\+Users\\+[^\\\s:'"]+/gi, '~'],
]
