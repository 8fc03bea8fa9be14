/** A string of a JSON text, and where it stands. */
export interface BodyValue {
	readonly start: number
	readonly end: number
	/** It names a member. */
	readonly isKey: boolean
	/** The members that it stands in, the outermost first. */
	readonly keys: readonly string[]
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g

/** The strings of valid JSON, or of several values side by side, in one pass. */
export function* bodyValues(json: string): Generator<BodyValue> {
	/** For each bracket that is open: whether it holds members, and the name of the one in hand. */
	const open: { readonly isObject: boolean; key: string | undefined; isKeyNext: boolean }[] = []
	for (const { 0: found, index: start } of json.matchAll(token)) {
		const within = open.at(-1)
		if (found === '{' || found === '[') open.push({ isObject: found === '{', key: undefined, isKeyNext: found === '{' })
		else if (found === '}' || found === ']') open.pop()
		else if (found === ',') {
			if (within) within.isKeyNext = within.isObject
		} else if (found !== ':') {
			const isKey = within?.isKeyNext ?? false
			if (within && isKey) {
				within.key = JSON.parse(found)
				within.isKeyNext = false
			}
			const keys = open.flatMap(({ key }) => (key === undefined ? [] : [key]))
			yield { start, end: start + found.length, isKey, keys }
		}
	}
}
