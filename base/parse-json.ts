/** Parses JSON from outside, for a schema to validate. Returns `undefined` if the text is not JSON. */
export function parseJsonOrUndefined(text: string): unknown {
	try {
		return JSON.parse(text)
	} catch {
		return undefined
	}
}
