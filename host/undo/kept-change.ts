import { type Cell, isCell } from '@roundhouse/kit/cell'
import { z } from 'zod'

/** What a change of rows replaced, as it is kept for an undo. */

const cellSchema = z.custom<Cell>(isCell)
const valuesSchema = z.record(z.string(), cellSchema)

/** A row as it was read directly before the change, which checked that it still had this version. */
const rowBeforeSchema = z.object({
	id: z.string(),
	version: z.string(),
	/** The whole row as JSON of the engine. */
	document: z.string(),
	jsonNulls: z.array(z.string()).exactOptional(),
	/** Columns that the document lacks, because the client that made the change may not see them. */
	hidden: z.array(z.string()).exactOptional(),
	/** As in the kit's `WholeRow`; absent if a deletion cannot be undone. */
	insertAgain: valuesSchema.exactOptional(),
})
export type RowBefore = Readonly<z.infer<typeof rowBeforeSchema>>

/** A row after the change. Without its id and version it cannot be found again. */
const rowAfterSchema = z.object({
	id: z.string(),
	version: z.string(),
	/**
	 * Digest of each value, by name; absent if the row could not be read at this version. A table that was made again, or
	 * restored elsewhere, may give the same version to another row.
	 */
	values: z.array(z.tuple([z.string(), z.string()])).exactOptional(),
})
export type RowAfter = Readonly<z.infer<typeof rowAfterSchema>>

const rowSchema = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('insert'), sent: valuesSchema, after: rowAfterSchema.exactOptional() }),
	z.object({
		kind: z.literal('update'),
		sent: valuesSchema,
		before: rowBeforeSchema,
		after: rowAfterSchema.exactOptional(),
	}),
	z.object({ kind: z.literal('delete'), before: rowBeforeSchema }),
])

const keptRowSchema = z.object({
	change: rowSchema,
	/** `unknown`: the connection was lost, so the engine may or may not have made the change. */
	outcome: z.enum(['applied', 'unknown']),
	isUndone: z.boolean().exactOptional(),
	/** Stored before an undo sends something, so that no row is undone twice. */
	isBegun: z.boolean().exactOptional(),
})
export type KeptRow = Readonly<z.infer<typeof keptRowSchema>>

export const keptChangeSchema = z.object({
	version: z.literal(1),
	id: z.string(),
	/** Milliseconds since 1970. */
	at: z.number(),
	connection: z.string(),
	/** Digest of the server that it was made on. */
	place: z.string(),
	table: z.string(),
	/** Who made it: the token of a client, or the person. Only that token may see it. */
	maker: z.discriminatedUnion('kind', [
		z.object({ kind: z.literal('client'), grantee: z.string() }),
		z.object({ kind: z.literal('person') }),
	]),
	/** The change that it undid. */
	undoes: z.string().exactOptional(),
	rows: z.array(keptRowSchema),
})
export type KeptChange = Readonly<z.infer<typeof keptChangeSchema>>
