import type { IncomingHttpHeaders } from 'node:http'

/** `299 Elasticsearch-8.2.3-… "text"`. A date may follow, which is a quoted text without a code before it. */
const warning = /\b\d{3} [^\s",]+ "((?:[^"\\]|\\.)*)"/g

/** Returns the warnings in the headers of an answer, mostly deprecations, each once. */
export function warningsOf(headers: IncomingHttpHeaders): readonly string[] {
	// Several headers with one name are a list.
	const { warning: given = [] }: NodeJS.Dict<string | readonly string[]> = headers
	const texts = [given].flat().flatMap(header => [...header.matchAll(warning)].map(([, text = '']) => readable(text)))
	return [...new Set(texts)]
}

/** Decodes the percent escapes that the engine uses for other characters than ASCII. */
function readable(text: string): string {
	return text.replaceAll(/\\(.)/g, '$1').replaceAll(/(?:%[0-9a-f]{2})+/gi, bytes => {
		try {
			return decodeURIComponent(bytes)
		} catch {
			// A literal percent sign.
			return bytes
		}
	})
}
