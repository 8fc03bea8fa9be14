import type { z } from 'zod'

/** A type with every optional member required, at every depth. Two types have the same members if these are equal. */
type Whole<T> = T extends Uint8Array
	? T
	: T extends readonly (infer Item)[]
		? readonly Whole<Item>[]
		: T extends object
			? { readonly [Key in keyof T]-?: Whole<T[Key]> }
			: T

/**
 * Ties a schema to a type of the driver API, in both directions. With `z.ZodType<T>` alone, a new optional member
 * compiles, but the schema then strips it from every message.
 */
export function tied<T>() {
	return <Schema extends z.ZodType<T>>(
		schema: [Whole<z.output<Schema>>] extends [Whole<T>] ? Schema : { readonly 'lacks a member of': T },
	): z.ZodType<T> =>
		// The condition holds for every schema that compiles, but TypeScript does not narrow by it.
		schema as Schema
}
