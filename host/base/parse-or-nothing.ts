/** JSON from outside, for a schema to judge: `undefined` where the text is no JSON at all. */
export function parseOrNothing(text: string): unknown {
	try {
		return JSON.parse(text)
	} catch {
		return undefined
	}
}
