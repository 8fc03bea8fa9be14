import { shortType } from '../catalog/short-type.ts'

/** Types and defaults of columns as text. Pure. */

/** Returns a type without its parameters: `numeric` for `numeric(12,2)`, `text[]` for itself. */
export const baseType = (type: string): string => shortType(type).replace(/\([^)]*\)/, '')

const texts = new Set(['text', 'varchar', 'char', 'citext', 'name'])
const numbers = ['smallint', 'integer', 'bigint', 'numeric', 'real', 'double precision']

/**
 * Whether values of a type become those of another one without words. Then the server refuses a value that does not fit;
 * an explicit cast would cut it.
 */
export function isAssigned(from: string, to: string): boolean {
	const [old, current] = [baseType(from), baseType(to)]
	return (
		old === current ||
		texts.has(current) ||
		(numbers.includes(old) && numbers.includes(current)) ||
		isTime(old, current)
	)
}

const times = ['date', 'timestamp', 'timestamptz']
const isTime = (old: string, current: string) => times.includes(old) && times.includes(current)

/** Returns a default as people write it. The server adds the type of the column to a text, and quotes to a negative number. */
export function shortDefault(expression: string, type: string): string {
	const found = /^'((?:[^']|'')*)'::(.+)$/s.exec(expression)
	if (!found) return expression
	const [, text = '', cast = ''] = found
	const isNumber = [cast, type].every(name => numbers.includes(baseType(name))) && /^-?\d+(?:\.\d+)?$/.test(text)
	if (isNumber) return text
	return baseType(cast) === baseType(type) ? `'${text}'` : expression
}

/** A value that the server makes, as the form writes it. */
export type Generated =
	| { readonly kind: 'identity'; readonly isAlways: boolean }
	| { readonly kind: 'computed'; readonly expression: string; readonly isStored: boolean }

export const identityWords = { default: 'identity', always: 'identity always' } as const

/** Reads what {@link generatedText} returns, or `undefined` for a default. */
export function readGenerated(text: string | undefined): Generated | undefined {
	const plain = text?.trim() ?? ''
	if (/^identity(?:\s+always)?$/i.test(plain)) return { kind: 'identity', isAlways: /always/i.test(plain) }
	const found = /^(?:generated\s+always\s+)?as\s*\((.+)\)\s*(stored|virtual)?$/is.exec(plain)
	if (!found) return undefined
	return { kind: 'computed', expression: found[1] ?? '', isStored: found[2]?.toLowerCase() !== 'virtual' }
}

/** Returns the text of a computed column: `as (price * 2) stored`. */
export const computedText = (expression: string, isStored: boolean): string =>
	`as (${expression}) ${isStored ? 'stored' : 'virtual'}`
