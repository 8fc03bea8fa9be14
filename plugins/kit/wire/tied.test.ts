import { expect, test } from 'vitest'
import { z } from 'zod'
import { tied } from './tied.ts'

interface Found {
	readonly name: string
	readonly size?: number
	readonly inner?: { readonly note?: string }
}

const name = z.string()
const size = z.number().exactOptional()

test('a schema that matches its type parses values', () => {
	const inner = z.object({ note: z.string().exactOptional() }).exactOptional()
	const schema = tied<Found>()(z.object({ name, size, inner }))
	expect(schema.safeParse({ name: 'a', inner: { note: 'b' } }).success).toBe(true)
	expect(schema.safeParse({ size: 1 }).success).toBe(false)
})

test('the compiler rejects a schema that would strip a member at any depth, or that accepts another type', () => {
	const withoutNote = z.object({ name, size, inner: z.object({}).exactOptional() })
	// @ts-expect-error The schema lacks `inner`.
	tied<Found>()(z.object({ name, size }))
	// @ts-expect-error The schema lacks `inner.note`.
	tied<Found>()(withoutNote)
	// @ts-expect-error `size` is not a string.
	tied<Omit<Found, 'inner'>>()(z.object({ name, size: name.exactOptional() }))
	expect(withoutNote.parse({ name: 'a', inner: { note: 'b' } })).toEqual({ name: 'a', inner: {} })
})
