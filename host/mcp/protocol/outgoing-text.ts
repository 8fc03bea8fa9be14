import { type RedactionPatterns, redact } from '../../base/redaction.ts'

/**
 * Words that go to an AI client: without secrets, like all texts of the host, and beyond that without the addresses of
 * servers and the names of people's folders, which the person in the window may see and a client has no use for.
 */
export function outgoingText(text: string): string {
	return redact(text, patterns)
}

/** A client's own word as our sentences repeat it: cleaned, then cut, so that no half of a secret is left. */
export function repeated(text: string, longest = 100): string {
	return outgoingText(text).slice(0, longest)
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
