import { settingValueSchema } from '@roundhouse/kit/manifest'
import { z } from 'zod'
import { reasonOf } from '../base/reason-of.ts'
import { connectionErrors } from './errors.ts'
import { colourSchema, groupSchema, type SavedConnection, safeModeSchema } from './saved-connections.ts'

/**
 * Connections on their way to another machine: without secrets, and without what AI clients were allowed, which a person
 * gives anew. Its version is raised when what is written here would be misread by an older reader.
 */
const portableSchema = z.strictObject({
	name: z.string().trim().min(1),
	driverId: z.string(),
	settings: z.record(z.string(), settingValueSchema),
	isSample: z.boolean(),
	safeMode: safeModeSchema,
	isProduction: z.boolean(),
	colour: colourSchema.exactOptional(),
	group: groupSchema,
})
const fileSchema = z.strictObject({
	format: z.literal('roundhouse-connections'),
	version: z.literal(1),
	connections: z.array(portableSchema).max(10_000),
})
export type ConnectionsFile = z.infer<typeof fileSchema>

export function fileOf(connections: readonly SavedConnection[]): ConnectionsFile {
	return {
		format: 'roundhouse-connections',
		version: 1,
		connections: connections.map(({ name, driverId, settings, isSample, safeMode, isProduction, colour, group }) => ({
			...{ name, driverId, isSample, safeMode, isProduction, group },
			settings: Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, withoutUser(value)])),
			...(colour && { colour }),
		})),
	}
}

/** @throws HostError `connection/import_unfit` */
export function readConnectionsFile(file: unknown): ConnectionsFile {
	const read = fileSchema.safeParse(file)
	if (read.success) return read.data
	throw connectionErrors.make('import_unfit', { reason: reasonOf(read.error) })
}

/** Who types an address with a password into a plain field has put a secret there. */
function withoutUser<T>(value: T): T | string {
	return typeof value === 'string' ? value.replaceAll(/(\/\/)[^/@\s,]*@/g, '$1') : value
}
