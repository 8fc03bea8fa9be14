import { redact } from '../../base/redaction.ts'

/**
 * Words that go to an AI client: without secrets, like all texts of the host, and beyond that without the addresses of
 * servers and the names of people's folders, which the person in the window may see and a client has no use for.
 */
export function outgoingText(text: string): string {
	return patterns.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), redact(text))
}

const address = '[address]'

const patterns: readonly (readonly [RegExp, string])[] = [
	[/(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?(?![\w.]*\d)/g, address],
	// IPv6 in brackets; whole; shortened.
	[/\[(?=[^\]]*:[^\]]*:)[0-9a-f:.]+(?:%\w+)?\](?::\d{1,5})?/gi, address],
	[/(?<![\w:])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![\w:])/gi, address],
	[
		/(?<![\w:])(?=[0-9a-f:]*[0-9a-f])(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*)?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*)?(?![\w:])/gi,
		address,
	],
	// Home folders of Linux, macOS and Windows.
	[/(?:\/home|\/Users)\/[^/\s:'"]+/g, '~'],
	[/\b[A-Z]:\\+Users\\+[^\\\s:'"]+/gi, '~'],
]
