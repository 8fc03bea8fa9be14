import { addAbortSignal, type Readable } from 'node:stream'

/**
 * Lines of stdio. Only a line feed ends one. `readline` of Node also ends a line at U+2028 and U+2029, which JSON allows
 * inside of texts.
 */

/** Reads lines until the input ends or the signal aborts. A carriage return before the line feed is white space of JSON. */
export async function* linesOf(input: Readable, signal: AbortSignal): AsyncGenerator<string> {
	input.setEncoding('utf8')
	const pieces: string[] = []
	try {
		for await (const chunk of addAbortSignal(signal, input)) {
			// The encoding makes chunks texts.
			const [first = '', ...others] = (chunk as string).split('\n')
			pieces.push(first)
			for (const other of others) {
				yield pieces.splice(0).join('')
				pieces.push(other)
			}
		}
	} catch (error) {
		if (!signal.aborted) throw error
		return
	}
	if (pieces.length > 0) yield pieces.join('')
}

/** Escapes what other readers of lines take for the end of one. JSON has these characters in texts only. */
export const asOneLine = (json: string): string =>
	json.replaceAll(/[\u0085\u2028\u2029]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
