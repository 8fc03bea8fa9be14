import { z } from 'zod'
import { readJsonFile, writeJsonFile } from '../base/atomic-file.ts'
import type { SupportDirectory } from '../base/support-directory.ts'
import { linkSchema } from './chain.ts'

/** Where the chain begins and ends, beside the log: a line cut off at either end would leave no gap. */
const endsSchema = z.object({
	version: z.literal(1),
	/** The last entry that grew too old, or the origin. */
	before: linkSchema,
	/** The last entry when this was written; the lines may have gone on since. */
	last: linkSchema,
	/** There were lines and no such note: who took it away could have cut lines off as well. */
	isLost: z.boolean().exactOptional(),
})
export type Ends = z.infer<typeof endsSchema>

const endsPath = (support: SupportDirectory) => support.file('activity-ends.json')

export function readEnds(support: SupportDirectory): Promise<Ends | undefined> {
	return readJsonFile(endsPath(support), endsSchema)
}

export function writeEnds(support: SupportDirectory, ends: Ends): Promise<void> {
	return writeJsonFile(endsPath(support), ends)
}
