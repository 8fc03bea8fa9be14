/** A string in a JSON text, with its place. */
export interface BodyValue {
	readonly start: number
	readonly end: number
	/** Whether it is the name of a member. */
	readonly isKey: boolean
	/**
	 * The enclosing members, outermost first. Valid until the next value is requested: a copy for each value would take
	 * quadratic time in a deep body.
	 */
	readonly keys: readonly string[]
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g

/** Returns the strings of valid JSON, or of several values side by side, in one pass. */
export function* bodyValues(json: string): Generator<BodyValue> {
	/** For each open bracket: whether it is an object, and whether it has contributed a key. */
	const open: { readonly isObject: boolean; hasKey: boolean; isKeyNext: boolean }[] = []
	const keys: string[] = []
	for (const { 0: found, index: start } of json.matchAll(token)) {
		const within = open.at(-1)
		if (found === '{' || found === '[') open.push({ isObject: found === '{', hasKey: false, isKeyNext: found === '{' })
		else if (found === '}' || found === ']') {
			if (open.pop()?.hasKey) keys.pop()
		} else if (found === ',') {
			if (within) within.isKeyNext = within.isObject
		} else if (found !== ':') {
			const isKey = within?.isKeyNext ?? false
			if (within && isKey) {
				if (within.hasKey) keys.pop()
				keys.push(JSON.parse(found))
				within.hasKey = true
				within.isKeyNext = false
			}
			yield { start, end: start + found.length, isKey, keys }
		}
	}
}
