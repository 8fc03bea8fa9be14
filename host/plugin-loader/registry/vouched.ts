import { Metadata, MetadataKind, type Snapshot, type Targets } from '@tufjs/models'
import type { Generation } from './metadata-cache.ts'

/**
 * What a generation of metadata says, each role verified again by signature from the pinned root down. Its age is not
 * looked at: an installed driver works offline.
 */

/** @throws Error where it is not there, or not signed by the keys that the root names */
export async function vouchedTargets({ root, read }: Generation): Promise<Metadata<Targets>> {
	const targets = Metadata.fromJSON(MetadataKind.Targets, await parse(read, 'targets'))
	root.metadata.verifyDelegate('targets', targets)
	return targets
}

/** @throws Error where it is not there, or not signed by the keys that `targets` names */
export async function vouchedRole(
	{ read }: Generation,
	targets: Metadata<Targets>,
	role: string,
): Promise<Metadata<Targets>> {
	const metadata = Metadata.fromJSON(MetadataKind.Targets, await parse(read, role))
	targets.verifyDelegate(role, metadata)
	return metadata
}

/** @throws Error where it is not there, or not signed by the keys that the root names */
export async function vouchedSnapshot({ root, read }: Generation): Promise<Metadata<Snapshot>> {
	const snapshot = Metadata.fromJSON(MetadataKind.Snapshot, await parse(read, 'snapshot'))
	root.metadata.verifyDelegate('snapshot', snapshot)
	return snapshot
}

/** When the first of its top roles ends. @throws Error where one is not there, or not signed by the keys that the root names */
export async function vouchedExpiry(generation: Generation): Promise<Date> {
	const { root, read } = generation
	const timestamp = Metadata.fromJSON(MetadataKind.Timestamp, await parse(read, 'timestamp'))
	root.metadata.verifyDelegate('timestamp', timestamp)
	const roles = [root.metadata, timestamp, await vouchedSnapshot(generation), await vouchedTargets(generation)]
	return new Date(Math.min(...roles.map(({ signed }) => Date.parse(signed.expires))))
}

async function parse(read: Generation['read'], role: string) {
	const bytes = await read(role)
	if (!bytes) throw new Error(`there is no list of ${role}`)
	return JSON.parse(bytes.toString('utf8'))
}
