import type { Json } from '@roundhouse/kit'
import { z } from 'zod'

/** Output schemas that several tools share. */

/** Any JSON value. zod must not inspect it, because exact numbers are not plain numbers. */
export const anyJson = z.custom<Json>(() => true)

export const tablesOutput = z.array(
	z.object({
		name: z.string(),
		kind: z.string().optional(),
		path: z.array(z.string()).optional(),
		cannot: z.custom<Readonly<Record<string, string>>>(() => true).optional(),
		row_count: z.number().optional(),
		row_count_is_estimated: z.boolean().optional(),
		size_bytes: z.number().optional(),
		condition: z.string().optional(),
	}),
)

export const columnOutput = {
	name: z.string(),
	type: z.string(),
	is_key: z.boolean().optional(),
	is_read_only: z.literal([true, 'after_insert']).optional(),
	is_sortable: z.boolean().optional(),
	key_position: z.number().optional(),
	is_required: z.boolean().optional(),
	default: z.string().optional(),
	generated: z.string().optional(),
	choices: z.array(z.string()).optional(),
	note: z.string().optional(),
}

export const referencesOutput = z
	.array(z.object({ columns: z.array(z.string()), table: z.string(), to: z.array(z.string()) }))
	.optional()

export const noticesOutput = z.array(z.string()).optional()

/** Output of `rowSet`. Columns and values have the same order. */
export const rowSetOutput = {
	columns: z.array(z.object({ name: z.string(), type: z.string() })),
	rows: z.array(z.array(anyJson)),
	row_count: z.number(),
	is_truncated: z.boolean(),
	hint: z.string().optional(),
	cut_cells: z.array(z.object({ row: z.number(), column: z.string(), length: z.number().optional() })).optional(),
}
