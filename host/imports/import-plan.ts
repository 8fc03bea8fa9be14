import { importConflicts } from '@roundhouse/kit'
import { z } from 'zod'
import { fileFormat } from './file-format.ts'

/** What is imported, as the user was shown it. */
export const importPlan = z.object({
	/** Id of a saved connection. */
	connection: z.string(),
	table: z.string(),
	file: z.object({ name: z.string().max(1_000), sizeBytes: z.int().nonnegative() }),
	format: fileFormat,
	/** A field of the file for each column that gets values. */
	mapping: z
		.array(z.object({ field: z.string(), column: z.string() }))
		.min(1, 'Choose at least one column to import.')
		.max(10_000)
		.refine(pairs => new Set(pairs.map(({ column }) => column)).size === pairs.length, {
			message: 'A column is chosen twice. Choose each column once.',
		}),
	onConflict: z.enum(importConflicts),
	/** Whether the other rows are imported if some fail, where all rows are imported together. */
	skipsBad: z.boolean().exactOptional(),
})
export type ImportPlan = z.output<typeof importPlan>
