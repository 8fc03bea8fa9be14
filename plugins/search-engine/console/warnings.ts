import type { IncomingHttpHeaders } from 'node:http'

/** `299 Elasticsearch-8.2.3-… "text"`; a date may follow, which is a quoted text without a code before it. */
const warning = /\b\d{3} [^\s",]+ "((?:[^"\\]|\\.)*)"/g

/** What the engine warns of in the headers of an answer, mostly that something is deprecated; each once. */
export function warningsOf(headers: IncomingHttpHeaders): readonly string[] {
	// Several headers of one name come as a list.
	const { warning: given = [] }: NodeJS.Dict<string | readonly string[]> = headers
	const texts = [given].flat().flatMap(header => [...header.matchAll(warning)].map(([, text = '']) => readable(text)))
	return [...new Set(texts)]
}

/** A header holds plain letters only: the engine escapes others, byte by byte. */
function readable(text: string): string {
	return text.replaceAll(/\\(.)/g, '$1').replaceAll(/(?:%[0-9a-f]{2})+/gi, bytes => {
		try {
			return decodeURIComponent(bytes)
		} catch {
			// A percent sign that stands for itself.
			return bytes
		}
	})
}
