import { LRUCache } from 'lru-cache'
import { type RedactionPatterns, redact, secretsRevision } from '../../../base/redaction.ts'
import { currentConnection } from './current-call.ts'
import { printable } from './printable.ts'

/**
 * Redacts a text for an AI client. Removes secrets, like in all texts of the host, but not those of
 * other connections than the call's. Also removes addresses of servers
 * and names of home folders, which only the user in the window may see.
 */
export function outgoingText(text: string): string {
	const connectionId = currentConnection()
	const key = `${connectionId ?? ''}\n${text}`
	if (unchanged.get(key) === secretsRevision()) return text
	const redacted = redact(text, patterns, connectionId)
	if (redacted === text && text.length <= maxKeptLength) unchanged.set(key, secretsRevision())
	return redacted
}

/** Texts that redaction does not change, with the revision of the secrets: names of tools and clients in every call. */
const unchanged = new LRUCache<string, number>({ max: 1000 })
const maxKeptLength = 200

/** Redacts a text of a driver or an engine like {@link outgoingText}, and puts it on one line. */
export function driverText(text: string): string {
	return printable(outgoingText(text))
}

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
