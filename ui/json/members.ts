import { endOfText } from './lay-out.ts'

/** A member of an object or a list, by its position in the JSON text. */
export interface Member {
	/** A name, or an index in a list. */
	readonly key: string | number
	readonly start: number
	readonly end: number
}

export type ValueKind = 'object' | 'list' | 'text' | 'other'

export function kindOf(bytes: Uint8Array, start: number): ValueKind {
	const byte = bytes[start]
	if (byte === openBrace) return 'object'
	if (byte === openBracket) return 'list'
	return byte === quote ? 'text' : 'other'
}

/** Returns the whole value of a JSON text. */
export function rootOf(bytes: Uint8Array): Member {
	const start = behindBlanks(bytes, 0)
	return { key: '', start, end: bytes.length }
}

/** Iterates over the members of the object or list at a position. Members that are not requested are not searched. */
export function* membersOf(bytes: Uint8Array, start: number): Generator<Member, undefined> {
	const isObject = bytes[start] === openBrace
	let at = behindBlanks(bytes, start + 1)
	for (let index = 0; at < bytes.length && bytes[at] !== closeBrace && bytes[at] !== closeBracket; index++) {
		let key: string | number = index
		if (isObject) {
			const nameEnd = endOfText(bytes, at)
			key = nameOf(bytes.subarray(at, nameEnd))
			// After the colon.
			at = behindBlanks(bytes, behindBlanks(bytes, nameEnd) + 1)
		}
		const end = endOfValue(bytes, at)
		yield { key, start: at, end }
		at = behindBlanks(bytes, end)
		if (bytes[at] === comma) at = behindBlanks(bytes, at + 1)
	}
}

/** Returns a name that occurs twice in one object, of which a parser would keep only the last. For complete JSON. */
export function repeatedName(bytes: Uint8Array): string | undefined {
	/** The names in each open object; a list has none. */
	const open: (Set<string> | undefined)[] = []
	for (let at = 0; at < bytes.length; ) {
		const byte = bytes[at] as number
		if (byte === quote) {
			const end = endOfText(bytes, at)
			const names = open.at(-1)
			if (names !== undefined && bytes[behindBlanks(bytes, end)] === colon) {
				const name = nameOf(bytes.subarray(at, end))
				if (names.has(name)) return name
				names.add(name)
			}
			at = end
			continue
		}
		if (byte === openBrace) open.push(new Set())
		else if (byte === openBracket) open.push(undefined)
		else if (byte === closeBrace || byte === closeBracket) open.pop()
		at++
	}
	return undefined
}

/** Returns where the value at a position ends. Not recursive, because the engine decides the depth. */
function endOfValue(bytes: Uint8Array, start: number): number {
	let depth = 0
	for (let at = start; at < bytes.length; ) {
		const byte = bytes[at] as number
		if (byte === quote) {
			at = endOfText(bytes, at)
			if (depth === 0) return at
			continue
		}
		if (byte === openBrace || byte === openBracket) depth++
		else if (byte === closeBrace || byte === closeBracket) {
			if (depth === 0) return at
			if (--depth === 0) return at + 1
		} else if (depth === 0 && (byte === comma || byte <= space)) return at
		at++
	}
	return bytes.length
}

/** Returns the path of a member as scripts and queries write it: `author.names[0]["a.b"]`. */
export function pathOf(keys: readonly Member['key'][]): string {
	return keys.reduce<string>((path, key) => {
		if (typeof key === 'number') return `${path}[${key}]`
		if (!/^[\p{L}_$@][\p{L}\p{N}_$@-]*$/u.test(key)) return `${path}[${JSON.stringify(key)}]`
		return path === '' ? key : `${path}.${key}`
	}, '')
}

function nameOf(text: Uint8Array): string {
	const name = decoder.decode(text)
	try {
		return JSON.parse(name)
	} catch {
		// For JSON that is truncated or invalid.
		return name
	}
}

function behindBlanks(bytes: Uint8Array, from: number): number {
	let at = from
	while (at < bytes.length && (bytes[at] as number) <= space) at++
	return at
}

const decoder = new TextDecoder()
const [space, quote, openBrace, closeBrace, openBracket, closeBracket, colon, comma] = [
	0x20, 0x22, 0x7b, 0x7d, 0x5b, 0x5d, 0x3a, 0x2c,
] as const
