import { z } from 'zod'
import { reasonOf } from '../../base/reason-of.ts'
import {
	type PortableConnection,
	portableConnection,
	portableConnectionSchema,
	type SavedConnection,
} from './connection-fields.ts'
import { connectionErrors } from './errors.ts'

/**
 * Connections exported to another machine: without secrets, and without the access of AI clients, which the user must
 * grant again. Raise the version if an older reader would misread the new format.
 */
const fileSchema = z.strictObject({
	format: z.literal('roundhouse-connections'),
	version: z.literal(1),
	connections: z.array(portableConnectionSchema).max(10_000),
})
export type ConnectionsFile = z.infer<typeof fileSchema>

export function fileOf(connections: readonly SavedConnection[]): ConnectionsFile {
	return {
		format: 'roundhouse-connections',
		version: 1,
		connections: connections.map(sharedConnection),
	}
}

/** Returns the part of a connection that others may read. */
export function sharedConnection(connection: SavedConnection): PortableConnection {
	const settings = Object.entries(connection.settings).map(([key, value]) => [key, withoutUser(value)] as const)
	return { ...portableConnection(connection), settings: Object.fromEntries(settings) }
}

/** @throws HostError `connection/import_unfit` */
export function readConnectionsFile(file: unknown): ConnectionsFile {
	const read = fileSchema.safeParse(file)
	if (read.success) return read.data
	throw connectionErrors.make('import_unfit', { reason: reasonOf(read.error) })
}

/** Removes the user and the password from URLs, which a user may have entered into a plain field. */
function withoutUser<T>(value: T): T | string {
	return typeof value === 'string' ? value.replaceAll(/(\/\/)[^/@\s,]*@/g, '$1') : value
}
