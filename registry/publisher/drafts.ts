import { Metadata, MetadataKind, type Root, type Targets } from '@tufjs/models'
import type { KeyDocument } from './signing-key.ts'

/** The signed parts of a root and of a targets role as mutable data, because the library's models are immutable. */

/** The keys whose signatures a role needs, and how many. */
export type RoleDraft = { keyids: string[]; threshold: number }

export type DelegationDraft = RoleDraft & { name: string; paths: string[]; terminating: boolean }

export type TargetDraft = { length: number; hashes: { sha512: string }; custom?: Record<string, unknown> }

export type RootDraft = {
	keys: Record<string, KeyDocument>
	roles: Record<string, RoleDraft>
}

export type TargetsDraft = {
	targets: Record<string, TargetDraft>
	delegations?: { keys: Record<string, KeyDocument>; roles: DelegationDraft[] }
}

/** Version of the specification that `@tufjs/models` implements. */
const specVersion = '1.0.31'

interface Stamp {
	readonly version: number
	readonly expires: string
}

// The library does not export its type for a JSON object.
type JsonObject = ReturnType<Root['toJSON']>

const unsigned = (type: string, content: object, { version, expires }: Stamp) => ({
	signed: JSON.parse(JSON.stringify({ ...content, _type: type, spec_version: specVersion, version, expires })),
	signatures: [],
})

export const rootFrom = (draft: RootDraft, stamp: Stamp) =>
	Metadata.fromJSON(MetadataKind.Root, unsigned('root', { ...draft, consistent_snapshot: true }, stamp))

export const targetsFrom = (draft: TargetsDraft, stamp: Stamp) =>
	Metadata.fromJSON(MetadataKind.Targets, unsigned('targets', draft, stamp))

export const snapshotFrom = (meta: Record<string, object>, stamp: Stamp) =>
	Metadata.fromJSON(MetadataKind.Snapshot, unsigned('snapshot', { meta }, stamp))

export const timestampFrom = (snapshot: object, stamp: Stamp) =>
	Metadata.fromJSON(MetadataKind.Timestamp, unsigned('timestamp', { meta: { 'snapshot.json': snapshot } }, stamp))

// Casts, because the library has validated these documents as the specification's types. `structuredClone` makes an
// independent copy.
export const rootDraft = ({ signed }: Metadata<Root>) => structuredClone(signed.toJSON()) as JsonObject & RootDraft
export const targetsDraft = ({ signed }: Metadata<Targets>) =>
	structuredClone(signed.toJSON()) as JsonObject & TargetsDraft
