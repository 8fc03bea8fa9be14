import { cutText, isExactNumber, isJsonObject, type Json, stringifyJson } from '@roundhouse/kit'

/** Fits answers of engines and drivers to the context of a model. */

/** Limit of an answer: about 8,000 tokens, which a model can read without losing its context. */
export const answerBytes = 24_000

/** A truncated part: its path, and the length of the whole in characters, items or members. */
export interface CutPart {
	readonly path: string
	readonly length: number
}

interface Fitted {
	readonly value: Json
	readonly cut: readonly CutPart[]
}

/** Limits that are tried in turn: characters of each text, items or members of each part, and depth. */
const attempts: readonly Limits[] = [
	...[8_000, 4_000, 2_000, 1_000, 500, 200].map(text => ({ text, items: Number.POSITIVE_INFINITY, depth: 256 })),
	...[500, 200, 100, 50, 20, 10, 5, 3].map(items => ({ text: 200, items, depth: 256 })),
	...[8, 4, 2, 1].map(depth => ({ text: 100, items: 3, depth })),
]

interface Limits {
	readonly text: number
	readonly items: number
	readonly depth: number
}

/** Upper limit of named cuts, which usually repeat. */
const maxNamed = 20

/**
 * Returns a JSON value of at most this many bytes. The longest texts are truncated first, then the longest lists and objects,
 * then what is deepest; what stays keeps its shape and all digits.
 */
export function fitted(value: Json, bytes: number): Fitted {
	if (Buffer.byteLength(stringifyJson(value)) <= bytes) return { value, cut: [] }
	for (const limits of attempts) {
		const cut: CutPart[] = []
		const shorter = shortened(value, limits, { path: '', depth: 0, cut })
		if (Buffer.byteLength(stringifyJson(shorter)) <= bytes) return { value: shorter, cut: cut.slice(0, maxNamed) }
	}
	return { value: Array.isArray(value) ? [] : isJsonObject(value) ? {} : null, cut: [{ path: '', length: bytes }] }
}

interface Place {
	readonly path: string
	readonly depth: number
	readonly cut: CutPart[]
}

function shortened(value: Json, limits: Limits, { path, depth, cut }: Place): Json {
	const inside = (name: string | number): Place => ({
		path: path ? `${path}.${name}` : `${name}`,
		depth: depth + 1,
		cut,
	})
	if (typeof value === 'string') {
		if (value.length <= limits.text) return value
		cut.push({ path, length: value.length })
		return cutText(value, limits.text)
	}
	if (isExactNumber(value) || typeof value !== 'object' || value === null) return value
	const most = depth >= limits.depth ? 0 : limits.items
	if (Array.isArray(value)) {
		if (value.length > most) cut.push({ path, length: value.length })
		return value.slice(0, most).map((item, at) => shortened(item, limits, inside(at)))
	}
	const members = Object.entries(value)
	if (members.length > most) cut.push({ path, length: members.length })
	return Object.fromEntries(
		members.slice(0, most).map(([name, member = null]) => [name, shortened(member, limits, inside(name))]),
	)
}

/** Returns as many of the first items as fit in an answer. */
export function thatFit<T extends Json>(items: readonly T[], bytes = answerBytes): readonly T[] {
	let size = 0
	const excess = items.findIndex(item => {
		size += Buffer.byteLength(stringifyJson(item)) + 1
		return size > bytes
	})
	return excess < 0 ? items : items.slice(0, excess)
}
