import type { z } from 'zod'

/** A type with every optional member asked for, at every depth: two types agree on their members when these do. */
type Whole<T> = T extends Uint8Array
	? T
	: T extends readonly (infer Item)[]
		? readonly Whole<Item>[]
		: T extends object
			? { readonly [Key in keyof T]-?: Whole<T[Key]> }
			: T

/**
 * Ties a schema to a type of the driver API, in both directions. `z.ZodType<T>` alone lets a new optional member pass: it
 * compiles, and the schema then strips it from every message.
 */
export function tied<T>() {
	return <Schema extends z.ZodType<T>>(
		schema: [Whole<z.output<Schema>>] extends [Whole<T>] ? Schema : { readonly 'lacks a member of': T },
	): z.ZodType<T> =>
		// The condition holds for every schema that gets here; TypeScript does not narrow by it.
		schema as Schema
}
