import { isExactNumber, type Json, stringifyJson } from '@roundhouse/kit/json'
import { search } from 'jmespath'

/**
 * JMESPath over JSON whose numbers keep their digits. A number that a double would print otherwise goes through the
 * library as an object of Number: it is compared and sorted by its value, and printed as it came.
 */
class SpelledNumber extends Number {
	readonly #exact: Json

	constructor(digits: string, exact: Json) {
		super(digits)
		this.#exact = exact
	}

	toJSON(): Json {
		return this.#exact
	}
}

/** What the library asks an object for, and nothing that could be taken for a member. */
const bare = Object.create(null, { hasOwnProperty: { value: Object.prototype.hasOwnProperty } })

export interface Queryable {
	readonly tree: unknown
	/** It has numbers that `==` takes for others. */
	readonly hasSpelledNumbers: boolean
}

/** Changes in place what was parsed for this alone. */
export function queryable(json: Json): Queryable {
	let hasSpelledNumbers = false
	const spelled = (value: Json): unknown => {
		if (!isExactNumber(value)) return value
		hasSpelledNumbers = true
		return new SpelledNumber(value.rawJSON, value)
	}
	const root = { value: json }
	/** Without recursion: the depth is the engine's. */
	const waiting: Record<string, unknown>[] = [root]
	for (let container = waiting.pop(); container !== undefined; container = waiting.pop()) {
		// The library reads members as they are inherited too: nothing but a document's own is in it.
		if (!Array.isArray(container)) Object.setPrototypeOf(container, bare)
		for (const key of Object.keys(container)) {
			// What the parser made.
			const value = container[key] as Json
			const next = spelled(value)
			if (next !== value) container[key] = next
			else if (typeof value === 'object' && value !== null) waiting.push(value as Record<string, unknown>)
		}
	}
	return { tree: root.value, hasSpelledNumbers }
}

/** @returns compact JSON. @throws Error that says what is wrong with the expression */
export function query({ tree }: Queryable, expression: string): string {
	try {
		// What the library gives back is made of what went in, texts and plain numbers.
		const found = search(tree, expression) ?? null
		// A name such as `constructor` finds a function in an object of the library's own.
		return stringifyJson(typeof found === 'function' ? null : (found as Json))
	} catch (error) {
		// Everyone who types passes through such an expression.
		if (endsEarly.test(String(error))) throw new Error('The expression is not finished.')
		throw error
	}
}

/** As the library says it: `Expected Star, got: EOF`, `Invalid token (EOF): ""`, or a TypeError of its own where nothing follows. */
const endsEarly = /^TypeError|: EOF\b|\(EOF\)/

/** What the answer to an expression may not say, where it compares numbers. */
export function caveatOf({ hasSpelledNumbers }: Queryable, expression: string): string | undefined {
	if (!hasSpelledNumbers || !/[=!]=|contains|sum|avg|abs|ceil|floor|to_number/.test(expression)) return undefined
	return 'Numbers such as 1.0, or of more than 15 digits, keep their digits here: < and > compare them by value, == and contains do not find them, and sums are rounded.'
}
