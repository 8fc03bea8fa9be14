import type { Metadata, Snapshot, Targets } from '@tufjs/models'
import { parse } from '../format/metadata-schema.ts'
import type { Generation } from './metadata-cache.ts'

/**
 * Reads the metadata of a generation and verifies the signatures of each role again, from the pinned root down. Expiry
 * is not checked, because an installed driver also works offline.
 */

/** @throws Error if it is missing, or not signed by the keys that the root names */
export async function verifiedTargets({ root, read }: Generation): Promise<Metadata<Targets>> {
	const targets = parse.targets(await bytesOf(read, 'targets'))
	// Client workflow 5.6.3: a threshold of the keys that the root names
	root.metadata.verifyDelegate('targets', targets)
	return targets
}

/** @throws Error if it is missing, or not signed by the keys that `targets` names */
export async function verifiedRole(
	{ read }: Generation,
	targets: Metadata<Targets>,
	role: string,
): Promise<Metadata<Targets>> {
	const metadata = parse.targets(await bytesOf(read, role))
	// Client workflow 5.6.7 with 5.6.3: a threshold of the keys that the delegation names
	targets.verifyDelegate(role, metadata)
	return metadata
}

/** @throws Error if it is missing, or not signed by the keys that the root names */
export async function verifiedSnapshot({ root, read }: Generation): Promise<Metadata<Snapshot>> {
	const snapshot = parse.snapshot(await bytesOf(read, 'snapshot'))
	// Client workflow 5.5.3: a threshold of the keys that the root names
	root.metadata.verifyDelegate('snapshot', snapshot)
	return snapshot
}

/**
 * Returns when the first of the top-level roles expires. @throws Error if one is missing, or not signed by the keys
 * that the root names
 */
export async function verifiedExpiry(generation: Generation): Promise<Date> {
	const { root, read } = generation
	const timestamp = parse.timestamp(await bytesOf(read, 'timestamp'))
	// Client workflow 5.4.2: a threshold of the keys that the root names
	root.metadata.verifyDelegate('timestamp', timestamp)
	const roles = [root.metadata, timestamp, await verifiedSnapshot(generation), await verifiedTargets(generation)]
	return new Date(Math.min(...roles.map(({ signed }) => Date.parse(signed.expires))))
}

async function bytesOf(read: Generation['read'], role: string): Promise<Buffer> {
	const bytes = await read(role)
	if (!bytes) throw new Error(`the metadata of ${role} is missing`)
	return bytes
}
