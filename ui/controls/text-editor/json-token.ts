import type { StringStream } from '@codemirror/streamparser'

/** Consumes the JSON value or name at the stream's position; `undefined` if there is none. */
export function jsonToken(stream: StringStream): string | undefined {
	// A name must be closed: otherwise a time or an address would be a name up to its colon.
	if (stream.match(/^"(?:[^"\\]|\\.)*"(?=\s*:)/)) return 'propertyName'
	if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string'
	if (stream.match(/^-?\d+(\.\d+)?([eE][+-]?\d+)?\b/)) return 'number'
	if (stream.match(/^(true|false|null)\b/)) return 'atom'
	return undefined
}
