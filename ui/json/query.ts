import { isExactNumber, type Json, stringifyJson } from '@roundhouse/kit/json'
import { search } from 'jmespath'

/**
 * JMESPath over JSON whose numbers keep their digits. A number that a double would print differently passes the library
 * as a Number object: it is compared and sorted by value, and printed as it came.
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

/** The property that the library asks an object for; it cannot be mistaken for a member. */
const bare = Object.create(null, { hasOwnProperty: { value: Object.prototype.hasOwnProperty } })

export interface Queryable {
	readonly tree: unknown
	/** It contains numbers that `==` treats as other numbers. */
	readonly hasSpelledNumbers: boolean
}

/** Changes the value in place; it was parsed for this purpose only. */
export function queryable(json: Json): Queryable {
	let hasSpelledNumbers = false
	const spelled = (value: Json): unknown => {
		if (!isExactNumber(value)) return value
		hasSpelledNumbers = true
		return new SpelledNumber(value.rawJSON, value)
	}
	const root = { value: json }
	/** Not recursive, because the engine decides the depth. */
	const waiting: Record<string, unknown>[] = [root]
	for (let container = waiting.pop(); container !== undefined; container = waiting.pop()) {
		// The library also reads inherited members, so objects have no prototype.
		if (!Array.isArray(container)) Object.setPrototypeOf(container, bare)
		for (const key of Object.keys(container)) {
			// A value of the parser.
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
		// The library's result consists of its input, strings and plain numbers.
		const found = search(tree, expression) ?? null
		// A name such as `constructor` would find a function in one of the library's objects.
		return stringifyJson(typeof found === 'function' ? null : (found as Json))
	} catch (error) {
		// Typing passes through incomplete expressions.
		if (endsEarly.test(String(error))) throw new Error('The expression is not finished.')
		throw error
	}
}

/** The library's message: `Expected Star, got: EOF`, `Invalid token (EOF): ""`, or a TypeError if nothing follows. */
const endsEarly = /^TypeError|: EOF\b|\(EOF\)/

/** Limits of an expression that compares numbers. */
export function caveatOf({ hasSpelledNumbers }: Queryable, expression: string): string | undefined {
	if (!hasSpelledNumbers || !/[=!]=|contains|sum|avg|abs|ceil|floor|to_number/.test(expression)) return undefined
	return 'Numbers such as 1.0, or of more than 15 digits, keep their digits here: < and > compare them by value, == and contains do not find them, and sums are rounded.'
}
