import { z } from 'zod'
import { readJsonFile, writeJsonFile } from '../../base/atomic-file.ts'
import type { SupportDirectory } from '../../base/support-directory.ts'
import { linkSchema } from './chain.ts'

/**
 * The first and last entry of the chain, stored in a separate file. Otherwise a removed line at either end would not be
 * detected.
 */
const boundsSchema = z.object({
	version: z.literal(1),
	/** The last entry that was removed because of its age, or the origin. */
	before: linkSchema,
	/** The last entry when this file was written. More lines may follow. */
	last: linkSchema,
	/** Set if the log had lines while this file was missing. Lines at either end may have been removed. */
	isLost: z.boolean().exactOptional(),
})
export type ChainBounds = z.infer<typeof boundsSchema>

const boundsPath = (support: SupportDirectory) => support.file('activity-ends.json')

export function readBounds(support: SupportDirectory): Promise<ChainBounds | undefined> {
	return readJsonFile(boundsPath(support), boundsSchema)
}

export function writeBounds(support: SupportDirectory, bounds: ChainBounds): Promise<void> {
	return writeJsonFile(boundsPath(support), bounds)
}
